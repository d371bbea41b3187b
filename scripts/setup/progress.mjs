import { performance } from 'node:perf_hooks'

// A step that takes longer than this announces itself before it ends, so that the screen is not silent.
const announceAfterMs = 2_000

/** A failed setup step: the message names the failure and its cause, `wayOut` what to do. */
export class SetupError extends Error {
  /**
   * @param {string} message
   * @param {{ wayOut?: string, cause?: unknown }} [details]
   */
  constructor(message, details = {}) {
    super(message, { cause: details.cause })
    this.name = 'SetupError'
    this.wayOut = details.wayOut
  }
}

/**
 * The result of a step.
 * @template T
 * @typedef {{ value: T, already?: boolean, detail?: string }} StepResult
 *   `already`: nothing had to be done; `detail`: printed instead of the title
 */

/** @param {string} line */
export function print(line) {
  process.stdout.write(`${line}\n`)
}

/**
 * Runs one setup step and prints one line for it: `✓` if it did something, `•` if it was already done.
 * @template T
 * @param {string} title
 * @param {() => Promise<StepResult<T>>} work
 * @returns {Promise<T>}
 */
export async function step(title, work) {
  const startedMs = performance.now()
  const announcement = setTimeout(() => print(`… ${title}`), announceAfterMs)
  try {
    const { value, already = false, detail = title } = await work()
    print(`${already ? '•' : '✓'} ${detail}  ${secondsSince(startedMs)}`)
    return value
  } catch (error) {
    print(`✗ ${title}  ${secondsSince(startedMs)}`)
    throw error
  } finally {
    clearTimeout(announcement)
  }
}

/** @param {number} startedMs */
function secondsSince(startedMs) {
  return `${((performance.now() - startedMs) / 1_000).toFixed(1)} s`
}

/**
 * Runs a launcher's main function and turns its outcome into an exit code.
 * @param {() => Promise<number>} main returns the exit code
 */
export async function runLauncher(main) {
  try {
    process.exitCode = await main()
  } catch (error) {
    process.stderr.write(`\n${explain(error)}\n`)
    process.exitCode = 1
  }
}

/**
 * @param {unknown} error
 * @returns {string} its message
 */
export function reasonOf(error) {
  return error instanceof Error ? error.message : String(error)
}

/**
 * @param {unknown} error
 * @returns {string} a setup error's message and solution; the stack of any other error, which is a bug
 */
export function explain(error) {
  if (!(error instanceof SetupError))
    return (error instanceof Error && error.stack) || String(error)
  return error.wayOut ? `${error.message}\n\nFix: ${error.wayOut}` : error.message
}
