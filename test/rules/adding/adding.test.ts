/**
 * ARCHITECTURE.md says which files each kind of change touches. One of each is added in a copy of the tree by changing
 * only these files: the copy must compile, and all additions must work together.
 */
import { execFile } from 'node:child_process'
import { mkdir, readFile, readdir } from 'node:fs/promises'
import path from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { providerTypes } from '../../../src/service/provider-types/provider-types.ts'
import { strategyNames } from '../../../src/shared/routers/strategy-names.ts'
import { copyTree, insertInto, root, type TreeCopy } from '../tree-copy.ts'
import { additions, type Addition } from './additions.ts'

const run = promisify(execFile)
let tree: TreeCopy

beforeAll(async () => {
  tree = await copyTree()
  for (const addition of additions) await add(addition)
})

afterAll(() => tree.remove())

async function add({ newFiles, insertions }: Addition): Promise<void> {
  for (const [file, text] of Object.entries(newFiles)) await tree.write(file, text)
  for (const { file, after = '', before, text } of insertions)
    await insertInto(path.join(tree.folder, 'src', file), { start: after, end: before, text })
}

function filesOf({ newFiles, insertions }: Addition): string[] {
  return [...new Set([...Object.keys(newFiles), ...insertions.map(({ file }) => file)])]
}

describe.each(additions)('$row', (addition) => {
  test('takes few files, which ARCHITECTURE.md names', async () => {
    const architecture = await readFile(path.join(root, 'ARCHITECTURE.md'), 'utf8')
    const row = architecture.split('\n').find((line) => line.split('|')[1]?.trim() === addition.row)
    const named = [...(row ?? '').matchAll(/`([^`]+)`/g)].map(([, name = '']) =>
      name.replace(/<name>.*$/, ''),
    )
    const files = filesOf(addition)
    const unnamed = files.filter((file) => !named.some((name) => `/${file}`.includes(`/${name}`)))

    expect(unnamed).toEqual([])
    expect(files.length).toBeLessThanOrEqual(addition.mostFiles)
  })
})

describe('The tree with one of each', () => {
  test('differs in these files only', async () => {
    const differing = [...(await tree.changedFiles()), ...(await tree.newFiles())]

    expect(differing.toSorted()).toEqual([...new Set(additions.flatMap(filesOf))].toSorted())
  })

  test.each(['tsconfig.json', 'tsconfig.window.json'])('compiles: %s', async (project) => {
    const compiler = path.join(root, 'node_modules/.bin/tsc')

    const args = ['-p', path.join(tree.folder, project), '--singleThreaded']

    await expect(run(compiler, args)).resolves.toMatchObject({ stdout: '' })
  })

  test('answers, stores, shows and lists what was added', async () => {
    const probe = 'test/rules/adding/children/probe.ts'
    await tree.write(`../${probe}`, await readFile(path.join(root, probe), 'utf8'))
    const dataDir = path.join(tree.folder, 'data')
    await mkdir(dataDir, { mode: 0o700 })

    const { stdout } = await run(process.execPath, [probe, dataDir], { cwd: tree.folder })

    expect(JSON.parse(stdout)).toEqual({
      answer: expect.objectContaining({
        choices: [
          expect.objectContaining({
            message: expect.objectContaining({ content: '{"model":"one","text":"Hello"}' }),
          }),
        ],
        _meta: expect.objectContaining({ modelUsed: 'acme:one', routerDecision: 'alphabetical' }),
      }),
      motto: true,
      row: { model_used: 'acme:one', router_decision: 'alphabetical', region: 'here' },
      isDownloaded: true,
      lost: ['vision'],
      profile: expect.objectContaining({ label: 'Alphabetical' }),
      offersExploration: true,
      isDescribed: true,
      titles: expect.arrayContaining(['Diary']),
    })
  })
})

/** Families and bills know no strategies: `adaptive` is also a kind of thinking, `priority` a tier of vendors. */
const registries = [
  {
    kind: 'strategy',
    names: strategyNames,
    apart: ['service/families/', 'service/reconcile/formats/'],
  },
  {
    kind: 'provider type',
    names: providerTypes.map(({ type }) => type),
    apart: ['service/catalog/'],
  },
]

test.each(registries)('no code compares the name of a $kind', async ({ names, apart }) => {
  const name = `(${names.join('|')})`
  const comparison = new RegExp(
    `([!=]==? ?|case |includes\\(|startsWith\\()['"]${name}:?['"]|['"]${name}['"] ?[!=]=`,
  )
  const files = await readdir(path.join(root, 'src'), { recursive: true })
  const sources = files.filter(
    (file) =>
      /\.tsx?$/.test(file) &&
      !file.includes('.test.') &&
      !apart.some((folder) => file.startsWith(folder)),
  )
  const found = await Promise.all(
    sources.map(async (file) =>
      comparison.test(await readFile(path.join(root, 'src', file), 'utf8')) ? [file] : [],
    ),
  )

  expect(found.flat()).toEqual([])
})
