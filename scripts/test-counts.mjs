import { readFile } from 'node:fs/promises'

/**
 * @typedef {object} Counts
 * @property {number} passed
 * @property {number} failed
 * @property {number} skipped
 * @property {readonly string[]} failures each with its place and its message's first line
 */

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
 * @param {unknown} report by `vitest-report.mjs`
 * @returns {Counts}
 */
export function countVitest(report) {
  return {
    passed: Number(fieldOf(report, 'passed') ?? 0),
    failed: Number(fieldOf(report, 'failed') ?? 0),
    skipped: Number(fieldOf(report, 'skipped') ?? 0),
    failures: listOf(report, 'failures').map(String),
  }
}

/**
 * @param {unknown} report by Playwright's JSON reporter
 * @returns {Counts} a test that passed only when repeated counts as passed
 */
export function countPlaywright(report) {
  const stats = fieldOf(report, 'stats')
  return {
    passed: Number(fieldOf(stats, 'expected') ?? 0) + Number(fieldOf(stats, 'flaky') ?? 0),
    failed: Number(fieldOf(stats, 'unexpected') ?? 0),
    skipped: Number(fieldOf(stats, 'skipped') ?? 0),
    failures: failedSpecs(report),
  }
}

/**
 * @param {unknown} suite its specs and those of its suites
 * @returns {string[]}
 */
function failedSpecs(suite) {
  const own = listOf(suite, 'specs').filter((spec) => fieldOf(spec, 'ok') === false)
  return [
    ...own.map(
      (spec) => `e2e/${fieldOf(spec, 'file')}:${fieldOf(spec, 'line')} › ${fieldOf(spec, 'title')}`,
    ),
    ...listOf(suite, 'suites').flatMap(failedSpecs),
  ]
}

/**
 * @param {unknown} value
 * @param {string} field
 * @returns {unknown}
 */
function fieldOf(value, field) {
  return typeof value === 'object' && value !== null ? Reflect.get(value, field) : undefined
}

/**
 * @param {unknown} value
 * @param {string} field
 * @returns {unknown[]}
 */
function listOf(value, field) {
  const list = fieldOf(value, field)
  return Array.isArray(list) ? list : []
}

/**
 * One stage's counts made honest: a stage that failed without a failed test (a type error, a runner that crashed), and
 * one that ran no test at all, is a failure too.
 * @param {{ name: string, counts: Counts, exitCode: number }} stage
 * @returns {Counts}
 */
export function countStage({ name, counts, exitCode }) {
  const ranNothing = counts.passed + counts.failed === 0
  const failedOtherwise = counts.failed === 0 && (exitCode !== 0 || ranNothing)
  if (!failedOtherwise) return counts
  const failure = `${name}: exit code ${exitCode} without a failed test; its messages are above`
  return { ...counts, failed: 1, failures: [...counts.failures, failure] }
}

/**
 * @param {readonly Counts[]} stages
 * @returns {Counts}
 */
export function addUp(stages) {
  return {
    passed: sum(stages.map((stage) => stage.passed)),
    failed: sum(stages.map((stage) => stage.failed)),
    skipped: sum(stages.map((stage) => stage.skipped)),
    failures: stages.flatMap((stage) => stage.failures),
  }
}

/** @param {readonly number[]} numbers */
function sum(numbers) {
  return numbers.reduce((total, number) => total + number, 0)
}
