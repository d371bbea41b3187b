/** ARCHITECTURE.md's promise: a provider that speaks OpenAI's form is one entry in the registry. */
import { spawnSync } from 'node:child_process'
import { cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'

const root = resolve(import.meta.dirname, '..')
const entry = `  {
    ...openAiWire,
    type: 'acme',
    name: 'Acme',
    baseUrl: 'https://api.acme.example/v1',
    keyUrl: null,
  },
]

/** As data`

/** A copy of the program with one more entry in `providers/index.ts`, and no other change. */
function copyWithAcme(): string {
  const copy = mkdtempSync(join(tmpdir(), 'modelport-acme-'))
  onTestFinished(() => rmSync(copy, { recursive: true }))
  for (const name of ['bin', 'src', 'resources', 'package.json']) {
    cpSync(join(root, name), join(copy, name), { recursive: true })
  }
  symlinkSync(join(root, 'node_modules'), join(copy, 'node_modules'))
  const file = join(copy, 'src/service/providers/index.ts')
  const registry = readFileSync(file, 'utf8')
  const extended = registry.replace(']\n\n/** As data', entry)
  expect(extended).not.toBe(registry)
  writeFileSync(file, extended)
  return copy
}

test('one entry is known to the command line, the catalogue’s downloads and the adapter', () => {
  const copy = copyWithAcme()
  const script = `
    const { createProvider, publishedTypes } = await import('./src/service/providers/index.ts')
    const connection = { baseUrl: null, apiKey: () => 'k', privateNetwork: false, options: {} }
    const provider = createProvider('acme', connection)
    console.log(JSON.stringify([publishedTypes().includes('acme'), provider.constructor.name]))`

  const run = (...args: string[]) =>
    spawnSync(process.execPath, args, { cwd: copy, encoding: 'utf8', timeout: 60_000 })
  const used = run('--input-type=module', '--eval', script)
  const dataDir = ['--data-dir', join(copy, 'data')]
  const unknown = run('bin/modelport.mjs', ...dataDir, 'provider', 'add', 'x', '--type', 'none')

  expect(used.stdout.trim()).toBe('[true,"OpenAiCompatible"]')
  expect(unknown.stderr).toContain('acme')
})
