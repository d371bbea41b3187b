/**
 * Where the packaged app runs, and as which user: on this machine or in another root. Each has a home folder of its
 * own, and a data folder with spaces and a letter outside ASCII.
 */
import { spawn } from 'node:child_process'
import { join } from 'node:path'
import { runCommand } from '../setup/run-command.mjs'

/**
 * @typedef {object} Seat
 * @property {string} root  the root folder's path on this machine; empty for this machine's own
 * @property {string} home  like all paths of a seat as its user sees it
 * @property {string} [dataDir]  the program's data folder, unless it is the default one
 * @property {string} app
 * @property {string} cli
 * @property {(command: readonly string[]) => string[]} asUser  the same command, run by an ordinary user
 * @property {(command: readonly string[]) => string[]} onDisplay  the same, with a display
 *
 * @typedef {{ args?: readonly string[], env?: NodeJS.ProcessEnv }} How
 * @typedef {{ ended: Promise<number | null>, end: () => void, output: () => string }} RunningApp
 */

/** @param {readonly string[]} command */
export const asNobody = (command) => [
  'setpriv',
  '--reuid=nobody',
  '--regid=nogroup',
  '--clear-groups',
  '--',
  ...command,
]

/** @param {Seat} seat */
export function dataDirOf({ root, home, dataDir }) {
  return join(root, dataDir ?? join(configDir(home), 'Modelport'))
}

/** @param {string} home */
function configDir(home) {
  return join(home, 'Einstellungen für alle')
}

/** @param {Seat} seat @param {NodeJS.ProcessEnv} [env] */
function environment({ home }, env = {}) {
  return {
    PATH: process.env['PATH'],
    HOME: home,
    LANG: 'C.UTF-8',
    XDG_CONFIG_HOME: configDir(home),
    MODELPORT_CACHE_DIR: join(home, 'cache'),
    ...env,
  }
}

/** The package's command line. @param {Seat} seat @param {readonly string[]} args */
export function runCli(seat, args) {
  const folder = seat.dataDir === undefined ? [] : ['--data-dir', seat.dataDir]
  const [command = '', ...rest] = seat.asUser([seat.cli, ...args, ...folder])
  return runCommand({ command, args: rest, env: environment(seat), cwd: '/', timeoutMs: 60_000 })
}

/**
 * Starts the app on a display of its own.
 * @param {Seat} seat
 * @param {How} [how]
 * @returns {RunningApp}
 */
export function startApp(seat, { args = [], env = {} } = {}) {
  const [command = '', ...rest] = seat.onDisplay([seat.app, ...args])
  const child = spawn(command, rest, {
    cwd: '/',
    env: environment(seat, env),
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

/** Gives a seat's user the weights of the built-in model. @param {Seat} seat @param {string} cacheDir */
export async function copyWeights({ root, home }, cacheDir) {
  const models = join(root, home, 'cache', 'models')
  await runCommand({ command: 'mkdir', args: ['-p', models] })
  await runCommand({ command: 'cp', args: ['-rT', join(cacheDir, 'models'), models] })
  const owner = ['-R', `--reference=${join(root, home)}`]
  await runCommand({ command: 'chown', args: [...owner, join(root, home, 'cache')] })
}
