/** Values, rights and conflicts for which PostgreSQL refuses what SQLite stores. */
import { Client } from 'pg'
import { beforeAll, expect, onTestFinished, test, vi } from 'vitest'
import { emptyDatabase, postgresDatabase } from '../../../../test/storage/postgres-database.ts'
import { sampleDetail, sampleRecord } from '../../../../test/storage/samples.ts'
import { openConnections } from './connections.ts'
import { openPostgresStorage } from './open-postgres-storage.ts'
import { isWithoutPartition, toStorageError } from './postgres-errors.ts'

let url = ''
beforeAll(async () => {
  url = await postgresDatabase()
  await (await openPostgresStorage({ url })).close()
})

async function open() {
  await emptyDatabase(url)
  const storage = await openPostgresStorage({ url })
  onTestFinished(() => storage.close())
  const client = new Client(url)
  await client.connect()
  onTestFinished(() => client.end())
  return { storage, client }
}

test('the character 0 and half an emoji in a detail break neither searches nor repairs', async () => {
  const { storage } = await open()
  const texts = ['a\0b', 'a\ud83d', '\ude00b', String.raw`a\u0000\ud800`, 'a😀b']
  await Promise.all(
    texts.map((client, index) =>
      storage.ledger.append(sampleRecord({ id: String(index) }), sampleDetail({ client })),
    ),
  )
  await storage.ledger.append(sampleRecord({ id: 'usual' }), sampleDetail({ client: 'curl/8.1' }))

  expect(await storage.ledger.countMatches({ client: 'curl/8.1' })).toBe(1)
  await storage.maintenance.rebuildTotals()
  const [usage] = await storage.ledger.usage({ sinceMs: 0, group: 'router' })
  expect(usage).toMatchObject({ requests: 6, tokens: { input: 60 } })
  expect((await storage.ledger.get('1'))?.detail.client).toBe('a\ud83d')
})

test('the character 0 in the name of a model or tag loses no row', async () => {
  const { storage } = await open()
  await storage.ledger.append(sampleRecord({ modelUsed: 'a\0', tag: 'b\0' }), sampleDetail())
  expect(await storage.ledger.list({ limit: 1 })).toMatchObject([{ modelUsed: 'a␀', tag: 'b␀' }])
})

test('a row that the roll-ups refuse does not lose the other rows of its group', async () => {
  const { storage } = await open()
  const append = (id: string, carbonGrams = 1) =>
    storage.ledger.append(sampleRecord({ id, carbonGrams }), sampleDetail())
  const [one, refused, other] = await Promise.allSettled([
    append('one'),
    append('refused', Number.NaN),
    append('other'),
  ])

  expect([one.status, refused.status, other.status]).toEqual(['fulfilled', 'rejected', 'fulfilled'])
  const rows = await storage.ledger.list({ limit: 10 })
  expect(rows.map(({ id }) => id).toSorted()).toEqual(['one', 'other'])
  const [usage] = await storage.ledger.usage({ sinceMs: 0, group: 'router' })
  expect(usage?.requests).toBe(2)
  expect(storage.health.outage()).toBeNull()
})

test('a name that is too long for an index is refused and causes no outage', async () => {
  const { storage } = await open()
  const modelUsed = Array.from({ length: 9_000 }, (_, index) =>
    String.fromCodePoint(0x4e00 + index),
  )
  const append = storage.ledger.append(
    sampleRecord({ modelUsed: modelUsed.join('') }),
    sampleDetail(),
  )
  await expect(append).rejects.toMatchObject({ name: 'StorageRejected' })
  expect(storage.health.outage()).toBeNull()
})

test('rows wait while the database lacks a table or right, and are then stored', async () => {
  const { storage, client } = await open()
  await storage.ledger.append(sampleRecord({ id: 'before' }), sampleDetail())
  await client.query('ALTER TABLE usage_rollups RENAME TO elsewhere')

  const waiting = storage.ledger.append(sampleRecord({ id: 'waiting' }), sampleDetail())
  await vi.waitFor(() => expect(storage.health.outage()).not.toBeNull(), 60_000)
  await client.query('ALTER TABLE elsewhere RENAME TO usage_rollups')
  await waiting

  const [usage] = await storage.ledger.usage({ sinceMs: 0, group: 'router' })
  expect(usage?.requests).toBe(2)
})

test('a row from before 1970 is stored, and its day deleted', async () => {
  const { storage } = await open()
  await storage.ledger.append(sampleRecord({ startedAtMs: -1 }), sampleDetail())
  expect(await storage.ledger.list({ limit: 10 })).toHaveLength(1)
  const limits = { rowsBeforeMs: 0, minutesBeforeMs: 0, hoursBeforeMs: 0 }
  await storage.ledger.prune({ ...limits, maxBytes: 2 ** 50, keptSinceMs: 0 })
  expect(await storage.ledger.list({ limit: 10 })).toEqual([])
})

test('a missing partition is recognized in every language of the server', () => {
  const german = 'keine Partition von Relation »requests« für die Zeile gefunden'
  const error = Object.assign(new Error(german), { code: '23514' })
  expect(isWithoutPartition(toStorageError(error, 'test'))).toBe(true)
})

test('work on a connection runs again after a deadlock', async () => {
  const connections = openConnections(url, {
    id: 'n',
    slot: 0,
    days: new Set(),
  })
  onTestFinished(() => connections.close())
  let attempts = 0
  const result = await connections.use(({ sql }) =>
    sql.transaction(async () => {
      attempts += 1
      if (attempts < 3) await sql.prepare(`DO $$ BEGIN RAISE SQLSTATE '40P01'; END $$`).run()
      return 'done'
    }),
  )
  expect({ result, attempts }).toEqual({ result: 'done', attempts: 3 })
})
