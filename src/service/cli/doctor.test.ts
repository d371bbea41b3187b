import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { chmodSync, existsSync, mkdirSync, rmSync, writeFileSync, utimesSync } from 'node:fs'
import { createServer, type AddressInfo } from 'node:net'
import { join } from 'node:path'
import Sqlite from 'better-sqlite3'
import { expect, onTestFinished, test } from 'vitest'
import { newModelport, vaultKey as vault } from '../../../test/command-line/modelport.ts'
import { startFakeProvider } from '../../../test/fake-provider.ts'
import { sampleDetail, sampleRecord } from '../../../test/storage/samples.ts'
import { openStorage } from '../storage/sqlite/open-storage.ts'

type Modelport = ReturnType<typeof newModelport>

/** doctor's output by check, with its exit code and the complete text. */
async function examine(
  { run }: Modelport,
  env: Record<string, string> = vault,
  options: readonly string[] = [],
) {
  const { code, stdout, stderr } = await run(['doctor', '--json', ...options], { env })
  const findings = stdout
    .split('\n')
    .slice(0, -1)
    .map((line): Record<string, unknown> => JSON.parse(line))
  const byCheck = Object.fromEntries(findings.map((finding) => [String(finding['check']), finding]))
  return { code, byCheck, findings, said: stdout + stderr }
}

/** A TCP server on its own port. */
async function listening(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => void server.close())
  // Checked: a TCP server's address is an object.
  return (server.address() as AddressInfo).port
}

/** Any free port: another program of this computer may have the default one. */
const freePort = { port: 0 }

/** A used data folder. It asks for no graphics processor, so that llama.cpp starts in the first test only. */
async function used(settings: Record<string, unknown> = {}): Promise<Modelport> {
  const modelport = newModelport()
  const { configuration, close } = await openStorage({ dataDir: modelport.dataDir })
  for (const [name, value] of Object.entries({ localModelGpu: 'off', ...settings }))
    await configuration.setSetting(name, value)
  await close()
  return modelport
}

async function addProvider({ run }: Modelport, url: string): Promise<void> {
  const address = ['--type', 'openai-compatible', '--base-url', url, '--key-stdin']
  const stdin = 'sk-canary-of-the-provider\n'
  const added = await run(['provider', 'add', 'mine', ...address], { env: vault, stdin })
  expect(added.code).toBe(0)
}

test('finds no problem with a running service and names it as the owner of its port', async () => {
  const modelport = newModelport()
  const provider = await startFakeProvider({ tls: false, apiKey: 'sk-canary-of-the-provider' })
  onTestFinished(() => provider.close())
  await addProvider(modelport, provider.url)
  const service = await modelport.serve()
  await modelport.json('settings', 'set', 'port', new URL(service.url).port)
  const { code, byCheck, findings, said } = await examine(modelport)
  expect(findings.filter(({ status }) => status === 'fail')).toEqual([])
  expect(code).toBe(0)
  expect(byCheck).toMatchObject({
    storage: { status: 'ok', message: expect.stringMatching(/^SQLite 3\.\d+/) },
    disk: { status: 'ok' },
    files: { status: 'ok' },
    clock: { status: 'ok' },
    certificate: { status: 'ok', message: expect.stringContaining('valid for 89 more days') },
    port: { status: 'ok', message: expect.stringContaining(`(process ${service.pid})`) },
    'key store': { status: 'ok' },
    'provider mine': { status: 'ok', wayOut: null },
  })
  expect(said).not.toContain('canary')
  expect(said).not.toContain(vault.MODELPORT_VAULT_KEY)
})

test('prints a line per check with its fix, and exits 1 when one failed', async () => {
  const modelport = await used(freePort)
  await addProvider(modelport, 'http://127.0.0.1:9/v1')
  const { code, stdout, stderr } = await modelport.run(['doctor'], { env: vault })
  expect(code).toBe(1)
  expect(stdout).toMatch(
    /^fail +provider mine +nothing answers at the address → Check its address/m,
  )
  expect(stdout).toMatch(/^ok +storage +SQLite/m)
  expect(stderr).toMatch(/^modelport: 1 of \d+ checks failed\.\n$/)
})

test('says that a key was rejected, without showing it', async () => {
  const modelport = await used()
  const provider = await startFakeProvider({ tls: false, apiKey: 'sk-another' })
  onTestFinished(() => provider.close())
  await addProvider(modelport, provider.url)
  const { code, byCheck, said } = await examine(modelport)
  expect(code).toBe(1)
  expect(byCheck['provider mine']).toMatchObject({
    status: 'fail',
    wayOut: 'Enter its key: modelport provider set-key mine --key-stdin',
  })
  expect(said).not.toContain('canary')
})

const newKey = () => randomBytes(32).toString('base64')

test.each([
  ['no key', {}, 'Set MODELPORT_VAULT_KEY, --vault-key-file, --vault-key-command'],
  ['another key', { MODELPORT_VAULT_KEY: newKey() }, 'Start again with the key that encrypted it.'],
  ['a failing command', { MODELPORT_VAULT_KEY_COMMAND: '/nowhere/kms' }, 'the key service'],
])('with %s for the vault, it names the vault and not the address', async (_, env, words) => {
  const { run, json, ...modelport } = await used(freePort)
  const add = ['provider', 'add', 'mine', '--type', 'openai-compatible', '--key-env', 'KEY']
  const first = { KEY: 'sk-canary', MODELPORT_VAULT_KEY: newKey() }
  const added = await run([...add, '--base-url', 'http://127.0.0.1:9/v1'], { env: first })
  expect(added).toMatchObject({ code: 0, stderr: '' })

  const { code, byCheck } = await examine({ ...modelport, run, json }, env)

  expect(code).toBe(1)
  expect(byCheck['provider mine']).toMatchObject({
    status: 'fail',
    message: 'its key cannot be read from the key store at the moment',
    wayOut: expect.stringMatching(/vault/),
  })
  expect(byCheck['provider mine']?.['wayOut']).toContain(words)
})

test('a key file of the vault that is missing is not a problem of the database', async () => {
  const modelport = await used()
  const { code, byCheck } = await examine(modelport, { MODELPORT_VAULT_KEY_FILE: '/nowhere/key' })
  expect(code).toBe(1)
  expect(byCheck).not.toHaveProperty('storage')
  expect(byCheck['key store']).toMatchObject({
    status: 'fail',
    message: expect.stringContaining("The vault's key file /nowhere/key cannot be read"),
    wayOut: null,
  })
})

test('waits no longer than 10 s for a provider', async () => {
  const modelport = await used()
  await addProvider(modelport, `http://127.0.0.1:${await listening()}/v1`)
  const { byCheck } = await examine(modelport)
  expect(byCheck['provider mine']).toMatchObject({ status: 'fail' })
})

test('reports a damaged database and continues with the other checks', async () => {
  const modelport = await used()
  for (const suffix of ['-wal', '-shm'])
    rmSync(join(modelport.dataDir, `modelport.db${suffix}`), { force: true })
  writeFileSync(join(modelport.dataDir, 'modelport.db'), Buffer.alloc(8192, 7))
  const { code, byCheck } = await examine(modelport)
  expect(code).toBe(1)
  expect(byCheck['storage']).toMatchObject({
    status: 'fail',
    wayOut: 'Restore a backup: modelport restore FILE',
  })
  expect(Object.keys(byCheck)).toEqual(expect.arrayContaining(['disk', 'certificate', 'port']))
})

test('names the newest copy when the database is damaged', async () => {
  const modelport = await used()
  mkdirSync(join(modelport.dataDir, 'backups'))
  for (const day of [20, 21])
    writeFileSync(join(modelport.dataDir, 'backups', `modelport-2026-11-${day}.db`), 'a copy')
  utimesSync(join(modelport.dataDir, 'backups', 'modelport-2026-11-20.db'), 1, 1)
  for (const suffix of ['-wal', '-shm'])
    rmSync(join(modelport.dataDir, `modelport.db${suffix}`), { force: true })
  writeFileSync(join(modelport.dataDir, 'modelport.db'), Buffer.alloc(8192, 7))
  const newest = join(modelport.dataDir, 'backups', 'modelport-2026-11-21.db')
  expect((await examine(modelport)).byCheck['storage']).toMatchObject({
    wayOut: `Restore a backup: modelport restore "${newest}"`,
  })
})

test('tells an emptied database apart from a new one', async () => {
  const modelport = newModelport()
  mkdirSync(join(modelport.dataDir, 'tls'))
  writeFileSync(join(modelport.dataDir, 'modelport.db'), '')
  const { code, byCheck } = await examine(modelport)
  expect(code).toBe(1)
  expect(byCheck['storage']).toMatchObject({
    status: 'fail',
    message: expect.stringContaining('is empty (0 bytes)'),
  })
})

test('warns in a folder that was never used, and creates nothing in it', async () => {
  const modelport = newModelport()
  const { byCheck, findings } = await examine(modelport)
  // The default port may belong to another program of this computer.
  const others = findings.filter(({ check }) => check !== 'port')
  expect(others.filter(({ status }) => status === 'fail')).toEqual([])
  expect(existsSync(join(modelport.dataDir, 'modelport.db'))).toBe(false)
  expect(byCheck).toMatchObject({ storage: { status: 'warn' }, certificate: { status: 'warn' } })
})

test.runIf(process.platform === 'linux')('names the program that has the port', async () => {
  const modelport = await used({ port: await listening() })
  const { code, byCheck } = await examine(modelport)
  expect(code).toBe(1)
  expect(byCheck['port']).toMatchObject({
    status: 'fail',
    message: expect.stringContaining(`(process ${process.pid})`),
    wayOut: expect.stringContaining('modelport settings set port'),
  })
})

test('warns when the clock was set back', async () => {
  const modelport = await used()
  const storage = await openStorage({ dataDir: modelport.dataDir })
  await storage.ledger.append(
    sampleRecord({ startedAtMs: Date.now() + 86_400_000 }),
    sampleDetail(),
  )
  await storage.close()
  const { byCheck } = await examine(modelport)
  expect(byCheck['clock']).toMatchObject({ status: 'warn', wayOut: expect.any(String) })
})

/** A day with one request whose totals count two. */
async function withWrongTotals(): Promise<Modelport> {
  const modelport = await used(freePort)
  const storage = await openStorage({ dataDir: modelport.dataDir })
  await storage.ledger.append(sampleRecord({ startedAtMs: Date.UTC(2026, 10, 21) }), sampleDetail())
  await storage.close()
  const db = new Sqlite(join(modelport.dataDir, 'modelport.db'))
  db.exec('UPDATE usage_rollups SET requests = requests + 1')
  db.close()
  return modelport
}

test('warns about days whose usage totals differ from their requests', async () => {
  const { byCheck } = await examine(await withWrongTotals())
  expect(byCheck['storage']).toMatchObject({
    status: 'warn',
    message: 'The usage totals of 2026-11-21 differ from the requests of these days.',
    wayOut: expect.stringContaining('modelport doctor --rebuild-totals'),
  })
})

test('rebuilds usage totals when asked to', async () => {
  const modelport = await withWrongTotals()
  const { code, byCheck } = await examine(modelport, vault, ['--rebuild-totals'])
  expect(code).toBe(0)
  expect(byCheck['storage']).toMatchObject({
    status: 'ok',
    message: 'The usage totals of 2026-11-21 were rebuilt from the requests of these days.',
  })
  expect((await examine(modelport)).byCheck['storage']).toMatchObject({ status: 'ok' })
})

test.skipIf(process.platform === 'win32')('fails when others can read the keys', async () => {
  const modelport = await used()
  const service = await modelport.serve()
  chmodSync(join(modelport.dataDir, 'tls', 'ca-key.pem'), 0o644)
  chmodSync(join(modelport.dataDir, 'modelport.db'), 0o644)
  const { code, byCheck } = await examine(modelport)
  expect(code).toBe(1)
  expect(byCheck['certificate']).toMatchObject({ status: 'fail' })
  expect(byCheck['files']).toMatchObject({ status: 'fail' })
  expect(service.child.exitCode).toBe(null)
})

test('says that no key can be stored, and how to fix it', async () => {
  const modelport = await used(freePort)
  const { code, byCheck } = await examine(modelport, {})
  expect(code).toBe(0)
  expect(byCheck['key store']).toMatchObject({
    status: 'warn',
    message: expect.stringContaining('MODELPORT_VAULT_PASSPHRASE'),
  })
})

test('changes nothing', async () => {
  const modelport = await used()
  const storage = await openStorage({ dataDir: modelport.dataDir })
  onTestFinished(() => storage.close())
  const before = await storage.configuration.read()
  await examine(modelport)
  expect(await storage.configuration.read()).toEqual(before)
})
