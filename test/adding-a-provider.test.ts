/**
 * ARCHITECTURE.md says which files a new provider touches. A provider is added in a copy of the tree by
 * changing one entry of the registry: the copy must compile, and every part must know the provider.
 */
import { execFile } from 'node:child_process'
import { cp, mkdtemp, readFile, readdir, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { providerTypes } from '../src/service/providers/index.ts'

const root = path.resolve(import.meta.dirname, '..')
const run = promisify(execFile)

/** The end of the list of providers: the first line after its start that is only a bracket. */
const registryEnd = '\n]\n'
const entry = `
  {
    ...openAiWire,
    type: 'acme',
    name: 'Acme',
    baseUrl: 'https://api.acme.example/v1',
    keyUrl: null,
    documentation: { url: 'https://acme.example/docs', comparedAt: null },
  },${registryEnd}`

/** Prints how the rest of the program sees the new provider. */
const probe = `
import { createProvider, providerTypes, publishedTypes } from './src/service/providers/index.ts'

const connection = { baseUrl: null, apiKey: () => 'k', privateNetwork: false, options: {} }
console.log(JSON.stringify({
  isDownloaded: publishedTypes().includes('acme'),
  isOffered: providerTypes.some(({ type }) => type === 'acme'),
  adapter: createProvider('acme', connection).constructor.name,
}))
`

/** The parts of the program that read the registry. */
const configuration = {
  extends: './tsconfig.base.json',
  compilerOptions: {
    lib: ['es2023'],
    types: ['node'],
    allowJs: true,
    composite: false,
    emitDeclarationOnly: false,
    noEmit: true,
  },
  include: ['src/shared', 'src/service'],
  exclude: ['**/*.test.ts'],
}

let tree = ''

beforeAll(async () => {
  tree = await mkdtemp(path.join(tmpdir(), 'modelport-acme-'))
  await Promise.all(
    ['bin', 'src', 'resources', 'package.json', 'tsconfig.base.json'].map((name) =>
      cp(path.join(root, name), path.join(tree, name), { recursive: true }),
    ),
  )
  await symlink(path.join(root, 'node_modules'), path.join(tree, 'node_modules'))
  await writeFile(path.join(tree, 'tsconfig.json'), JSON.stringify(configuration))
  const registry = path.join(tree, 'src/service/providers/presets.ts')
  const text = await readFile(registry, 'utf8')
  const start = text.indexOf('const presets:')
  const end = text.indexOf(registryEnd, start)
  if (start === -1 || end === -1) throw new Error('the list of presets was not found')
  await writeFile(registry, text.slice(0, end) + entry + text.slice(end + registryEnd.length))
})

afterAll(() => rm(tree, { recursive: true }))

async function sourcesOf(folder: string): Promise<string[]> {
  const files = await readdir(path.join(folder, 'src'), { recursive: true })
  return files.filter((file) => /\.tsx?$/.test(file)).toSorted()
}

async function changedFiles(): Promise<string[]> {
  const files = await sourcesOf(tree)
  const read = (folder: string, file: string) => readFile(path.join(folder, 'src', file), 'utf8')
  const isChanged = async (file: string) => (await read(tree, file)) !== (await read(root, file))
  const changed = await Promise.all(
    files.map(async (file) => ((await isChanged(file)) ? [file] : [])),
  )
  return changed.flat()
}

describe('A provider with an OpenAI-compatible API', () => {
  test('is added in the one file of the service that ARCHITECTURE.md names', async () => {
    const architecture = await readFile(path.join(root, 'ARCHITECTURE.md'), 'utf8')
    const row = /^\| an OpenAI-compatible provider +\|([^|]*)\|/m.exec(architecture)?.[1] ?? ''
    const named = [...row.matchAll(/`([^`]+\.ts)`/g)].map(([, file]) => `service/${file}`)

    expect(await changedFiles()).toEqual(named)
    expect(await sourcesOf(tree)).toEqual(await sourcesOf(root))
  })

  test('compiles', async () => {
    const compiler = path.join(root, 'node_modules/.bin/tsc')

    await expect(run(compiler, ['-p', tree])).resolves.toMatchObject({ stdout: '' })
  })

  test('appears in the form, the catalogue’s downloads and the adapter', async () => {
    await writeFile(path.join(tree, 'probe.ts'), probe)

    const { stdout } = await run(process.execPath, ['probe.ts'], { cwd: tree })

    const expected = { isDownloaded: true, isOffered: true, adapter: 'HttpProvider' }
    expect(JSON.parse(stdout)).toEqual(expected)
  })

  test('appears on the command line', async () => {
    const options = [
      '--data-dir',
      path.join(tree, 'data'),
      'provider',
      'add',
      'x',
      '--type',
      'none',
    ]
    const added = run(process.execPath, ['bin/modelport.mjs', ...options], { cwd: tree })

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
