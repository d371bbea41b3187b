import { Client } from 'pg'
import { expect, onTestFinished, test, vi } from 'vitest'
import { postgresDatabase } from '../../../../../test/storage/postgres-database.ts'
import { sampleDetail, sampleRecord } from '../../../../../test/storage/samples.ts'
import { openPostgresStorage } from '../open-postgres-storage.ts'
import { migrate, migrations, migrationsLock } from './index.ts'

async function connect(url: string): Promise<Client> {
  const client = new Client(url)
  await client.connect()
  onTestFinished(() => client.end())
  return client
}

const withStep = (sql: string) => [...migrations, { version: 9990, readableFrom: 10, sql }]

async function newestIn(client: Client): Promise<unknown> {
  const { rows } = await client.query('SELECT max(version)::int AS newest FROM schema_versions')
  return rows[0]?.newest
}

test('a step that waits for a dump lets other nodes store their requests', async () => {
  const url = await postgresDatabase()
  const other = await openPostgresStorage({ url })
  onTestFinished(() => other.close())
  const append = (id: string) => other.ledger.append(sampleRecord({ id }), sampleDetail(), true)
  await append('first')
  const [dump, client] = [await connect(url), await connect(url)]
  await dump.query('BEGIN; LOCK TABLE requests IN ACCESS SHARE MODE')
  const migrated = migrate(
    client,
    withStep('ALTER TABLE requests ADD COLUMN later TEXT; CREATE TABLE later (id TEXT)'),
  )
  await expect.poll(() => waitingFor(dump, 'relation')).toBe(1)

  await append('during')

  expect(await newestIn(dump)).toBe(migrations.at(-1)?.version)
  await dump.query('COMMIT')
  await migrated
  expect(await newestIn(client)).toBe(9990)
})

async function waitingFor(client: Client, kind: string): Promise<unknown> {
  const { rows } = await client.query(
    `SELECT count(*)::int AS waiting FROM pg_stat_activity
     WHERE datname = current_database() AND wait_event_type = 'Lock' AND wait_event = $1`,
    [kind],
  )
  return rows[0]?.waiting
}

test('neither a long step nor the wait for that of another node ends after a time', async () => {
  const url = await postgresDatabase()
  const holder = await connect(url)
  await holder.query(`ALTER DATABASE ${holder.database} SET statement_timeout = '200ms'`)
  await migrate(await connect(url), withStep('SELECT pg_sleep(0.4)'))
  expect(await newestIn(holder)).toBe(9990)
  await holder.query('DELETE FROM schema_versions WHERE version = 9990')
  await holder.query('SELECT pg_advisory_lock($1)', [migrationsLock])
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  onTestFinished(() => void vi.useRealTimers())

  const opened = openPostgresStorage({ url })
  opened.catch(() => null)
  while ((await waitingFor(holder, 'advisory')) === 0);
  vi.advanceTimersByTime(3_600_000)
  await holder.query('SELECT pg_advisory_unlock($1)', [migrationsLock])

  await (await opened).close()
})
