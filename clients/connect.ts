/**
 * `npm run clients:connect [TOOL…]`: runs what `modelport connect` shows and writes with the real tools, literally: the
 * programs as printed, and the command line tools with the files as written. Fails when a tool fails.
 */
import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { mkdir, readdir, readFile, symlink, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { findCacheDir, repositoryDir } from '../scripts/setup/paths.mjs'
import { ensureSystemPackages } from '../scripts/setup/system-packages.mjs'
import type { Snippet } from '../src/shared/app/connect.ts'
import { shellWord } from '../src/service/connect/shell.ts'
import { openRunFolder } from '../src/service/data-folder/run-folder.ts'
import {
  backUp,
  planFile,
  planRunFile,
  restoreFiles,
  writePlans,
  type WrittenFile,
} from '../src/service/connect/tool-files.ts'
import { openaiUrl, type Connection, type Tool } from '../src/service/connect/tool.ts'
import { installTitle } from '../src/service/connect/tools/modelport-sdk.ts'
import { toolOf } from '../test/connect/write-tool-files.ts'
import { helloText } from './answers.ts'
import { startCommand } from './command.ts'
import { proofs, type Proof } from './connect-proofs.ts'
import { installClient } from './install.ts'
import { startTestBed, type StartedTestBed } from './start-test-bed.ts'

const runLimitMs = 90_000

/** The folders of the table of clients, by the tool's id. */
const installedAs: Readonly<Record<string, string>> = {
  'openai-js': 'openai-node',
  'anthropic-js': 'anthropic-node',
  'langchain-js': 'langchain-node',
  llamaindex: 'llama-index',
  'modelport-js': 'openai-node',
  'modelport-python': 'openai-python',
}

/** Tools that read the certificate's variable from the shell only. */
const readsCertificateFromShell = new Set(
  'opencode llm gemini-cli qwen-code cline-cli pi kilo'.split(' '),
)

process.exitCode = await run(process.argv.slice(2))

async function run(names: readonly string[]): Promise<number> {
  const chosen = proofs.filter(({ tool }) => names.length === 0 || names.includes(tool))
  const cacheDir = findCacheDir(process.env)
  await ensureSystemPackages({ window: false, tests: false, clients: true })
  const started = await startTestBed(cacheDir)
  let failed = 0
  try {
    for (const proof of chosen) {
      const problem = await prove(proof, cacheDir, started).catch(String)
      process.stdout.write(`${proof.tool.padEnd(18)} ${problem ?? 'works'}\n`)
      if (problem !== null) failed += 1
    }
  } finally {
    await started.close()
  }
  return failed === 0 && chosen.length > 0 ? 0 : 1
}

/** @returns null when the tool printed the upstream's answer */
async function prove(
  { tool: id, packages, run: how }: Proof,
  cacheDir: string,
  { bed, folder }: StartedTestBed,
): Promise<string | null> {
  const clientId = installedAs[id] ?? id
  const installed = await installClient({ id: clientId, packages }, cacheDir)
  const tool = toolOf(id)
  const { OpenAI, Anthropic } = bed.routers
  // Google's own upstream is not among those of the test bed, and `modelport mcp` asks in the form of chat.
  const door = tool.door === 'gemini' || tool.door === 'mcp' ? 'chat' : tool.door
  const router = (door === 'messages' ? Anthropic : OpenAI)[door]
  const connection: Connection = {
    routerUrl: `${bed.origin}/api/router/${router}`,
    key: bed.toolKey,
    caFile: bed.caFile,
    caBundleFile: bed.caBundleFile,
    limits: { context: 200_000, output: 32_000 },
    platform: 'linux',
  }
  const home = join(folder, `connect-${id}`)
  await mkdir(home)
  if (how.kind === 'files') {
    const command = how.command(installed)
    const files = await writeFiles(tool, connection, home)
    const problem =
      (await inShell(asFiles(tool, connection, command), home)) ?? (await undo(files, connection))
    return problem ?? (await startedByRun(tool, connection, { home: `${home}-run`, command }))
  }
  if (how.kind === 'loader') {
    const commands = await asLoader(tool, connection, { installed, home, program: how.program })
    return inShell(commands, home, { expected: openaiUrl(connection) })
  }
  const commands = await asProgram(tool, connection, { installed, home })
  if (how.kind === 'own')
    return inShell(`${await useOwnSdk(how.sdk, connection, home)}${commands}`, home)
  return inShell(commands, home)
}

/** The program and the environment as printed. */
async function asProgram(
  tool: Tool,
  connection: Connection,
  { installed, home }: { installed: string; home: string },
): Promise<string> {
  // `npm run sdk` and the tests install the SDKs; here they are linked.
  const snippets = tool.snippets(connection).filter(({ title }) => title !== installTitle)
  const program = textOf(snippets, ['javascript', 'python'])
  const isPython = snippets.some(({ language }) => language === 'python')
  const file = isPython ? 'ask.py' : 'ask.mjs'
  await writeFile(join(home, file), program)
  if (!isPython) await linkPackages(join(installed, 'node_modules'), join(home, 'node_modules'))
  const interpreter = isPython ? join(installed, 'bin', 'python') : process.execPath
  return `${textOf(snippets, ['sh'])}\n'${interpreter}' ${file}`
}

/** The tool's own loader, on the first snippet, which is the file. */
async function asLoader(
  tool: Tool,
  connection: Connection,
  { installed, home, program }: { installed: string; home: string; program: string },
): Promise<string> {
  await writeFile(join(home, 'config.yaml'), textOf(tool.snippets(connection), ['yaml']))
  const head = `import { readFileSync } from 'node:fs'
const text = readFileSync('config.yaml', 'utf8')\n`
  await writeFile(join(home, 'load.mjs'), `${head}${program}\n`)
  await linkPackages(join(installed, 'node_modules'), join(home, 'node_modules'))
  return `'${process.execPath}' load.mjs`
}

/** A folder of links, so that more packages can be added. */
async function linkPackages(from: string, to: string): Promise<void> {
  await mkdir(to)
  for (const name of await readdir(from)) await symlink(join(from, name), join(to, name))
}

/** @returns commands that come before the program's */
async function useOwnSdk(
  sdk: 'sdk' | 'sdk-python',
  { caFile }: Connection,
  home: string,
): Promise<string> {
  // The SDK looks for the certificate in the data folder of its user.
  await mkdir(join(home, '.config'))
  await symlink(dirname(dirname(caFile)), join(home, '.config', 'Modelport'))
  const folder = join(repositoryDir, sdk)
  if (sdk === 'sdk-python') return `export PYTHONPATH='${join(folder, 'src')}'\n`
  await promisify(execFile)(process.execPath, [join(folder, 'build.mjs')])
  await mkdir(join(home, 'node_modules', '@modelport'))
  await symlink(folder, join(home, 'node_modules', '@modelport', 'sdk'))
  return ''
}

/** Writes the files like `modelport connect TOOL --write`, with copies. */
async function writeFiles(tool: Tool, connection: Connection, dir: string): Promise<WrittenFile[]> {
  const files = tool.files?.(connection, { dir, platform: 'linux', env: {} }) ?? []
  const plans = await Promise.all(files.map(planFile))
  const backupFolder = join(dir, 'copies')
  const written = await backUp(plans, { backupFolder, earlier: [] })
  await writePlans(plans)
  return written
}

/** Undoes the files after the tool has run, and perhaps saved settings of its own in them. */
async function undo(files: readonly WrittenFile[], { key }: Connection): Promise<string | null> {
  await restoreFiles(files)
  const left = files.filter(({ path }) => existsSync(path))
  const texts = await Promise.all(left.map(({ path }) => readFile(path, 'utf8')))
  return texts.some((text) => text.includes(key)) ? 'undo leaves the key in a file' : null
}

/** The certificate's variables as printed, for tools that read them from the shell only. */
function asFiles(tool: Tool, connection: Connection, command: readonly string[]): string {
  const printed = tool
    .snippets(connection)
    .filter(({ language }) => language === 'sh')
    .flatMap(({ text }) => text.split('\n'))
  const needed = readsCertificateFromShell.has(tool.id)
    ? printed.filter((line) => /^export (NODE_EXTRA_CA_CERTS|SSL_CERT_FILE)=/.test(line))
    : []
  return [...needed, command.map(shellWord).join(' ')].join('\n')
}

/** Starts the tool with the environment of `modelport run`, which is also the printed one, and no file. */
async function startedByRun(
  { program }: Tool,
  connection: Connection,
  { home, command }: { home: string; command: readonly string[] },
): Promise<string | null> {
  if (!program) return null
  await mkdir(home)
  const [file = '', ...args] = command
  const words = [file, ...(program.args?.(connection) ?? []), ...args]
  const env = program.environment(connection).set
  const running = (more: Readonly<Record<string, string>>) =>
    inShell(words.map(shellWord).join(' '), home, { env: { ...env, ...more } })
  const planned = await planRunFile(program, { dir: home, platform: 'linux', env: {} })
  if (planned === null) return running({})
  const folder = await openRunFolder(planned)
  try {
    return await running(folder.variables)
  } finally {
    await folder.close()
  }
}

function textOf(snippets: readonly Snippet[], languages: readonly Snippet['language'][]): string {
  const found = snippets.find(({ language }) => languages.includes(language))
  if (!found) throw new Error(`there is no snippet in ${languages.join(' or ')}`)
  return found.text
}

interface ShellOptions {
  env?: Readonly<Record<string, string>>
  /** What it must print; the upstream's answer by default. */
  expected?: string
}

/** @returns null when it printed what was expected */
async function inShell(
  commands: string,
  home: string,
  { env: more = {}, expected = helloText }: ShellOptions = {},
): Promise<string | null> {
  const env = { PATH: process.env['PATH'], HOME: home, TERM: 'dumb', ...more }
  const running = startCommand(
    { command: 'sh', args: ['-c', commands], cwd: home, env },
    runLimitMs,
  )
  const exitCode = await running.ended
  const printed = running.printed()
  if (exitCode === 0 && printed.includes(expected)) return null
  return `exit code ${String(exitCode)}: ${printed}`
}
