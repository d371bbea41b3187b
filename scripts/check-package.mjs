/**
 * `npm run package:check`: starts the packaged app as a user would, and proves that it is closed: an ordinary user with
 * the sandbox on, a folder with a space and a letter outside ASCII, every fuse read back from the binary.
 */
import { FuseState, FuseV1Options, getCurrentFuseWire } from '@electron/fuses'
import { spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { chmod, cp, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { request } from 'node:https'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { fuses } from '../packaging/electron-builder.mjs'
import { repositoryDir } from './setup/paths.mjs'
import { prepare } from './setup/prepare.mjs'
import { runLauncher, SetupError, step } from './setup/progress.mjs'
import { runCommand } from './setup/run-command.mjs'

const unpackedDir = join(repositoryDir, 'dist', 'linux-unpacked')
const startMs = 60_000
const quitMs = 15_000
const asNobody = ['--reuid=nobody', '--regid=nogroup', '--clear-groups', '--']

await runLauncher(async () => {
  if (!existsSync(join(unpackedDir, 'modelport')))
    throw new SetupError('There is no dist/linux-unpacked.', {
      wayOut: 'run `npm run package` first.',
    })
  const { cacheDir } = await prepare({ window: true, tests: true })
  const place = await copyOfApp()
  try {
    await step('Fuses', () => checkFuses(place.executable))
    await step('Start, request, quit', () => checkUse(place, cacheDir))
    await step('No debugger, no plain Node.js', () => checkClosed(place))
  } finally {
    await rm(place.folder, { recursive: true, force: true })
  }
  return 0
})

/** @typedef {{ folder: string, executable: string, home: string }} Place */

/** @returns {Promise<Place>} */
async function copyOfApp() {
  const folder = await mkdtemp(join(tmpdir(), 'modelport-package-'))
  await chmod(folder, 0o755)
  const appDir = join(folder, 'Modelport für alle')
  await cp(unpackedDir, appDir, { recursive: true })
  const home = join(folder, 'home')
  await runCommand({ command: 'install', args: ['-d', '-o', 'nobody', '-m', '700', home] })
  return { folder, executable: join(appDir, 'modelport'), home }
}

/** @param {string} executable */
async function checkFuses(executable) {
  const wire = await getCurrentFuseWire(executable)
  const states = Object.entries(fuses).map(([name, isOn]) => {
    const option = /** @type {keyof typeof FuseV1Options} */ (
      name.charAt(0).toUpperCase() + name.slice(1)
    )
    const state = wire[/** @type {FuseV1Options} */ (FuseV1Options[option])]
    if (state !== (isOn ? FuseState.ENABLE : FuseState.DISABLE))
      throw new SetupError(`The fuse ${name} of ${executable} is not as configured.`)
    return name
  })
  return { value: undefined, detail: `${states.length} fuses are as configured` }
}

/** @param {Place} place @param {NodeJS.ProcessEnv} [env] */
function environment({ home }, env = {}) {
  const dataDir = join(home, 'data')
  return {
    PATH: process.env['PATH'],
    HOME: home,
    LANG: 'C.UTF-8',
    MODELPORT_DATA_DIR: dataDir,
    ...env,
  }
}

/** The command line of this checkout on the app's data. @param {Place} place @param {readonly string[]} args */
function runCli(place, args) {
  const modelport = join(repositoryDir, 'bin', 'modelport.mjs')
  const env = environment(place)
  return runCommand({
    command: 'setpriv',
    args: [
      ...asNobody,
      process.execPath,
      modelport,
      ...args,
      '--data-dir',
      env.MODELPORT_DATA_DIR,
      '--json',
    ],
    env,
    cwd: place.home,
  })
}

/**
 * On a display of its own, with the sandbox on.
 * @param {Place} place
 * @param {{ args?: readonly string[], env?: NodeJS.ProcessEnv }} [how]
 */
function startApp(place, { args = [], env = {} } = {}) {
  const onDisplay = ['dbus-run-session', '--', 'xvfb-run', '--auto-servernum']
  const child = spawn('setpriv', [...asNobody, ...onDisplay, place.executable, ...args], {
    cwd: place.home,
    env: environment(place, env),
    stdio: ['ignore', 'pipe', 'pipe'],
    // A group of its own, so that the whole tree can be ended.
    detached: true,
  })
  let output = ''
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (/** @type {Buffer} */ text) => (output += text.toString()))
  /** @type {Promise<number | null>} */
  const ended = new Promise((resolve) => child.once('exit', resolve))
  const end = () => {
    try {
      process.kill(-(child.pid ?? 0), 'SIGKILL')
    } catch {
      // It has ended already.
    }
  }
  return { ended, end, output: () => output }
}

/** @param {Place} place @param {string} cacheDir */
async function checkUse(place, cacheDir) {
  await runCli(place, ['settings', 'set', 'port', '0'])
  const app = startApp(place, { env: { MODELPORT_CACHE_DIR: await ownCache(place, cacheDir) } })
  try {
    const { url, pid } = await endpointOf(place, app)
    const key = JSON.parse(
      await runCli(place, ['key', 'create', '--name', 'check', '--routers', 'all']),
    )
    const [router] = (await runCli(place, ['router', 'list']))
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line))
    const chatUrl = `${url}/api/router/${router.id}/v1/chat/completions`
    const ca = await readFile(join(place.home, 'data', 'tls', 'ca.pem'), 'utf8')
    const whole = await post({ chatUrl, key: key.key, ca }, false)
    if (!/"modelUsed":"local:/.test(whole))
      throw new SetupError(`No answer: ${whole.slice(0, 400)}`)
    const stream = await post({ chatUrl, key: key.key, ca }, true)
    if (!stream.endsWith('data: [DONE]\n\n'))
      throw new SetupError(`No stream: ${stream.slice(-400)}`)
    process.kill(pid, 'SIGTERM')
    const code = await Promise.race([app.ended, sleep(quitMs, 'late')])
    if (code !== 0)
      throw new SetupError(`The app did not quit: ${code}\n${app.output().slice(-800)}`)
  } finally {
    app.end()
  }
  return {
    value: undefined,
    detail: 'The app starts as an ordinary user, answers, streams and quits',
  }
}

/** The built-in model's weights, where this user can read them. @param {Place} place @param {string} cacheDir */
async function ownCache({ home }, cacheDir) {
  const own = join(home, 'cache')
  await runCommand({ command: 'cp', args: ['-r', '--parents', 'models', home], cwd: cacheDir })
  await runCommand({ command: 'mkdir', args: ['-p', own] })
  await runCommand({ command: 'mv', args: [join(home, 'models'), own] })
  await runCommand({ command: 'chown', args: ['-R', 'nobody', own] })
  return own
}

/**
 * @param {Place} place
 * @param {ReturnType<typeof startApp>} app
 * @returns {Promise<{ url: string, pid: number }>}
 */
async function endpointOf({ home }, app) {
  const file = join(home, 'data', 'endpoint.json')
  const endMs = Date.now() + startMs
  while (Date.now() < endMs) {
    if (existsSync(file)) return JSON.parse(await readFile(file, 'utf8'))
    await sleep(100)
  }
  throw new SetupError(`The app did not serve within ${startMs} ms.\n${app.output().slice(-2000)}`)
}

/**
 * @param {{ chatUrl: string, key: string, ca: string }} endpoint
 * @param {boolean} stream
 * @returns {Promise<string>} the body
 */
function post({ chatUrl, key, ca }, stream) {
  const body = JSON.stringify({
    messages: [{ role: 'user', content: 'Hello' }],
    max_tokens: 8,
    stream,
  })
  const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' }
  return new Promise((resolve, reject) => {
    const sent = request(chatUrl, { method: 'POST', headers, ca }, (answer) => {
      let text = ''
      answer.setEncoding('utf8')
      answer.on('data', (piece) => (text += piece))
      answer.on('end', () => resolve(text))
    })
    sent.on('error', reject)
    sent.end(body)
  })
}

/** Three ways to run code in the app's place; none may have an effect. @param {Place} place */
async function checkClosed(place) {
  const proof = join(place.home, 'was-run')
  const script = join(place.folder, 'run.cjs')
  await writeFile(script, `require('node:fs').writeFileSync(${JSON.stringify(proof)}, '')`)
  const ways = [
    { args: ['--inspect=0'] },
    { args: ['--require', script] },
    { env: { NODE_OPTIONS: `--require ${script}` } },
    { env: { ELECTRON_RUN_AS_NODE: '1' }, args: [script] },
  ]
  for (const way of ways) {
    const app = startApp(place, way)
    await Promise.race([app.ended, sleep(6_000)])
    app.end()
    await app.ended
    if (existsSync(proof)) throw new SetupError(`Code was run by ${JSON.stringify(way)}.`)
    if (/Debugger listening/.test(app.output()))
      throw new SetupError(`A debugger was opened by ${JSON.stringify(way)}.`)
  }
  return {
    value: undefined,
    detail: `${ways.length} ways to run other code in the app have no effect`,
  }
}
