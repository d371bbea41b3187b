/** A node that is killed while it holds a lease, on a real PostgreSQL. */
import { Client } from 'pg'
import { expect, onTestFinished, test, vi } from 'vitest'
import { startChild } from '../../../../../test/storage/child.ts'
import { postgresDatabase } from '../../../../../test/storage/postgres-database.ts'
import { temporaryFolder } from '../../../../../test/storage/temporary-folder.ts'
import { lockDataFolder } from '../../../data-folder/data-folder.ts'
import { openNodeProcesses } from '../../../data-folder/node-processes.ts'
import type { BudgetOwner } from '../../budget-store.ts'
import { openConnections } from '../connections.ts'
import { openPostgresStorage, type PostgresStorage } from '../open-postgres-storage.ts'

const noon = Date.UTC(2026, 10, 21, 12)
const owner: BudgetOwner = { kind: 'router', id: 'router_a', spenderIds: ['router_a'] }
const limits = [{ owner, perDayNanoUsd: 1_000, perMonthNanoUsd: null }]
const patience = { timeout: 60_000 }

async function startDatabase() {
  const url = await postgresDatabase()
  const client = new Client(url)
  await client.connect()
  const other = await openPostgresStorage({ url })
  onTestFinished(async () => {
    await other.close()
    await client.end()
  })
  const count = async (text: string) => {
    const { rows } = await client.query<{ count: string }>(text)
    return Number(rows[0]?.count)
  }
  return { url, client, other, count }
}

type Database = Awaited<ReturnType<typeof startDatabase>>

/** A process that held 400 of 1,000 or more. @param isStoring  resolves when a row of 300 is on its way */
async function killNode(
  { url, client }: Database,
  dataDir: string,
  isStoring?: () => Promise<unknown>,
): Promise<void> {
  const child = startChild('hold-lease.ts', url, dataDir, ...(isStoring ? ['store'] : []))
  await child.printedLines(1)
  await isStoring?.()
  child.process.kill('SIGKILL')
  await child.exited
  // Leases that were renewed a moment ago do not end.
  await client.query('UPDATE lease_holders SET ends_at_ms = ends_at_ms - 60000')
}

/** Commits of rows wait until the returned function is called. */
async function holdCommits({ url, client }: Database): Promise<() => Promise<unknown>> {
  await client.query(`
    CREATE TABLE gate ();
    CREATE FUNCTION pass_gate() RETURNS trigger LANGUAGE plpgsql AS
      'BEGIN LOCK TABLE gate; RETURN NULL; END';
    CREATE CONSTRAINT TRIGGER gate AFTER INSERT ON usage_rollups DEFERRABLE INITIALLY DEFERRED
      FOR EACH ROW EXECUTE FUNCTION pass_gate()`)
  const gate = new Client(url)
  await gate.connect()
  onTestFinished(() => gate.end())
  await gate.query('BEGIN; LOCK TABLE gate')
  return () => gate.query('COMMIT')
}

async function reserve({ budgets }: PostgresStorage, requestId: string, nanoUsd: number) {
  await budgets.read(owner, noon)
  return budgets.reserve({ requestId, nanoUsd, limits, nowMs: noon })
}

test('a row that is committed after its node was killed counts before the lease ends', async () => {
  const database = await startDatabase()
  const { url, client, other, count } = database
  const commit = await holdCommits(database)
  const waiting = () =>
    count("SELECT count(*) FROM pg_locks WHERE locktype = 'relation' AND NOT granted")
  await killNode(database, temporaryFolder(), () =>
    vi.waitFor(async () => expect(await waiting()).toBe(1), patience),
  )
  const connections = openConnections(url, { id: 'next', slot: 0, days: new Set() })
  onTestFinished(() => connections.close())
  const { rows } = await client.query<{ process: string }>(
    "SELECT split_part(id, '.', 1) AS process FROM lease_holders",
  )
  const end = () =>
    connections.write(({ stores }) => stores.budgetLeases.removeOf(rows[0]?.process ?? ''))

  expect(await end()).toBe(false)
  expect(await reserve(other, 'too early', 700)).toBe(false)
  await commit()
  await vi.waitFor(async () => expect(await end()).toBe(true), patience)

  expect(await reserve(other, 'too much', 701)).toBe(false)
  expect(await reserve(other, 'the rest', 700)).toBe(true)
})

test('a start on the data folder of a killed node ends its lease', async () => {
  const database = await startDatabase()
  const { url, other, count } = database
  const dataDir = temporaryFolder()
  await killNode(database, dataDir)
  expect(await reserve(other, 'too early', 1_000)).toBe(false)

  onTestFinished(lockDataFolder({ dataDir, holder: 'serve' }))
  const processes = await openNodeProcesses(dataDir)
  const next = await openPostgresStorage({ url, processes })
  onTestFinished(() => next.close())

  const leased = () => count('SELECT coalesce(sum(nano_usd), 0) AS count FROM budget_leases')
  await vi.waitFor(async () => expect(await leased()).toBe(0), patience)
  expect(await reserve(other, 'everything', 1_000)).toBe(true)
})
