/** Runs the steps of one check and collects their figures. */
import { spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { isMissed, type Measurement } from '../bench/measurement.ts'
import { row } from '../bench/row.ts'
import type { Check, Step } from './check.ts'
import { failureUnit } from './figure-text.ts'

const root = fileURLToPath(new URL('..', import.meta.url))
const vitest = join(root, 'node_modules', 'vitest', 'vitest.mjs')

export interface RunAmounts {
  /** The part of the full amounts to run. */
  share: number
  /** Seed of the random values. */
  seed: number
}

export async function runCheck(check: Check, amounts: RunAmounts): Promise<Measurement[]> {
  const missing = (check.needs ?? []).filter((program) => !isInstalled(program))
  if (missing.length > 0) return [failed(`not run: ${missing.join(', ')} not installed`)]
  const folder = await mkdtemp(join(tmpdir(), 'modelport-torture-'))
  const reportFile = join(folder, 'figures.jsonl')
  const deadline = performance.now() + check.limitMinutes * 60_000
  const rows: Measurement[] = []
  try {
    for (const step of check.steps) {
      const limitMs = Math.max(1, deadline - performance.now())
      rows.push(...(await runStep(step, { ...amounts, reportFile, limitMs })))
    }
    const figures = await readReport(reportFile)
    // A benchmark that missed a target also fails; the figure says more.
    const isExplained = figures.some(isMissed)
    return [...figures, ...rows.filter(({ what }) => !isExplained || !what.endsWith(': failed'))]
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

interface StepOptions extends RunAmounts {
  reportFile: string
  limitMs: number
}

/** @returns the number of its tests and its failures, if there are any; its figures are in the report file */
async function runStep(step: Step, options: StepOptions): Promise<Measurement[]> {
  const testsFile = `${options.reportFile}.tests.json`
  await rm(testsFile, { force: true })
  const [command, ...args] = commandOf(step, testsFile)
  const problem = await runProcess({ command, args, ...options })
  if (!('tests' in step)) return problem === null ? [] : [failed(`${nameOf(step)}: ${problem}`)]
  const text = existsSync(testsFile) ? await readFile(testsFile, 'utf8') : '{}'
  const tests = testRows(text)
  if (tests.some(isMissed) || (problem === null && tests.length > 0)) return tests
  // No test at all is a miss: a title may have changed.
  return [...tests, failed(`${nameOf(step)}: ${problem ?? 'no test ran'}`)]
}

function nameOf(step: Step): string {
  return 'tests' in step ? step.tests.join(' ') : Object.values(step).flat().join(' ')
}

interface TestReport {
  numPassedTests?: number
  testResults?: readonly {
    assertionResults: readonly { status: string; title: string }[]
  }[]
}

/**
 * The number of tests that passed, and the title of each that failed.
 * @param text  the JSON report of vitest
 */
export function testRows(text: string): Measurement[] {
  const { numPassedTests: passed = 0, testResults = [] } = JSON.parse(text) as TestReport
  const failures = testResults
    .flatMap(({ assertionResults }) => assertionResults)
    .filter(({ status }) => status === 'failed')
  return [
    ...(passed === 0 ? [] : [row('tests passed', [passed, ''], { target: { atLeast: 1 } })]),
    ...failures.map(({ title }) => failed(`failed test “${title}”`)),
  ]
}

function commandOf(step: Step, countsFile: string): [command: string, ...args: string[]] {
  if ('bench' in step) return [process.execPath, join(root, 'bench', 'run.ts'), step.bench]
  if ('script' in step) return ['npm', 'run', '--silent', step.script, '--', ...step.args]
  if ('spec' in step) return [process.execPath, join(root, 'scripts', 'e2e.mjs'), step.spec]
  const title = step.title === undefined ? [] : ['-t', step.title]
  const reporters = ['--reporter=default', '--reporter=json', `--outputFile.json=${countsFile}`]
  const run = ['run', '--project', '!without the fast lane', '--no-file-parallelism', ...reporters]
  return [process.execPath, vitest, ...run, ...title, ...step.tests]
}

interface Running extends StepOptions {
  command: string
  args: readonly string[]
}

/** @returns null when the process succeeded, and otherwise what happened; its last output goes to stderr */
async function runProcess(running: Running): Promise<string | null> {
  const { command, args, share, seed, reportFile, limitMs } = running
  const child = spawn(command, args, {
    cwd: root,
    // A group of its own, so that its processes end with it.
    detached: true,
    stdio: ['ignore', 'pipe', 'pipe'],
    env: {
      ...process.env,
      PATH: [join(root, 'node_modules', '.bin'), process.env['PATH']].join(delimiter),
      MODELPORT_TORTURE_SHARE: String(share),
      MODELPORT_TORTURE_SEED: String(seed),
      MODELPORT_TORTURE_REPORT: reportFile,
    },
  })
  let output = ''
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (text: string) => {
      output = (output + text).slice(-20_000)
    })
  }
  const kill = () => child.pid !== undefined && process.kill(-child.pid, 'SIGKILL')
  const stop = () => {
    kill()
    process.exit(130)
  }
  const timer = setTimeout(kill, limitMs)
  process.once('SIGINT', stop).once('SIGTERM', stop)
  const [code, signal] = await new Promise<[number | null, string | null]>((resolve) => {
    child.once('close', (...ended) => resolve(ended))
  })
  clearTimeout(timer)
  process.off('SIGINT', stop).off('SIGTERM', stop)
  if (code === 0) return null
  process.stderr.write(output)
  return signal === null ? 'failed' : `ended by its time limit or ${signal}`
}

/** A figure that could not be measured is null in JSON. */
type WrittenMeasurement = Omit<Measurement, 'measured'> & { measured: number | null }

async function readReport(file: string): Promise<Measurement[]> {
  const text = existsSync(file) ? await readFile(file, 'utf8') : ''
  const lines = text.split('\n').filter((line) => line !== '')
  return lines.map((line) => {
    // Written by test/torture/share.ts.
    const { measured, ...measurement } = JSON.parse(line) as WrittenMeasurement
    return { ...measurement, measured: measured ?? NaN }
  })
}

/** A failed step misses the check, whatever its figures are. */
function failed(what: string): Measurement {
  return row(what, [1, failureUnit], { target: { atMost: 0 } })
}

function isInstalled(program: string): boolean {
  const folders = (process.env['PATH'] ?? '').split(delimiter)
  return folders.some((folder) => existsSync(join(folder, program)))
}
