/** Tests which modules a command loads: they decide how long a person waits for it. */
import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { newModelport } from '../../../test/command-line/modelport.ts'
import { temporaryFolder } from '../../../test/storage/temporary-folder.ts'

/** Writes the address of each loaded module to the file in the variable `LOADED`. */
const recordLoads = `
  import { appendFileSync } from 'node:fs'
  import { registerHooks } from 'node:module'
  const load = (url, context, nextLoad) => {
    appendFileSync(process.env.LOADED, url + '\\n')
    return nextLoad(url, context)
  }
  registerHooks({ load })
`

/** The program's own files and the names of packages that a command loads. */
async function loadedBy(...command: string[]) {
  const { runProcess, dataDir } = newModelport()
  const file = join(dataDir, 'loaded.txt')
  const nodeArgs = ['--import', `data:text/javascript,${encodeURIComponent(recordLoads)}`]
  const ran = await runProcess(command, { nodeArgs, env: { LOADED: file } })
  expect(ran).toMatchObject({ code: 0, stderr: '' })
  const addresses = readFileSync(file, 'utf8').split('\n')
  return {
    packages: namesIn(addresses, /\/node_modules\/((?:@[^/]+\/)?[^/]+)\//),
    folders: namesIn(addresses, /\/src\/service\/([^/]+)\//),
    groups: namesIn(addresses, /\/src\/service\/cli\/(router|key|serve|tune|provider)\.ts$/),
    data: namesIn(addresses, /\/resources\/([^/]+)$/),
  }
}

function namesIn(addresses: readonly string[], pattern: RegExp): string[] {
  return [...new Set(addresses.flatMap((address) => pattern.exec(address)?.[1] ?? []))].toSorted()
}

const heavy = [
  'fastify',
  'ajv',
  'pg',
  'node-llama-cpp',
  '@peculiar/x509',
  'quickjs-emscripten-core',
]

test('help loads neither a data folder’s parts nor the catalogue', async () => {
  const { packages, folders, data } = await loadedBy('--help')

  expect(packages).toContain('commander')
  for (const name of [...heavy, 'undici', 'pino', 'keytar', 'yaml']) {
    expect(packages).not.toContain(name)
  }
  for (const name of ['http', 'providers', 'local', 'agents', 'catalog']) {
    expect(folders).not.toContain(name)
  }
  expect(data).toEqual([])
})

test('a list of the data folder loads its own commands and no service', async () => {
  const { packages, folders, groups, data } = await loadedBy('router', 'list')

  expect(groups).toEqual(['router'])
  expect(packages).toContain('better-sqlite3')
  for (const name of [...heavy, 'undici', 'yaml']) expect(packages).not.toContain(name)
  expect(packages.filter((name) => name.startsWith('@aws-sdk/'))).toEqual([])
  for (const name of ['http', 'tuning', 'desktop', 'doctor']) expect(folders).not.toContain(name)
  expect(data).not.toContain('routing-weights.json')
})

test('a service on its own loads neither a client of Valkey nor telemetry', () => {
  const file = join(temporaryFolder(), 'loaded.txt')
  const hooks = `data:text/javascript,${encodeURIComponent(recordLoads)}`
  const service = new URL('../service.ts', import.meta.url).href
  execFileSync(
    process.execPath,
    ['--import', hooks, '--input-type=module', '--eval', `await import('${service}')`],
    { env: { ...process.env, LOADED: file } },
  )

  const addresses = readFileSync(file, 'utf8').split('\n')
  const folders = namesIn(addresses, /\/src\/service\/([^/]+)\//)
  expect(folders).toContain('shared-state')
  expect(folders).not.toContain('telemetry')
  expect(namesIn(addresses, /\/node_modules\/((?:@[^/]+\/)?[^/]+)\//)).not.toContain('ioredis')
})
