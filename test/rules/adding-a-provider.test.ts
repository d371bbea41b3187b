/**
 * ARCHITECTURE.md says which files a new provider touches. A provider is added in a copy of the tree by
 * changing one entry of the registry: the copy must compile, and every part must know the provider.
 */
import { execFile } from 'node:child_process'
import { readFile, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { providerTypes } from '../../src/service/provider-types/provider-types.ts'
import { copyTree, insertInto, root, sourcesOf, type TreeCopy } from './tree-copy.ts'
import { compatiblePreset } from '../sample-preset.ts'

const run = promisify(execFile)

/** Prints how the rest of the program sees the new provider. */
const probe = `
import { createProvider, providerTypes, publishedTypes } from './src/service/provider-types/provider-types.ts'

const connection = { baseUrl: null, apiKey: () => 'k', privateNetwork: false, options: {} }
console.log(JSON.stringify({
  isDownloaded: publishedTypes().includes('acme'),
  isOffered: providerTypes.some(({ type }) => type === 'acme'),
  adapter: createProvider('acme', connection).constructor.name,
}))
`

let tree: TreeCopy

beforeAll(async () => {
  tree = await copyTree()
  const registry = path.join(tree.folder, 'src/service/provider-types/presets.ts')
  // The list ends with the first line after its start that is only a bracket.
  await insertInto(registry, { start: 'const presets:', end: '\n]\n', text: compatiblePreset })
})

afterAll(() => tree.remove())

describe('A provider with an OpenAI-compatible API', () => {
  test('is added in the one file of the service that ARCHITECTURE.md names', async () => {
    const architecture = await readFile(path.join(root, 'ARCHITECTURE.md'), 'utf8')
    const row = /^\| an OpenAI-compatible provider +\|([^|]*)\|/m.exec(architecture)?.[1] ?? ''
    const named = [...row.matchAll(/`([^`]+\.ts)`/g)].map(([, file]) => `service/${file}`)

    expect(await tree.changedFiles()).toEqual(named)
    expect(await tree.newFiles()).toEqual([])
  })

  test('appears in the form, the catalogue’s downloads and the adapter', async () => {
    await writeFile(path.join(tree.folder, 'probe.ts'), probe)

    const { stdout } = await run(process.execPath, ['probe.ts'], { cwd: tree.folder })

    const expected = { isDownloaded: true, isOffered: true, adapter: 'HttpProvider' }
    expect(JSON.parse(stdout)).toEqual(expected)
  })

  test('appears on the command line', async () => {
    const options = [
      '--data-dir',
      path.join(tree.folder, 'data'),
      'provider',
      'add',
      'x',
      '--type',
      'none',
    ]
    const added = run(process.execPath, ['bin/modelport.mjs', ...options], { cwd: tree.folder })

    await expect(added).rejects.toMatchObject({ stderr: expect.stringContaining('acme') })
  })
})

test('no code outside the catalogue compares the name of a provider type', async () => {
  const names = providerTypes.map(({ type }) => type).join('|')
  const comparison = new RegExp(
    `([!=]==? ?|case |includes\\(|startsWith\\()['"](${names}):?['"]|['"](${names})['"] ?[!=]=`,
  )
  const sources = (await sourcesOf(root)).filter((file) => {
    return !file.includes('.test.') && !file.startsWith('service/catalog/')
  })
  const found = await Promise.all(
    sources.map(async (file) =>
      comparison.test(await readFile(path.join(root, 'src', file), 'utf8')) ? [file] : [],
    ),
  )

  expect(found.flat()).toEqual([])
})
