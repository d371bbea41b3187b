// `npm test`: everything that must hold before a change lands. Its last line is `N passed, M failed`, the sum over the
// unit and the end-to-end tests; a stage that fails without a failed test of its own counts as one failure. The lines
// before it name what failed.
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { delimiter, dirname, join } from 'node:path'
import { runEndToEnd } from './run-end-to-end.mjs'
import { ensureBuild } from './setup/build.mjs'
import { node24Path, repositoryDir } from './setup/paths.mjs'
import { prepareDesktop, prepareNode } from './setup/prepare.mjs'
import { explain, print, runLauncher, SetupError, step } from './setup/progress.mjs'
import { runInForeground } from './setup/run-in-foreground.mjs'
import { addUp, countPlaywright, countStage, countVitest, readReport } from './test-counts.mjs'

/** @typedef {import('./test-counts.mjs').Counts} Counts */
/** @typedef {Awaited<ReturnType<typeof prepareNode>>} NodeSetup */

await runLauncher(async () => {
  const reportsDir = await mkdtemp(join(tmpdir(), 'modelport-reports-'))
  try {
    const total = addUp(await orFailure(() => runStages(reportsDir)))
    total.failures.forEach((failure) => print(`✗ ${failure}`))
    if (total.skipped > 0) print(`${total.skipped} skipped`)
    print(`${total.passed} passed, ${total.failed} failed`)
    return total.failed > 0 || total.passed === 0 ? 1 : 0
  } finally {
    await rm(reportsDir, { recursive: true, force: true })
  }
})

/**
 * The two stages run at once: most tests wait for sockets, disks and processes, so one after the other leaves a third
 * of two cores idle. Electron is prepared meanwhile, too.
 * @param {string} reportsDir
 */
async function runStages(reportsDir) {
  const setup = await prepareNode({ window: true, tests: true })
  const check = runCheck(setup, join(reportsDir, 'vitest.json'))
  const stages = await Promise.all([
    check,
    orFailure(() => runBrowserTests(setup, join(reportsDir, 'playwright.json'), linesAfter(check))),
  ])
  return stages.flat()
}

/**
 * A set-up that failed counts as one failure.
 * @param {() => Promise<Counts[]>} work
 * @returns {Promise<Counts[]>}
 */
async function orFailure(work) {
  try {
    return await work()
  } catch (error) {
    if (!(error instanceof SetupError)) throw error
    process.stderr.write(`\n${explain(error)}\n`)
    return [{ passed: 0, failed: 1, skipped: 0, failures: [error.message] }]
  }
}

/**
 * Types, lint, format, unused code, unit and integration tests.
 * @param {NodeSetup} setup
 * @param {string} reportFile
 */
async function runCheck({ cacheDir }, reportFile) {
  const path = [
    join(repositoryDir, 'node_modules', '.bin'),
    dirname(node24Path),
    process.env['PATH'],
  ].join(delimiter)
  const exitCode = await runInForeground({
    command: 'npm',
    args: ['run', 'check', '--', '--reporter=default', '--reporter=./scripts/vitest-report.mjs'],
    cwd: repositoryDir,
    env: {
      ...process.env,
      PATH: path,
      MODELPORT_CACHE_DIR: cacheDir,
      MODELPORT_VITEST_REPORT: reportFile,
    },
    wholeGroup: true,
  })
  return [
    countStage({ name: 'Check', counts: countVitest(await readReport(reportFile)), exitCode }),
  ]
}

/**
 * @param {NodeSetup} setup
 * @param {string} reportFile
 * @param {(line: string) => void} onStdoutLine
 */
async function runBrowserTests(setup, reportFile, onStdoutLine) {
  const desktop = await prepareDesktop(setup.cacheDir)
  await step('Build', () => ensureBuild())
  const exitCode = await runEndToEnd({ ...setup, desktop }, { args: [], reportFile, onStdoutLine })
  const counts = countPlaywright(await readReport(reportFile))
  return [countStage({ name: 'End-to-end tests', counts, exitCode })]
}

/**
 * Prints lines, but not between those of another stage: it keeps them until that has ended.
 * @param {Promise<unknown>} other
 * @returns {(line: string) => void}
 */
function linesAfter(other) {
  /** @type {string[]} */
  const kept = []
  let hasEnded = false
  const end = () => {
    hasEnded = true
    kept.forEach(print)
  }
  other.then(end, end)
  return (line) => {
    if (hasEnded) print(line)
    else kept.push(line)
  }
}
