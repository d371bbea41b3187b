import { writeFile } from 'node:fs/promises'

/** @typedef {import('vitest/node').TestModule} TestModule */
/** @typedef {{ message?: string, stack?: string }} TestError */

/**
 * Writes a run's counts and failures, with errors outside of tests, which vitest's own JSON report leaves out.
 * `MODELPORT_VITEST_REPORT` names the file.
 */
export default class VitestReport {
  /**
   * @param {readonly TestModule[]} modules
   * @param {readonly TestError[]} unhandledErrors
   */
  async onTestRunEnd(modules, unhandledErrors) {
    const file = process.env['MODELPORT_VITEST_REPORT']
    if (file) await writeFile(file, JSON.stringify(readRun(modules, unhandledErrors)))
  }
}

/**
 * @param {readonly TestModule[]} modules
 * @param {readonly TestError[]} unhandledErrors
 * @returns {import('./test-counts.mjs').Counts}
 */
function readRun(modules, unhandledErrors) {
  const tests = modules.flatMap((module) => [...module.children.allTests()])
  const failed = tests.filter((test) => test.result().state === 'failed')
  const passed = tests.filter((test) => test.result().state === 'passed')
  return {
    passed: passed.length,
    failed: failed.length,
    skipped: tests.length - passed.length - failed.length,
    failures: [
      ...failed.map(
        (test) =>
          `${test.module.relativeModuleId} › ${test.fullName}: ${messageOf(test.result().errors)}`,
      ),
      ...modules
        .filter((module) => module.errors().length > 0)
        .map((module) => `${module.relativeModuleId}: ${messageOf(module.errors())}`),
      ...unhandledErrors.map(
        (error) => `An error outside of tests: ${error.stack ?? error.message}`,
      ),
    ],
  }
}

/** @param {readonly TestError[] | undefined} errors */
function messageOf(errors) {
  return errors?.[0]?.message?.split('\n', 1)[0] ?? ''
}
