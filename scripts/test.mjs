// `npm test`: everything that must hold before a change lands. Its last line is `N passed, M failed`, the sum over the
// unit and the end-to-end tests; a stage that fails without a failed test of its own counts as one failure.
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { delimiter, dirname, join } from 'node:path'
import { runEndToEnd } from './run-end-to-end.mjs'
import { ensureBuild } from './setup/build.mjs'
import { node24Path, repositoryDir } from './setup/paths.mjs'
import { prepare } from './setup/prepare.mjs'
import { explain, print, runLauncher, SetupError, step } from './setup/progress.mjs'
import { runInForeground } from './setup/run-in-foreground.mjs'
import { addUp, countPlaywright, countStage, countVitest, readReport } from './test-counts.mjs'

await runLauncher(async () => {
  const reportsDir = await mkdtemp(join(tmpdir(), 'modelport-reports-'))
  try {
    const total = addUp(await runStages(reportsDir))
    if (total.skipped > 0) print(`${total.skipped} skipped`)
    print(`${total.passed} passed, ${total.failed} failed`)
    return total.failed > 0 || total.passed === 0 ? 1 : 0
  } finally {
    await rm(reportsDir, { recursive: true, force: true })
  }
})

/** @param {string} reportsDir */
async function runStages(reportsDir) {
  try {
    const setup = await prepare({ window: true, tests: true })
    const check = await runCheck(setup, join(reportsDir, 'vitest.json'))
    await step('Build', () => ensureBuild())
    return [check, await runBrowserTests(setup, join(reportsDir, 'playwright.json'))]
  } catch (error) {
    if (!(error instanceof SetupError)) throw error
    process.stderr.write(`\n${explain(error)}\n`)
    return [{ passed: 0, failed: 1, skipped: 0 }]
  }
}

/**
 * Types, lint, format, unused code, unit and integration tests.
 * @param {import('./setup/prepare.mjs').Setup} setup
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
    args: [
      'run',
      'check',
      '--',
      '--reporter=default',
      '--reporter=json',
      `--outputFile.json=${reportFile}`,
    ],
    cwd: repositoryDir,
    env: { ...process.env, PATH: path, MODELPORT_CACHE_DIR: cacheDir },
    wholeGroup: true,
  })
  return countStage({ counts: countVitest(await readReport(reportFile)), exitCode })
}

/**
 * @param {import('./setup/prepare.mjs').Setup} setup
 * @param {string} reportFile
 */
async function runBrowserTests(setup, reportFile) {
  const exitCode = await runEndToEnd(setup, { args: [], reportFile })
  return countStage({ counts: countPlaywright(await readReport(reportFile)), exitCode })
}
