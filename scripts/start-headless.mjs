import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { repositoryDir } from './setup/paths.mjs'
import { print, reasonOf } from './setup/progress.mjs'
import { runCommand } from './setup/run-command.mjs'
import { runInForeground } from './setup/run-in-foreground.mjs'

// Built a moment ago, and three times as fast to load as the source that bin/modelport.mjs runs in a checkout.
const commandLine = join(repositoryDir, 'out', 'main', 'headless.js')

const takenUpMs = 1_000

/**
 * Runs the service without a window until it is told to stop; prints how to send a first request once it is ready.
 * @param {import('./setup/prepare.mjs').Setup} setup
 * @returns {Promise<number>} the service's exit code
 */
export async function startHeadless({ node24, cacheDir }) {
  const env = { ...process.env, MODELPORT_CACHE_DIR: cacheDir }
  /** @type {Promise<void>[]} */
  const guides = []
  const exitCode = await runInForeground({
    command: node24,
    args: [commandLine, 'serve'],
    cwd: repositoryDir,
    env,
    onStdoutLine: (line) => {
      const ready = guides.length === 0 ? readReadyLine(line) : null
      if (ready === null) return print(line)
      guides.push(printGuide({ ready, node24, env }).catch(complainTo(ready)))
    },
  })
  await Promise.all(guides)
  return exitCode
}

/** @typedef {{ url: string, caFile: string }} ReadyService */

/**
 * @param {string} line
 * @returns {ReadyService | null} null when the line is not the one JSON line of `serve`
 */
function readReadyLine(line) {
  if (!line.startsWith('{')) return null
  /** @type {unknown} */
  const value = JSON.parse(line)
  return isReadyService(value) ? value : null
}

/**
 * @param {unknown} value
 * @returns {value is ReadyService}
 */
function isReadyService(value) {
  return (
    typeof value === 'object' &&
    value !== null &&
    'url' in value &&
    typeof value.url === 'string' &&
    'caFile' in value &&
    typeof value.caFile === 'string'
  )
}

/**
 * The service runs on even where the guide cannot be printed.
 * @param {ReadyService} ready
 * @returns {(error: unknown) => void}
 */
function complainTo(ready) {
  return (error) => {
    process.stderr.write(
      `The service runs at ${ready.url}, but its router and keys cannot be read: ${reasonOf(error)}\n`,
    )
  }
}

/** @param {{ ready: ReadyService, node24: string, env: NodeJS.ProcessEnv }} options */
async function printGuide({ ready, node24, env }) {
  /** @param {string[]} args */
  const callModelport = async (...args) => {
    const stdout = await runCommand({
      command: node24,
      args: [commandLine, ...args, '--json'],
      cwd: repositoryDir,
      env,
    })
    return parseJsonLines(stdout)
  }
  const [routers, keys] = await Promise.all([
    callModelport('router', 'list'),
    callModelport('key', 'list'),
  ])
  const router = routers.find((entry) => entry['name'] === 'Local') ?? routers[0]
  const isFirstStart = keys.length === 0
  const [created] = isFirstStart
    ? await callModelport('key', 'create', '--name', 'First start', '--routers', 'all')
    : []
  // The service takes up what another process changed within a second: the line printed must work.
  if (isFirstStart) await pause(takenUpMs)
  const guide = composeGuide({
    ...ready,
    routerId: text(router?.['id']),
    apiKey: text(created?.['key']),
  })
  for (const line of guide) print(line)
}

/**
 * What `--json` prints: one JSON value per line; a list may come as one array or line by line.
 * @param {string} stdout
 * @returns {Record<string, unknown>[]}
 */
export function parseJsonLines(stdout) {
  const lines = stdout.split('\n').filter((line) => line.trim() !== '')
  return lines.flatMap((line) => {
    // Our own command's output.
    const value = /** @type {Record<string, unknown> | Record<string, unknown>[]} */ (
      JSON.parse(line)
    )
    return Array.isArray(value) ? value : [value]
  })
}

/** @param {unknown} value */
function text(value) {
  return typeof value === 'string' ? value : null
}

/**
 * The lines that take a person from the running service to a first answer.
 * @param {ReadyService & { routerId: string | null, apiKey: string | null }} service `apiKey` only when it was just made
 * @returns {string[]}
 */
export function composeGuide({ url, caFile, routerId, apiKey }) {
  const makeKey = 'node bin/modelport.mjs key create --name "My program" --routers all'
  const keyLines = apiKey
    ? [
        `API key  ${apiKey}`,
        '         (shown only once; store it now)',
        '',
        `  export MODELPORT_API_KEY=${apiKey}`,
      ]
    : [
        'API key  shown only when it was created; create another one with',
        '',
        `  ${makeKey}`,
        '  export MODELPORT_API_KEY=…',
      ]
  const router = routerId ?? 'none yet: node bin/modelport.mjs router create --help'
  return [
    '',
    `Modelport is ready.`,
    `URL      ${url}`,
    `Router   ${router}`,
    ...keyLines,
    ...(routerId ? ['', ...composeCurl({ url, caFile, routerId })] : []),
    '',
    'Press Ctrl-C to stop it.',
  ]
}

/** @param {{ url: string, caFile: string, routerId: string }} service */
function composeCurl({ url, caFile, routerId }) {
  const body = '{"messages":[{"role":"user","content":"What is the capital of France?"}]}'
  return [
    `  curl --cacert '${caFile}' ${url}/api/router/${routerId}/v1/chat/completions \\`,
    '    -H "Authorization: Bearer $MODELPORT_API_KEY" -H "Content-Type: application/json" \\',
    `    -d '${body}'`,
  ]
}
