/**
 * `npm run mutate`: changes the files of test/rules/guards.md in a copy of the checkout, one change at a time, and runs
 * their tests, which should fail. It prints each change that no test noticed. Exit code 1 when fewer than four of five
 * were noticed, or when a test failed before. With `--repairs` it makes the changes of test/rules/repairs.md, each of
 * which undoes a repair: all of them must be noticed.
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
import { readRepairs, undo, type UndoneRepair } from './repairs.ts'
import { repositoryDir } from './setup/paths.mjs'

/** The share of the changes that must be noticed: some change nothing that a test could see. */
const leastNoticed = 0.8
const testsLimitMs = 5 * 60_000

const { values: options, positionals: words } = parseArgs({
  allowPositionals: true,
  options: {
    each: { type: 'string', default: '3' },
    repairs: { type: 'boolean', default: false },
    seed: { type: 'string', default: '1' },
  },
})
const copyDir = mkdtempSync(join(tmpdir(), 'modelport-mutate-'))
try {
  copyCheckout(copyDir)
  const noticed = options.repairs ? undoRepairs() : changeGuards()
  const share = noticed.filter(Boolean).length / noticed.length
  const drawn = options.repairs ? '' : ` (seed ${options.seed})`
  print(`${noticed.filter(Boolean).length} of ${noticed.length} changes were noticed${drawn}`)
  process.exitCode = share >= (options.repairs ? 1 : leastNoticed) ? 0 : 1
} finally {
  rmSync(copyDir, { recursive: true })
}

function readList(name: string): string {
  return readFileSync(join(repositoryDir, 'test', 'rules', name), 'utf8')
}

/** The items that contain one of the command's words, or all items without words. */
function chosen<Item>(items: readonly Item[], textOf: (item: Item) => string): Item[] {
  const found = items.filter(
    (item) => words.length === 0 || words.some((word) => textOf(item).includes(word)),
  )
  if (found.length === 0) throw new Error(`no item of the list contains ${words.join(' or ')}`)
  return found
}

/** @returns for each change whether a test failed */
function changeGuards(): boolean[] {
  const guards = readListedTests(readList('guards.md').split('## Files')[1] ?? '')
  const chance = seeded(Number(options.seed))
  return chosen(guards, ({ heading }) => heading).flatMap((guard) => judge(guard, chance))
}

/** @returns for each item of the list whether a test failed */
function undoRepairs(): boolean[] {
  const items = chosen(readRepairs(readList('repairs.md')), ({ repair, title, file }) =>
    [repair, title, file].join(' '),
  )
  const known = new Set<string>()
  return items.map((item) => {
    const { tests, named, repair, title } = item
    const run = JSON.stringify([tests, named])
    if (!known.has(run) && !passes(tests, named)) {
      throw new Error(`the tests of "${title}" (${repair}) fail without the change`)
    }
    known.add(run)
    const isNoticed = !passesUndone(item)
    print(`${isNoticed ? 'noticed ' : 'SURVIVED'} ${repair.split(' ')[0]}: ${title}`)
    return isNoticed
  })
}

function passesUndone(item: UndoneRepair): boolean {
  const file = join(copyDir, item.file)
  const original = readFileSync(file, 'utf8')
  try {
    writeFileSync(file, undo(original, item))
    return passes(item.tests, item.named)
  } finally {
    writeFileSync(file, original)
  }
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
function passes(tests: readonly string[], named: string | null = null): boolean {
  const vitest = join('node_modules', 'vitest', 'vitest.mjs')
  // The contract's suite is in a second project, too; a change needs one run of its tests.
  const projects = ['--project', '!without the fast lane']
  const names = named === null ? [] : ['--testNamePattern', named]
  const args = ['run', ...tests, ...projects, ...names, '--bail', '1']
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
