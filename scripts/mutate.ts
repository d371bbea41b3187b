/**
 * `npm run mutate`: applies each mutation of test/rules/mutations.md in a copy of the checkout and runs the test that must
 * notice it. The test must pass without the mutation and fail with it, by an assertion: a program that no longer
 * compiles, or a test that only timed out, proves nothing. Exits with 1 if a mutation survived. `npm run mutate --
 * WORDS…` applies only those whose title contains one of the arguments.
 */
import { spawnSync } from 'node:child_process'
import {
  cpSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { z } from 'zod'
import { mutate, readMutations, type Mutation } from './mutations.ts'
import { repositoryDir } from './setup/paths.mjs'

const reportSchema = z.object({
  testResults: z.array(
    z.object({
      message: z.string().optional(),
      assertionResults: z.array(
        z.object({
          fullName: z.string(),
          status: z.string(),
          failureMessages: z.array(z.string()).nullish(),
        }),
      ),
    }),
  ),
})

type TestResult = z.infer<typeof reportSchema>['testResults'][number]['assertionResults'][number]

const list = readFileSync(join(repositoryDir, 'test', 'rules', 'mutations.md'), 'utf8')
const titleParts = process.argv.slice(2)
const mutations = readMutations(list).filter(({ title }) => {
  return titleParts.length === 0 || titleParts.some((part) => title.includes(part))
})
if (mutations.length === 0) throw new Error(`no title contains ${titleParts.join(' or ')}`)
const copyDir = mkdtempSync(join(tmpdir(), 'modelport-mutate-'))
try {
  copyCheckout(copyDir)
  const verdicts = mutations.map((mutation) => {
    const verdict = judge(mutation)
    process.stdout.write(`${verdict.padEnd(10)} ${mutation.title}\n`)
    return verdict
  })
  const killed = verdicts.filter((verdict) => verdict === 'killed').length
  process.stdout.write(`${killed} of ${mutations.length} mutations turned their test red\n`)
  process.exitCode = killed === mutations.length ? 0 : 1
} finally {
  rmSync(copyDir, { recursive: true })
}

/** Files that git tracks, and new files that it does not ignore; the packages are shared. */
function copyCheckout(toDir: string): void {
  const listed = run(
    'git',
    ['ls-files', '--cached', '--others', '--exclude-standard'],
    repositoryDir,
  )
  for (const file of listed.split('\n').filter(Boolean)) {
    mkdirSync(dirname(join(toDir, file)), { recursive: true })
    cpSync(join(repositoryDir, file), join(toDir, file))
  }
  symlinkSync(join(repositoryDir, 'node_modules'), join(toDir, 'node_modules'))
}

/** `killed`, or the problem in a few words; its reason is printed before. */
function judge(mutation: Mutation): string {
  const file = join(copyDir, mutation.file)
  const original = readFileSync(file, 'utf8')
  if (runTest(mutation)?.status !== 'passed') return 'RED BEFORE'
  try {
    writeFileSync(file, mutate(original, mutation))
    const result = runTest(mutation)
    if (result?.status === 'passed') return 'SURVIVED'
    const reason = result?.failureMessages?.[0] ?? 'the test was not run'
    if (result?.status === 'failed' && /^\w*AssertionError/.test(reason)) return 'killed'
    process.stdout.write(`${reason}\n`)
    return 'NO ASSERT'
  } finally {
    writeFileSync(file, original)
  }
}

/** @returns null if the file has no test with this name, or several, or could not be loaded */
function runTest({ testFile, testName }: Mutation): TestResult | null {
  const reportFile = join(copyDir, 'mutate-report.json')
  rmSync(reportFile, { force: true })
  const vitest = join('node_modules', 'vitest', 'vitest.mjs')
  // Between the names of groups and test vitest has " > " here, a blank in its report.
  const escaped = testName.replaceAll(/[^\w ]/g, String.raw`\$&`)
  const pattern = `^${escaped.replaceAll(' ', '( | > )')}$`
  const report = ['--reporter=json', `--outputFile=${reportFile}`]
  // The contract's suite is in a second project, too; a mutation needs one run of its test.
  const args = ['run', testFile, '--project', '!without the fast lane', '-t', pattern, ...report]
  spawnSync(process.execPath, [vitest, ...args], { cwd: copyDir, stdio: 'ignore' })
  const { testResults } = reportSchema.parse(JSON.parse(readFileSync(reportFile, 'utf8')))
  const named = testResults
    .flatMap(({ assertionResults }) => assertionResults)
    .filter(({ fullName }) => fullName === testName)
  return named.length === 1 ? (named[0] ?? null) : null
}

function run(command: string, args: readonly string[], cwd: string): string {
  const { status, stdout, stderr } = spawnSync(command, args, { cwd, encoding: 'utf8' })
  if (status !== 0) throw new Error(`${command} failed: ${stderr}`)
  return stdout
}
