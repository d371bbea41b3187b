/**
 * `npm run mutate`: changes the files of test/rules/guards.md in a copy of the checkout, one change at a time, and runs
 * their tests, which should fail. It prints each change that no test noticed. Exit code 1 when fewer than four of five
 * were noticed, or when a test failed before.
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
import { parseArgs } from 'node:util'
import { seeded, type Chance } from '../test/agents/random.ts'
import { readListedTests, type ListedItem } from '../test/rules/listed-tests.ts'
import { mutationsOf, type Mutation } from './mutations.ts'
import { repositoryDir } from './setup/paths.mjs'

/** The share of the changes that must be noticed: some change nothing that a test could see. */
const leastNoticed = 0.8
const testsLimitMs = 5 * 60_000

const { values: options, positionals: words } = parseArgs({
  allowPositionals: true,
  options: {
    each: { type: 'string', default: '3' },
    seed: { type: 'string', default: '1' },
  },
})
const guards = readListedTests(
  readFileSync(join(repositoryDir, 'test', 'rules', 'guards.md'), 'utf8').split('## Files')[1] ??
    '',
).filter(({ heading }) => words.length === 0 || words.some((word) => heading.includes(word)))
if (guards.length === 0) throw new Error(`no file of guards.md contains ${words.join(' or ')}`)
const chance = seeded(Number(options.seed))
const copyDir = mkdtempSync(join(tmpdir(), 'modelport-mutate-'))
try {
  copyCheckout(copyDir)
  const noticed = guards.flatMap((guard) => judge(guard, chance))
  const share = noticed.filter(Boolean).length / noticed.length
  print(
    `${noticed.filter(Boolean).length} of ${noticed.length} changes were noticed (seed ${options.seed})`,
  )
  process.exitCode = share >= leastNoticed ? 0 : 1
} finally {
  rmSync(copyDir, { recursive: true })
}

/** @returns for each change whether a test failed */
function judge({ heading, tests }: ListedItem, random: Chance): boolean[] {
  const name = heading.replaceAll('`', '')
  const file = join(copyDir, name)
  const original = readFileSync(file, 'utf8')
  if (!passes(tests)) throw new Error(`${tests.join(', ')} fail without a change`)
  const drawn = draw(mutationsOf(name, original), Number(options.each), random)
  try {
    return drawn.map(({ line, before, after, text }) => {
      writeFileSync(file, text)
      const isNoticed = !passes(tests)
      print(`${isNoticed ? 'noticed ' : 'SURVIVED'} ${name}:${line}  ${before} → ${after}`)
      return isNoticed
    })
  } finally {
    writeFileSync(file, original)
  }
}

function draw(mutations: readonly Mutation[], count: number, random: Chance): Mutation[] {
  const left = [...mutations]
  return Array.from({ length: Math.min(count, left.length) }, () =>
    left.splice(random.below(left.length), 1),
  ).flat()
}

/** A run that does not end is a change that was noticed. */
function passes(tests: readonly string[]): boolean {
  const vitest = join('node_modules', 'vitest', 'vitest.mjs')
  // The contract's suite is in a second project, too; a change needs one run of its tests.
  const args = ['run', ...tests, '--project', '!without the fast lane', '--bail', '1']
  const { status } = spawnSync(process.execPath, [vitest, ...args], {
    cwd: copyDir,
    stdio: 'ignore',
    timeout: testsLimitMs,
  })
  return status === 0
}

/** Copies the files that git tracks, and new files that it does not ignore; the packages are shared. */
function copyCheckout(toDir: string): void {
  const list = ['ls-files', '--cached', '--others', '--exclude-standard']
  const { status, stdout, stderr } = spawnSync('git', list, {
    cwd: repositoryDir,
    encoding: 'utf8',
  })
  if (status !== 0) throw new Error(`git failed: ${stderr}`)
  for (const file of stdout.split('\n').filter(Boolean)) {
    mkdirSync(dirname(join(toDir, file)), { recursive: true })
    cpSync(join(repositoryDir, file), join(toDir, file))
  }
  symlinkSync(join(repositoryDir, 'node_modules'), join(toDir, 'node_modules'))
}

function print(line: string): void {
  process.stdout.write(`${line}\n`)
}
