import { Client } from 'pg'
import { beforeAll, expect, onTestFinished, test } from 'vitest'
import { describeMoney } from '../../../../test/storage/describe-money.ts'
import { describeStorage } from '../../../../test/storage/describe-storage.ts'
import { emptyDatabase, postgresDatabase } from '../../../../test/storage/postgres-database.ts'
import { sampleDetail, sampleRecord } from '../../../../test/storage/samples.ts'
import { openLiveConfiguration } from '../live-configuration.ts'
import { openPostgresStorage } from './open-postgres-storage.ts'

const dayMs = 86_400_000
let url = ''

beforeAll(async () => {
  url = await postgresDatabase()
  const storage = await openPostgresStorage({ url })
  await storage.close()
})

describeStorage({
  name: 'PostgreSQL',
  isDurable: false,
  async open() {
    await emptyDatabase(url)
    return openPostgresStorage({ url })
  },
})

describeMoney({
  name: 'PostgreSQL',
  async open() {
    await emptyDatabase(url)
    const storage = await openPostgresStorage({ url })
    const client = new Client(url)
    await client.connect()
    onTestFinished(() => client.end())
    return { storage, execute: (sql) => client.query(sql) }
  },
})

test('a search finds capitals of other alphabets, whatever the language of the database is', async () => {
  const own = await postgresDatabase(`TEMPLATE template0 LOCALE 'C.UTF-8'`)
  const storage = await openPostgresStorage({ url: own })
  onTestFinished(() => storage.close())
  await storage.ledger.append(
    sampleRecord({ tag: 'Übersetzung' }),
    sampleDetail({ client: 'Ölwerk/1.0' }),
  )

  expect(await storage.ledger.countMatches({ text: 'ÜberSetzung' })).toBe(1)
  expect(await storage.ledger.countMatches({ text: 'Ölwerk' })).toBe(1)
  expect(await storage.ledger.countMatches({ client: 'ÖlWerk' })).toBe(1)
})

test('a backup is refused with the way to make one', async () => {
  const storage = await openPostgresStorage({ url })
  onTestFinished(() => storage.close())
  await expect(storage.maintenance.backup({ file: 'backup', replaces: false })).rejects.toThrow(
    /pg_dump/,
  )
})

test('retention passes over a partition that an administrator attached', async () => {
  await emptyDatabase(url)
  const client = new Client(url)
  await client.connect()
  onTestFinished(() => client.end())
  await client.query(
    `CREATE TABLE requests_archive PARTITION OF requests FOR VALUES FROM (${-9 * dayMs}) TO (${-8 * dayMs})`,
  )
  onTestFinished(async () => void (await client.query('DROP TABLE requests_archive')))
  const storage = await openPostgresStorage({ url })
  onTestFinished(() => storage.close())
  await storage.ledger.append(sampleRecord({ id: 'old', startedAtMs: 1 }), sampleDetail())

  while (
    !(await storage.ledger.prune({
      rowsBeforeMs: 5 * dayMs,
      minutesBeforeMs: 0,
      hoursBeforeMs: 0,
      maxBytes: 2 ** 40,
      keptSinceMs: 0,
    }))
  );

  expect(await storage.ledger.list({ limit: 10 })).toEqual([])
})

test('the size limit deletes only the days whose contents are too many', async () => {
  // Of its own: the files of a database that was emptied are larger.
  const own = await postgresDatabase()
  const storage = await openPostgresStorage({ url: own })
  onTestFinished(() => storage.close())
  const client = new Client(own)
  await client.connect()
  onTestFinished(() => client.end())
  for (let day = 0; day < 12; day += 1) {
    const record = sampleRecord({ id: String(day), startedAtMs: day * dayMs })
    await storage.ledger.append(record, sampleDetail())
    await client.query(
      `INSERT INTO request_contents SELECT $1, 'r', $2, string_agg(md5(random()::text), ''), 0, NULL, 0
       FROM generate_series(1, 32768)`,
      [record.id, record.startedAtMs],
    )
  }
  const { rows } = await client.query('SELECT pg_database_size(current_database())::int AS bytes')
  const limits = { rowsBeforeMs: 0, minutesBeforeMs: 0, hoursBeforeMs: 0, keptSinceMs: 10 * dayMs }

  while (!(await storage.ledger.prune({ ...limits, maxBytes: rows[0].bytes - 2.5 * 2 ** 20 })));

  const left = await storage.ledger.list({ limit: 20 })
  expect(left.length).toBeGreaterThanOrEqual(8)
  expect(left.length).toBeLessThanOrEqual(10)
  const contents = await client.query('SELECT request_id FROM request_contents')
  expect(contents.rows).toHaveLength(left.length)
})

test('a node ends the leases of the process that used its data folder before', async () => {
  const client = new Client(url)
  await client.connect()
  onTestFinished(() => client.end())
  await client.query(`INSERT INTO lease_holders VALUES ('dead.1', ${Date.now()})`)
  const left: string[] = []
  const processes = {
    join: () => Promise.resolve(['dead']),
    leaveOnly: async (id: string) => void left.push(id),
  }

  const storage = await openPostgresStorage({ url, processes })
  onTestFinished(() => storage.close())

  await expect.poll(() => left).toHaveLength(1)
  const { rows } = await client.query("SELECT id FROM lease_holders WHERE id = 'dead.1'")
  expect(rows).toEqual([])
})

test('nodes that delete the same old days at once do not fail', async () => {
  await emptyDatabase(url)
  const nodes = await Promise.all([1, 2, 3].map(() => openPostgresStorage({ url })))
  onTestFinished(async () => void (await Promise.all(nodes.map((node) => node.close()))))
  const [first] = nodes
  const days = Array.from({ length: 6 }, (_, day) => day)
  await Promise.all(
    days.map(async (day) => {
      const record = sampleRecord({ id: String(day), startedAtMs: day * dayMs })
      await first?.ledger.append(record, sampleDetail())
    }),
  )
  const limits = {
    rowsBeforeMs: 5 * dayMs,
    minutesBeforeMs: 0,
    hoursBeforeMs: 0,
    maxBytes: 2 ** 40,
    keptSinceMs: 0,
  }

  await Promise.all(
    nodes.map(async ({ ledger }) => {
      while (!(await ledger.prune(limits)));
    }),
  )

  expect(await first?.ledger.list({ limit: 10 })).toHaveLength(1)
})

test('a late row of a day that another node deleted is stored', async () => {
  await emptyDatabase(url)
  const [one, other] = [await openPostgresStorage({ url }), await openPostgresStorage({ url })]
  onTestFinished(async () => void (await Promise.all([one.close(), other.close()])))
  const append = (id: string) =>
    one.ledger.append(sampleRecord({ id, startedAtMs: 1_000 }), sampleDetail())
  await append('early')
  const limits = { rowsBeforeMs: dayMs, minutesBeforeMs: 0, hoursBeforeMs: 0 }
  await other.ledger.prune({ ...limits, maxBytes: 2 ** 50, keptSinceMs: 0 })
  expect(await other.ledger.get('early')).toBeNull()

  await append('late')

  expect(await other.ledger.get('late')).not.toBeNull()
})

test('each saved catalog raises its revision and the configuration’s version', async () => {
  await emptyDatabase(url)
  const { downloadedCatalog, configuration, close } = await openPostgresStorage({ url })
  onTestFinished(close)
  const state = async () => ({
    ...(await downloadedCatalog.read()),
    version: await configuration.version(),
  })
  expect(await downloadedCatalog.revision()).toBe(0)
  expect(await state()).toEqual({ revision: 0, text: null, version: 0 })

  await downloadedCatalog.save('{}')
  const first = await state()
  expect(first).toMatchObject({ revision: 1, text: '{}' })
  expect(first.version).toBeGreaterThan(0)

  await downloadedCatalog.save(null)
  const second = await state()
  expect(second).toMatchObject({ revision: 2, text: null })
  expect(second.version).toBeGreaterThan(first.version)
  expect(await downloadedCatalog.revision()).toBe(2)
})

test('a running node takes the configuration of a fail-over that lost a change', async () => {
  await emptyDatabase(url)
  const storage = await openPostgresStorage({ url })
  onTestFinished(() => storage.close())
  const client = new Client(url)
  await client.connect()
  onTestFinished(() => client.end())
  const live = await openLiveConfiguration(storage, (error) => expect.unreachable(String(error)))
  onTestFinished(() => live.close())
  const lose = (version: number) =>
    client.query(`UPDATE configuration_version SET version = ${version}; DELETE FROM settings`)
  await storage.configuration.setSetting('theme', 'light')
  const kept = await storage.configuration.version()
  await storage.configuration.setSetting('theme', 'dark')
  await live.refresh()

  await lose(kept)
  await expect.poll(() => live.current().settings.theme).toBe('system')

  // And where it looks only after as many other changes as were lost.
  live.close()
  await storage.configuration.setSetting('theme', 'dark')
  await live.refresh()
  await lose(kept)
  await storage.configuration.setSetting('theme', 'light')
  await live.refresh()
  expect(live.current().settings.theme).toBe('light')
})

test('a catalog is not saved when the configuration’s version cannot be raised', async () => {
  await emptyDatabase(url)
  const { downloadedCatalog, close } = await openPostgresStorage({ url })
  onTestFinished(close)
  const client = new Client(url)
  await client.connect()
  onTestFinished(() => client.end())
  await client.query('ALTER TABLE configuration_version ADD CONSTRAINT fixed CHECK (version = 0)')

  const saved = await downloadedCatalog.save('{}').catch((error: unknown) => error)
  await client.query('ALTER TABLE configuration_version DROP CONSTRAINT fixed')

  expect(saved).toMatchObject({ message: expect.stringContaining('fixed') })
  expect(await downloadedCatalog.read()).toEqual({ revision: 0, text: null })
})
