import { spawn } from 'node:child_process'
import { constants } from 'node:os'
import { createInterface } from 'node:readline'

/** @type {readonly NodeJS.Signals[]} */
const forwardedSignals = ['SIGINT', 'SIGTERM', 'SIGHUP']

/**
 * @typedef {object} ForegroundCommand
 * @property {string} command
 * @property {readonly string[]} args
 * @property {string} [cwd]
 * @property {NodeJS.ProcessEnv} [env]
 * @property {boolean} [wholeGroup] signals every process the command started, not only the command
 * @property {(line: string) => void} [onStdoutLine] receives standard output line by line instead of showing it
 * @property {(line: string) => void} [onStderrLine] receives each line of standard error, which is also shown
 */

/**
 * Runs a command in the foreground and passes on the signals that end the launcher. The command has its own process
 * group, so that Ctrl-C reaches it once (from us), not twice.
 * @param {ForegroundCommand} options
 * @returns {Promise<number>} its exit code; 128 + the signal's number when a signal ended it
 */
export function runInForeground({ command, args, cwd, env, wholeGroup = false, ...listeners }) {
  const { onStdoutLine, onStderrLine } = listeners
  const child = spawn(command, args, {
    ...(cwd === undefined ? {} : { cwd }),
    ...(env === undefined ? {} : { env }),
    detached: process.platform !== 'win32',
    stdio: ['ignore', onStdoutLine ? 'pipe' : 'inherit', onStderrLine ? 'pipe' : 'inherit'],
  })
  if (onStdoutLine && child.stdout)
    createInterface({ input: child.stdout }).on('line', onStdoutLine)
  if (onStderrLine && child.stderr) {
    createInterface({ input: child.stderr }).on('line', (line) => {
      process.stderr.write(`${line}\n`)
      onStderrLine(line)
    })
  }
  /** @param {NodeJS.Signals} signal */
  function forward(signal) {
    if (child.pid !== undefined) signalProcess(wholeGroup ? -child.pid : child.pid, signal)
  }
  for (const signal of forwardedSignals) process.on(signal, forward)
  const npmWatch = watchNpm(() => forward('SIGTERM'))
  return new Promise((resolve, reject) => {
    child.once('error', reject)
    child.once('close', (code, signal) => {
      clearInterval(npmWatch)
      for (const forwarded of forwardedSignals) process.off(forwarded, forward)
      resolve(code ?? 128 + (signal ? constants.signals[signal] : 0))
    })
  })
}

/**
 * `kill` on npm ends npm and the shell that runs its script, but not the script, which must notice it itself.
 * @param {() => void} onGone
 */
function watchNpm(onGone) {
  const parent = process.ppid
  const isNpmScript = process.env['npm_lifecycle_event'] !== undefined
  return setInterval(() => {
    if (isNpmScript && process.ppid !== parent) onGone()
  }, 1_000)
}

/**
 * @param {number} pid
 * @param {NodeJS.Signals} signal
 */
function signalProcess(pid, signal) {
  try {
    process.kill(pid, signal)
  } catch (error) {
    // The command may have ended between the signal and this line.
    if (!(error instanceof Error && 'code' in error && error.code === 'ESRCH')) throw error
  }
}
