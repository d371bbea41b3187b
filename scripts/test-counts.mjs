import { readFile } from 'node:fs/promises'

/** @typedef {{ passed: number, failed: number, skipped: number }} Counts */

/**
 * A test runner's JSON report.
 * @param {string} file
 * @returns {Promise<unknown>} null when the runner never came to writing it
 */
export async function readReport(file) {
  try {
    return JSON.parse(await readFile(file, 'utf8'))
  } catch {
    return null
  }
}

/**
 * @param {unknown} report by vitest's JSON reporter
 * @returns {Counts}
 */
export function countVitest(report) {
  return {
    passed: readNumber(report, 'numPassedTests'),
    failed: readNumber(report, 'numFailedTests'),
    skipped: readNumber(report, 'numPendingTests') + readNumber(report, 'numTodoTests'),
  }
}

/**
 * @param {unknown} report by Playwright's JSON reporter
 * @returns {Counts} a test that passed only when repeated counts as passed
 */
export function countPlaywright(report) {
  const stats =
    typeof report === 'object' && report !== null && 'stats' in report ? report.stats : null
  return {
    passed: readNumber(stats, 'expected') + readNumber(stats, 'flaky'),
    failed: readNumber(stats, 'unexpected'),
    skipped: readNumber(stats, 'skipped'),
  }
}

/**
 * @param {unknown} value
 * @param {string} field
 */
function readNumber(value, field) {
  if (typeof value !== 'object' || value === null) return 0
  /** @type {unknown} */
  const number = Reflect.get(value, field)
  return typeof number === 'number' ? number : 0
}

/**
 * One stage's counts made honest: a stage that failed without a failed test (a type error, a runner that crashed), and
 * one that ran no test at all, is a failure too.
 * @param {{ counts: Counts, exitCode: number }} stage
 * @returns {Counts}
 */
export function countStage({ counts, exitCode }) {
  const ranNothing = counts.passed + counts.failed === 0
  const failedOtherwise = counts.failed === 0 && (exitCode !== 0 || ranNothing)
  return failedOtherwise ? { ...counts, failed: 1 } : counts
}

/**
 * @param {readonly Counts[]} stages
 * @returns {Counts}
 */
export function addUp(stages) {
  return stages.reduce(
    (total, stage) => ({
      passed: total.passed + stage.passed,
      failed: total.failed + stage.failed,
      skipped: total.skipped + stage.skipped,
    }),
    { passed: 0, failed: 0, skipped: 0 },
  )
}
