/**
 * ARCHITECTURE.md says which files a new strategy touches. A strategy is added in a copy of the tree by changing only
 * these: it must compile, be offered, and rank models.
 */
import { execFile } from 'node:child_process'
import { cp, mkdtemp, readFile, readdir, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { strategyNames } from '../../src/shared/routers/strategies.ts'

const root = path.resolve(import.meta.dirname, '../..')
const run = promisify(execFile)

const implementation = `
import type { Strategy } from './strategy.ts'

export const alphabetical: Strategy = {
  rank: (contenders) => contenders.toSorted((a, b) => (a.model < b.model ? -1 : 1)),
  why: () => 'First by name',
  flip: () => null,
}
`

const profile = `
  alphabetical: {
    ...plain,
    label: 'Alphabetical',
    description: 'Uses the first model by name.',
    explores: true,
  },
`

/** Prints how the rest of the program sees the new strategy. */
const probe = `
import { sampleEstimate, sampleParameters } from './src/service/routing/sample-candidates.ts'
import { order } from './src/service/routing/order.ts'
import { routerInputSchema } from './src/shared/entities.ts'
import { strategyChoices } from './src/renderer/src/pages/routers/strategies.ts'
import { routerFields } from './src/shared/routers/router-fields.ts'

const strategy = 'alphabetical'
const input = { name: 'Test', strategy, models: ['b:b', 'a:a'] }
const contenders = input.models.map((model, position) => ({ model, position, estimate: sampleEstimate({}) }))
console.log(JSON.stringify({
  isAccepted: routerInputSchema.safeParse(input).success,
  choice: strategyChoices.find(({ value }) => value === strategy),
  offersExploration: routerFields['routing.explorationShare'].isUsed({ strategy, tier: 'pro', hasBudget: false }),
  ranked: order(contenders, strategy, sampleParameters).map(({ model }) => model),
}))
`

/** The parts of the program that read the registry. */
const configuration = {
  extends: './tsconfig.base.json',
  compilerOptions: {
    lib: ['es2024', 'dom', 'dom.iterable'],
    types: ['node'],
    composite: false,
    emitDeclarationOnly: false,
    noEmit: true,
  },
  include: [
    'src/shared',
    'src/service/routing',
    'src/renderer/src/pages/routers/strategies.ts',
    'src/renderer/src/env.d.ts',
  ],
  exclude: ['**/*.test.ts'],
}

let tree = ''

beforeAll(async () => {
  tree = await mkdtemp(path.join(tmpdir(), 'modelport-strategy-'))
  await cp(path.join(root, 'src'), path.join(tree, 'src'), { recursive: true })
  await Promise.all(
    ['package.json', 'tsconfig.base.json', 'resources'].map((name) =>
      cp(path.join(root, name), path.join(tree, name), { recursive: true }),
    ),
  )
  await symlink(path.join(root, 'node_modules'), path.join(tree, 'node_modules'))
  await writeFile(path.join(tree, 'tsconfig.json'), JSON.stringify(configuration))
  await addStrategy()
})

afterAll(() => rm(tree, { recursive: true }))

async function addStrategy(): Promise<void> {
  const folder = 'src/service/routing/strategies'
  await writeFile(path.join(tree, folder, 'alphabetical.ts'), implementation)
  await replace(`${folder}/index.ts`, '  priority,\n', '  priority,\n  alphabetical,\n')
  await replace(
    `${folder}/index.ts`,
    'import { adaptive }',
    "import { alphabetical } from './alphabetical.ts'\nimport { adaptive }",
  )
  await replace('src/shared/routers/strategies.ts', '\n  priority: {', `${profile}  priority: {`)
}

async function replace(file: string, before: string, after: string): Promise<void> {
  const text = await readFile(path.join(tree, file), 'utf8')
  expect(text).toContain(before)
  await writeFile(path.join(tree, file), text.replace(before, after))
}

describe('A strategy added in the files that ARCHITECTURE.md names', () => {
  test('compiles', async () => {
    const compiler = path.join(root, 'node_modules/.bin/tsc')

    await expect(run(compiler, ['-p', tree])).resolves.toMatchObject({ stdout: '' })
  })

  test('is accepted, offered with the settings it uses, and ranks', async () => {
    await writeFile(path.join(tree, 'probe.ts'), probe)

    const { stdout } = await run(process.execPath, ['probe.ts'], { cwd: tree })

    expect(JSON.parse(stdout)).toEqual({
      isAccepted: true,
      choice: {
        value: 'alphabetical',
        label: 'Alphabetical',
        hint: 'Uses the first model by name.',
      },
      offersExploration: true,
      ranked: ['a:a', 'b:b'],
    })
  })
})

test('no code compares the name of a strategy', async () => {
  const names = strategyNames.join('|')
  const comparison = new RegExp(
    `([!=]==? ?|case |includes\\()['"](${names})['"]|['"](${names})['"] ?[!=]=`,
  )
  const files = await readdir(path.join(root, 'src'), { recursive: true })
  // Families know no strategies; `adaptive` is also a kind of thinking of Anthropic's models.
  const sources = files.filter(
    (file) =>
      /\.tsx?$/.test(file) && !file.includes('.test.') && !file.startsWith('service/families/'),
  )
  const found = await Promise.all(
    sources.map(async (file) =>
      comparison.test(await readFile(path.join(root, 'src', file), 'utf8')) ? [file] : [],
    ),
  )

  expect(found.flat()).toEqual([])
})
