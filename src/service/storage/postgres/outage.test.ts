/** A PostgreSQL that is killed while a node uses it. */
import { Client } from 'pg'
import { beforeAll, afterAll, expect, onTestFinished, test, vi } from 'vitest'
import { postgresUrl, startPostgres, type Engine } from '../../../../test/engines/postgres.ts'
import { sampleDetail, sampleRecord, sampleRouter } from '../../../../test/storage/samples.ts'
import { StorageUnavailable } from '../storage-errors.ts'
import { openConnections } from './connections.ts'
import { openPostgresStorage } from './open-postgres-storage.ts'

let server: Engine
beforeAll(async () => {
  server = await startPostgres({ durable: true })
})
afterAll(() => server.remove())

async function open() {
  const storage = await openPostgresStorage({ url: postgresUrl(server.port) })
  onTestFinished(() => storage.close())
  return storage
}

test(
  'rows wait in memory while PostgreSQL is gone, and each is stored once',
  { timeout: 60_000 },
  async () => {
    const storage = await open()
    const append = (id: string) => storage.ledger.append(sampleRecord({ id }), sampleDetail())
    const outages: boolean[] = []
    storage.health.onChange((outage) => outages.push(outage !== null))
    await append('before')

    await server.end('SIGKILL')
    const during = [append('one'), append('two')]
    await vi.waitFor(() => expect(storage.health.outage()).not.toBeNull(), 20_000)
    await expect(
      storage.quota.take({ routerId: 'r', day: '2026-11-22', wanted: 1, limit: 1 }),
    ).rejects.toThrow(StorageUnavailable)
    await server.start()
    await Promise.all(during)
    await vi.waitFor(() => expect(storage.health.outage()).toBeNull(), 20_000)

    const rows = await storage.ledger.list({ limit: 10 })
    expect(rows.map(({ id }) => id).toSorted()).toEqual(['before', 'one', 'two'])
    const [usage] = await storage.ledger.usage({ sinceMs: 0, group: 'router' })
    expect(usage?.requests).toBe(3)
    expect(outages).toEqual([true, false])
  },
)

test(
  'a change of another node is told again after the connection was lost',
  { timeout: 60_000 },
  async () => {
    const [one, other] = [await open(), await open()]
    const heard = vi.fn<() => void>()
    one.onConfigurationHint(heard)

    await server.end('SIGKILL')
    await server.start()
    // The first call after the loss is for what may have been missed.
    await vi.waitFor(() => expect(heard).toHaveBeenCalled(), 20_000)
    heard.mockClear()
    await vi.waitFor(() => other.configuration.insertRouter(sampleRouter()), 20_000)

    await vi.waitFor(() => expect(heard).toHaveBeenCalled(), 20_000)
  },
)

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
  await vi.waitFor(() => expect(isOut()).toBe(true), 20_000)
  await alter('RESET default_transaction_read_only')
  await vi.waitFor(() => expect(isOut()).toBe(false), 20_000)

  await server.end('SIGKILL')
  await expect(storage.configuration.version()).rejects.toThrow(StorageUnavailable)
  await vi.waitFor(() => expect(isOut()).toBe(true), 20_000)
  await server.start()
  await vi.waitFor(() => expect(isOut()).toBe(false), 20_000)
}, 60_000)

test('writes that wait for each other leave connections for reads', async () => {
  const storage = await open()
  let done = 0
  const takes = Array.from({ length: 300 }, async () => {
    await storage.quota.take({ routerId: 'r', day: '2026-11-23', wanted: 1, limit: null })
    done += 1
  })

  await storage.configuration.read()

  expect(done).toBeLessThan(150)
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
