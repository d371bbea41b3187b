/** A PostgreSQL that is killed while a node uses it. */
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { Client } from 'pg'
import { beforeAll, afterAll, expect, onTestFinished, test, vi } from 'vitest'
import { postgresUrl, startPostgres, type Engine } from '../../../../test/engines/postgres.ts'
import { sampleDetail, sampleRecord, sampleRouter } from '../../../../test/storage/samples.ts'
import { startChild } from '../../../../test/storage/child.ts'
import { temporaryFolder } from '../../../../test/storage/temporary-folder.ts'
import { WaitingRows } from '../../data-folder/waiting-rows.ts'
import { StorageUnavailable } from '../storage-errors.ts'
import type { Storage } from '../storage.ts'
import { openConnections } from './connections.ts'
import { openPostgresStorage } from './open-postgres-storage.ts'

let server: Engine
beforeAll(async () => {
  server = await startPostgres({ durable: true })
})
afterAll(() => server.remove())

async function open(options: { journal?: WaitingRows } = {}) {
  const storage = await openPostgresStorage({ url: postgresUrl(server.port), ...options })
  onTestFinished(() => storage.close())
  return storage
}

test('rows wait in memory while PostgreSQL is gone, and each is stored once', async () => {
  const storage = await open()
  const append = (id: string) => storage.ledger.append(sampleRecord({ id }), sampleDetail())
  const outages: boolean[] = []
  storage.health.onChange((outage) => outages.push(outage !== null))
  await append('before')

  await server.end('SIGKILL')
  const during = [append('one'), append('two')]
  await vi.waitFor(() => expect(storage.health.outage()).not.toBeNull(), 60_000)
  await expect(
    storage.quota.take({ routerId: 'r', day: '2026-11-22', wanted: 1, limit: 1 }),
  ).rejects.toThrow(StorageUnavailable)
  await server.start()
  await Promise.all(during)
  await expect.poll(() => storage.health.outage()).toBeNull()

  const rows = await storage.ledger.list({ limit: 10 })
  expect(rows.map(({ id }) => id).toSorted()).toEqual(['before', 'one', 'two'])
  const [usage] = await storage.ledger.usage({ sinceMs: 0, group: 'router' })
  expect(usage?.requests).toBe(3)
  expect(outages).toEqual([true, false])
})

test('a change of another node is told again after the connection was lost', async () => {
  const [one, other] = [await open(), await open()]
  const heard = vi.fn<() => void>()
  one.onConfigurationHint(heard)

  await server.end('SIGKILL')
  await server.start()
  // The first call after the loss is for what may have been missed.
  await vi.waitFor(() => expect(heard).toHaveBeenCalled(), 60_000)
  heard.mockClear()
  await vi.waitFor(() => other.configuration.insertRouter(sampleRouter()), 60_000)

  await vi.waitFor(() => expect(heard).toHaveBeenCalled(), 60_000)
})

test('a server that is read-only or gone is an outage before any row fails', async () => {
  const storage = await open()
  const isOut = () => storage.health.outage() !== null
  const alter = async (text: string) => {
    const client = new Client(postgresUrl(server.port))
    await client.connect()
    await client.query('SET default_transaction_read_only = off')
    await client.query(`ALTER ROLE modelport ${text}`)
    await client.query(`SELECT pg_terminate_backend(pid) FROM pg_stat_activity
      WHERE application_name LIKE 'modelport%'`)
    await client.end()
  }
  const take = () =>
    storage.quota.take({ routerId: 'r', day: '2026-11-24', wanted: 1, limit: null })

  await alter('SET default_transaction_read_only = on')
  await expect(take()).rejects.toThrow(StorageUnavailable)
  await expect.poll(() => isOut()).toBe(true)
  await alter('RESET default_transaction_read_only')
  await expect.poll(() => isOut()).toBe(false)

  await server.end('SIGKILL')
  await expect(storage.configuration.version()).rejects.toThrow(StorageUnavailable)
  await expect.poll(() => isOut()).toBe(true)
  await server.start()
  await expect.poll(() => isOut()).toBe(false)
})

test('writes that wait for each other leave connections for reads', async () => {
  const storage = await open()
  const holder = new Client(postgresUrl(server.port))
  await holder.connect()
  onTestFinished(() => holder.end())
  await holder.query('BEGIN; LOCK TABLE quota_current')
  let done = 0
  const takes = Array.from({ length: 300 }, async () => {
    await storage.quota.take({ routerId: 'r', day: '2026-11-23', wanted: 1, limit: null })
    done += 1
  })

  await storage.configuration.read()

  expect(done).toBe(0)
  await holder.query('COMMIT')
  await Promise.all(takes)
})

test('a connection that breaks between two statements fails the next one, and nothing else', async () => {
  const connections = openConnections(postgresUrl(server.port), {
    id: 'n',
    slot: 0,
    days: new Set(),
  })
  onTestFinished(() => connections.close())
  const broken = connections.write(async ({ client, sql }) => {
    const pid = await sql.prepare<[], number>('SELECT pg_backend_pid()').pluck().get()
    const ended = new Promise((resolve) => client.once('end', resolve))
    await connections.use((other) =>
      other.sql.prepare<[number]>('SELECT pg_terminate_backend(?)').run(pid ?? 0),
    )
    await ended
    await sql.prepare('SELECT 1').get()
  })

  await expect(broken).rejects.toThrow(StorageUnavailable)
  const works = connections.read(({ sql }) => sql.prepare<[], number>('SELECT 1').pluck().get())
  expect(await works).toBe(1)
})

/** A data folder, and what a process on it keeps for the next one. */
function openFolder() {
  const dataDir = temporaryFolder()
  const file = join(dataDir, 'waiting-rows.jsonl')
  const problems: unknown[] = []
  return {
    dataDir,
    problems,
    journal: () => new WaitingRows(dataDir, (error) => problems.push(error)),
    waiting: () => (existsSync(file) ? readFileSync(file, 'utf8') : ''),
  }
}

const idsOf = async (storage: Storage, limit = 1_000) =>
  (await storage.ledger.list({ limit })).map(({ id }) => id)

test('a node killed in an outage leaves its rows to the next one on its folder', async () => {
  const { dataDir, journal, waiting, problems } = openFolder()
  const node = startChild('append-in-outage.ts', postgresUrl(server.port), dataDir)
  await node.printedLines(1)

  await server.end('SIGKILL')
  await node.printedLines(2)
  await expect.poll(() => waiting()).toContain('"last"')
  node.process.kill('SIGKILL')
  await node.exited
  await server.start()
  const next = await vi.waitFor(() => open({ journal: journal() }), 60_000)

  const added = Number(node.stdout().split('\n')[1])
  const names = Array.from({ length: added - 1 }, (_, row) => `row ${row}`)
  const ids = await idsOf(next)
  expect(ids.filter((id) => id.startsWith('row ') || id === 'last').toSorted()).toEqual(
    [...names, 'last'].toSorted(),
  )
  const [usage] = await next.ledger.usage({ sinceMs: 0, group: 'router' })
  expect(usage?.requests).toBe(ids.length)
  expect([waiting(), problems]).toEqual(['', []])
})

test('a node stopped in an outage leaves its rows to the next one on its folder', async () => {
  const { journal, waiting } = openFolder()
  const storage = await openPostgresStorage({
    url: postgresUrl(server.port),
    journal: journal(),
  })

  await server.end('SIGKILL')
  const lost = storage.ledger.append(sampleRecord({ id: 'stopped' }), sampleDetail())
  const reason = lost.catch((error: unknown) => error)
  await storage.close()
  expect(await reason).toBeInstanceOf(StorageUnavailable)
  expect(waiting()).toContain('"stopped"')
  await server.start()
  const next = await vi.waitFor(() => open({ journal: journal() }), 60_000)

  expect(await idsOf(next)).toContain('stopped')
  expect(waiting()).toBe('')
})
