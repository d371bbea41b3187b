import { spawn } from 'node:child_process'

const keptOutputCharacters = 4_000

/** A command that ended with a non-zero exit code, by a signal or by its time limit. */
export class CommandError extends Error {
  /**
   * @param {string} message
   * @param {string} output the end of what the command printed
   */
  constructor(message, output) {
    super(message)
    this.name = 'CommandError'
    this.output = output
  }
}

/**
 * @typedef {object} Command
 * @property {string} command
 * @property {readonly string[]} args
 * @property {string} [cwd]
 * @property {NodeJS.ProcessEnv} [env]
 * @property {number} [timeoutMs] no limit if absent
 * @property {(pid: number) => void} [onSpawn] called with the process id when the command starts
 */

/** @type {Set<import('node:child_process').ChildProcess>} */
const running = new Set()

/**
 * Runs a command to its end; its output is collected, not shown.
 * @param {Command} options
 * @returns {Promise<string>} its standard output
 * @throws {CommandError} when it fails; the message ends with the last lines of its output
 */
export function runCommand({ command, args, cwd, env, timeoutMs, onSpawn }) {
  const child = spawn(command, args, {
    ...(cwd === undefined ? {} : { cwd }),
    ...(env === undefined ? {} : { env }),
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  track(child)
  if (child.pid !== undefined) onSpawn?.(child.pid)
  let timedOut = false
  const limit = timeoutMs === undefined ? null : setTimeout(stopLate, timeoutMs)
  function stopLate() {
    timedOut = true
    child.kill('SIGKILL')
  }
  const output = collectOutput(child)
  return new Promise((resolve, reject) => {
    child.once('error', (error) => reject(new CommandError(`${command}: ${error.message}`, '')))
    child.once('close', (code, signal) => {
      if (limit) clearTimeout(limit)
      if (code === 0) return resolve(output.stdout())
      const ending = timedOut
        ? `took longer than ${(timeoutMs ?? 0) / 1_000} s`
        : code === null
          ? `was ended by ${signal}`
          : `exited with ${code}`
      const call = [command, ...args].join(' ')
      reject(new CommandError(`${call} ${ending}\n${output.tail()}`.trim(), output.tail()))
    })
  })
}

/** @param {import('node:child_process').ChildProcessByStdio<null, import('node:stream').Readable, import('node:stream').Readable>} child */
function collectOutput(child) {
  let stdout = ''
  let tail = ''
  child.stdout.setEncoding('utf8').on('data', (/** @type {string} */ text) => {
    stdout += text
    tail = (tail + text).slice(-keptOutputCharacters)
  })
  child.stderr.setEncoding('utf8').on('data', (/** @type {string} */ text) => {
    tail = (tail + text).slice(-keptOutputCharacters)
  })
  return { stdout: () => stdout, tail: () => tail.trim() }
}

/**
 * Ends the command with the launcher; otherwise an interrupted `npm ci` would continue in the background.
 * @param {import('node:child_process').ChildProcess} child
 */
function track(child) {
  if (running.size === 0) for (const signal of endingSignals) process.once(signal, endWithLauncher)
  running.add(child)
  child.once('close', () => {
    running.delete(child)
    if (running.size === 0) for (const signal of endingSignals) process.off(signal, endWithLauncher)
  })
}

/** @type {readonly NodeJS.Signals[]} */
const endingSignals = ['SIGINT', 'SIGTERM', 'SIGHUP']

/** @param {NodeJS.Signals} signal */
function endWithLauncher(signal) {
  for (const child of running) child.kill(signal)
  process.exit(signal === 'SIGINT' ? 130 : 143)
}
