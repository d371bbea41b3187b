import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import Sqlite from 'better-sqlite3'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { good, hostileImports } from '../../../test/command-line/hostile-imports.ts'
import { newModelport, vaultKey } from '../../../test/command-line/modelport.ts'
import { sampleProvider } from '../../../test/storage/samples.ts'
import { temporaryFolder } from '../../../test/storage/temporary-folder.ts'
import { DashboardError } from '../dashboard/dashboard.ts'
import { openStorage } from '../storage/sqlite/open-storage.ts'
import { openWorkspace, type Workspace } from '../wiring/workspace.ts'
import { UsageError } from './cli.ts'
import { withoutControls } from './output.ts'
import { readTextFile } from './read-file.ts'

type Modelport = ReturnType<typeof newModelport>

/** A data folder as the files of `hostile-imports.ts` expect it. */
async function fill(dataDir: string): Promise<void> {
  const { configuration, close } = await openStorage({ dataDir })
  const [mine] = good.providers
  await configuration.insertProvider(sampleProvider({ ...mine }))
  await configuration.insertProvider(sampleProvider({ id: 'local', type: 'local' }))
  for (const model of good.models) await configuration.saveModel(model)
  await close()
}

async function filled(): Promise<Modelport> {
  const modelport = newModelport()
  await fill(modelport.dataDir)
  return modelport
}

function fileOf(content: unknown): string {
  const file = join(temporaryFolder(), 'configuration.json')
  writeFileSync(file, JSON.stringify(content))
  return file
}

/** Those whose refusal is also read as the command prints it. */
const printed = [
  'bytes that are not text',
  'a file over 1 MiB',
  'nested lists in place of a name',
  'a name with terminal commands',
  'another host for a provider',
]

describe('a hostile file', () => {
  const dataDir = mkdtempSync(join(tmpdir(), 'modelport-test-'))
  const env = { MODELPORT_KEY_WAITING: 'sk-waiting' }
  let workspace: Workspace
  beforeAll(async () => {
    await fill(dataDir)
    const cacheDir = join(dataDir, '.cache')
    workspace = await openWorkspace({ dataDir, cacheDir, env, allowSessionSecrets: false })
  })
  afterAll(async () => {
    await workspace.close()
    rmSync(dataDir, { recursive: true, force: true })
  })

  async function importFile(file: string): Promise<void> {
    const text = await readTextFile(file, { stdin: Readable.from([]) })
    const plan = await workspace.dashboard.planImport(text, { replaces: true })
    await plan.apply()
  }

  test('comes in more than 60 kinds', () => {
    expect(hostileImports.length).toBeGreaterThanOrEqual(60)
  })

  test.each(hostileImports)('is refused when it is %s', async (_name, content, refusal) => {
    const file = hostileFile(content)
    const before = stateOf(dataDir)
    const words = await importFile(file).then(() => 'imported', wordsOf)
    expect(words).toMatch(/^[^\n]{1,600}$/)
    expect(withoutControls(words)).toMatch(refusal)
    expect(stateOf(dataDir)).toEqual(before)
  })

  test.each(hostileImports.filter(([name]) => printed.includes(name)))(
    'is refused in one line when it is %s',
    async (_name, content, refusal) => {
      const file = hostileFile(content)
      const before = stateOf(dataDir)
      const args = ['import', file, '--yes', '--replace', '--json']
      const { code, stdout, stderr } = await newModelport(dataDir).run(args, { env })
      expect({ code, stdout }).toEqual({ code: 2, stdout: '' })
      expect(stderr).toMatch(/^modelport: [^\n\p{Cc}]{1,600}\n$/u)
      expect(stderr).toMatch(refusal)
      expect(stateOf(dataDir)).toEqual(before)
    },
  )
})

/** Of a refusal that the command ends with 2; any other error is thrown again. */
function wordsOf(error: unknown): string {
  if (error instanceof UsageError) return error.message
  if (error instanceof DashboardError && error.code === 'invalid')
    return `${error.field ?? ''}: ${error.message}`
  throw error
}

function hostileFile(content: string | Buffer): string {
  const file = join(temporaryFolder(), 'hostile.json')
  writeFileSync(file, content)
  return file
}

/** The state that an import could change, with the version that increases when it does. */
function stateOf(dataDir: string): unknown {
  const db = new Sqlite(join(dataDir, 'modelport.db'), { readonly: true })
  const tables = ['configuration_version', 'providers', 'models', 'routers', 'settings', 'api_keys']
  const rows = tables.map((table) => db.prepare(`SELECT * FROM ${table}`).all())
  db.close()
  const files = readdirSync(dataDir, { recursive: true }).map(String)
  return {
    rows,
    files: files.filter((name) => !/-(wal|shm)$|^(logs|secrets|\.cache)/.test(name)).sort(),
  }
}

test('shows what a file changes, and with --dry-run changes nothing', async () => {
  const modelport = await filled()
  const before = stateOf(modelport.dataDir)
  const file = fileOf({ ...good, models: [{ ...good.models[0], outputUsdPerMtok: 3 }] })
  const { stdout, code } = await modelport.run(['import', file, '--dry-run', '--replace'])
  expect(code).toBe(0)
  expect(stdout.split('\n').map((line) => line.replaceAll(/ {2,}/g, ' '))).toEqual([
    'CHANGE WHAT ID DIFFERENCE',
    'removed provider local –',
    'changed model mine:large outputUsdPerMtok: 2 → 3',
    expect.stringMatching(/^added router router_0000000000000009 name: "Imported", /),
    'added setting theme value: "dark"',
    '',
  ])
  expect(stateOf(modelport.dataDir)).toEqual(before)
})

test('asks before it changes anything', async () => {
  const modelport = await filled()
  const before = stateOf(modelport.dataDir)
  const file = fileOf(good)
  const asked = await modelport.run(['import', file], { stdin: 'n\n' })
  expect(asked.code).toBe(1)
  expect(asked.stderr).toContain('Make these changes? [y/N]')
  expect(stateOf(modelport.dataDir)).toEqual(before)
  expect((await modelport.run(['import', file], { stdin: 'yes\n' })).code).toBe(0)
  expect(await modelport.json('router', 'list')).toMatchObject([{ name: 'Imported' }])
})

test.each([
  ['allowedHosts', ['mine.example']],
  ['allowedOrigins', ['https://evil.example']],
  ['httpPort', 6779],
])('asks by itself before a file changes who may reach the endpoint (%s)', async (name, value) => {
  const modelport = await filled()
  const file = fileOf({ ...good, settings: { [name]: value } })
  const before = stateOf(modelport.dataDir)
  for (const [args, stdin] of [
    [['import', file], 'yes\nno\n'],
    [['import', file, '--yes'], ''],
  ] as const) {
    const refused = await modelport.run(args, { stdin })
    expect([refused.code, stateOf(modelport.dataDir)]).toEqual([1, before])
    expect(refused.stderr).toContain(name)
  }
  expect((await modelport.run(['import', file], { stdin: 'yes\nyes\n' })).code).toBe(0)
  expect(await modelport.json('settings', 'get', name)).toEqual([{ name, value }])
  // A file without access settings needs no confirmation.
  const without = fileOf({ ...good, settings: {} })
  expect((await modelport.run(['import', without, '--yes', '--replace'])).code).toBe(0)
  expect((await modelport.run(['import', file, '--yes', '--allow-access'])).code).toBe(0)
})

test('keeps entries that are not in the file, unless --replace is given', async () => {
  const modelport = await filled()
  await modelport.json('settings', 'set', 'port', '7000')
  const file = fileOf(good)
  await modelport.json('import', file, '--yes')
  expect(await idsOf(modelport)).toEqual(['local', 'mine'])
  expect(await modelport.json('settings', 'get', 'port')).toEqual([{ name: 'port', value: 7000 }])
  const again = await modelport.run(['import', file, '--yes'])
  expect(again).toMatchObject({ code: 0, stdout: '', stderr: 'Nothing to change.\n' })
  await modelport.json('import', file, '--yes', '--replace')
  expect(await idsOf(modelport)).toEqual(['mine'])
  expect(await modelport.json('settings', 'get', 'port')).toEqual([{ name: 'port', value: 6778 }])
})

test('adds dated prices to those that are here, and refuses two of the same time', async () => {
  const modelport = await filled()
  const price = (fromMs: number, inputUsdPerMtok: number) => ({
    modelId: 'mine:large',
    fromMs,
    inputUsdPerMtok,
    outputUsdPerMtok: 2,
    cacheReadUsdPerMtok: null,
    cacheWriteUsdPerMtok: null,
    cacheWrite1hUsdPerMtok: null,
  })
  const pricesOf = async () => {
    const { prices } = JSON.parse((await modelport.run(['export', '-'])).stdout)
    return prices
  }
  await modelport.json('import', fileOf({ ...good, prices: [price(1, 1)] }), '--yes')
  const file = fileOf({ ...good, prices: [price(1, 3), price(2, 4)] })
  const shown = await modelport.run(['import', file, '--yes'])
  expect(shown.stdout).toContain('mine:large from 1970-01-01T00:00:00.002Z')
  expect(await pricesOf()).toEqual([price(1, 3), price(2, 4)])
  await modelport.json('import', fileOf({ ...good, prices: [price(3, 5)] }), '--yes')
  expect(await pricesOf()).toEqual([price(1, 3), price(2, 4), price(3, 5)])
  await modelport.json('import', fileOf({ ...good, prices: [price(2, 4)] }), '--yes', '--replace')
  expect(await pricesOf()).toEqual([price(2, 4)])
  const twice = fileOf({ ...good, prices: [price(2, 4), price(2, 5)] })
  const refused = await modelport.run(['import', twice, '--yes'])
  expect(refused).toMatchObject({ code: 2, stdout: '' })
  expect(refused.stderr).toContain('prices.1.fromMs')
})

test('reads stdin only with --yes or --dry-run', async () => {
  const modelport = await filled()
  const stdin = JSON.stringify(good)
  expect((await modelport.run(['import', '-'], { stdin })).code).toBe(2)
  expect((await modelport.run(['import', '-', '--yes'], { stdin })).code).toBe(0)
  expect(await modelport.json('router', 'list')).toMatchObject([{ name: 'Imported' }])
})

test('names a missing file', async () => {
  const ran = await newModelport().run(['import', '/nowhere.json', '--yes'])
  expect(ran).toMatchObject({
    code: 1,
    stdout: '',
    stderr: 'modelport: /nowhere.json cannot be read.\n',
  })
})

test('gives imported providers no key until one is entered', async () => {
  const modelport = newModelport()
  const file = fileOf({
    ...good,
    providers: [...good.providers, { id: 'openai', type: 'openai' }],
  })
  expect((await modelport.run(['import', file, '--yes'], { env: vaultKey })).code).toBe(0)
  const keyOf = async () => {
    const listed = await modelport.run(['provider', 'list', '--json'], {
      env: vaultKey,
    })
    const line = listed.stdout.split('\n').find((text) => text.includes('"openai"')) ?? ''
    return JSON.parse(line).hasKey
  }
  expect(await keyOf()).toBe(false)
  const entered = await modelport.run(['provider', 'set-key', 'openai', '--key-stdin'], {
    env: vaultKey,
    stdin: 'sk-entered\n',
  })
  expect(entered).toMatchObject({ code: 0, stdout: 'Stored the key of openai.\n' })
  expect(await keyOf()).toBe(true)
})

async function idsOf({ json }: Modelport): Promise<unknown[]> {
  return (await json('provider', 'list')).map(({ id }) => id)
}
