/** A restore over a database of which one page was overwritten without SQLite's knowledge. */
import { closeSync, existsSync, openSync, readFileSync, writeSync } from 'node:fs'
import { join } from 'node:path'
import Sqlite from 'better-sqlite3'
import { expect, onTestFinished, test } from 'vitest'
import { sampleDetail, sampleRecord } from '../../../../test/storage/samples.ts'
import { temporaryFolder } from '../../../../test/storage/temporary-folder.ts'
import { runDatabaseTask } from './database-tasks.ts'
import { openStorage } from './open-storage.ts'

const dayMs = 86_400_000
const startMs = Date.UTC(2026, 10, 20)

/** A copy with 300 requests of one day, and a database with 300 more of the next day. */
async function backedUp() {
  const dataDir = temporaryFolder()
  const copy = join(temporaryFolder(), 'copy.db')
  const storage = await openStorage({ dataDir })
  const append = async (day: number) => {
    const rows = Array.from({ length: 300 }, (_, index) =>
      sampleRecord({ id: `${day} ${index}`, startedAtMs: startMs + day * dayMs + index }),
    )
    await Promise.all(rows.map((row) => storage.ledger.append(row, sampleDetail())))
  }
  await append(0)
  await storage.maintenance.backup({ file: copy, replaces: false })
  await append(1)
  await storage.close()
  return { dataDir, copy, database: join(dataDir, 'modelport.db') }
}

/** The page with this row, which is a leaf of the ledger. */
function overwriteRow(database: string, id: string): void {
  const db = new Sqlite(database)
  const [pageBytes, pages] = ['page_size', 'page_count'].map((name) =>
    Number(db.pragma(name, { simple: true })),
  )
  db.close()
  const bytes = readFileSync(database)
  const size = pageBytes ?? 0
  // A leaf of a table begins with 13.
  const page = Array.from({ length: pages ?? 0 }, (_, index) => index).find(
    (index) =>
      bytes[index * size] === 13 &&
      bytes.subarray(index * size, (index + 1) * size).includes(`${id}router`),
  )
  if (page === undefined) throw new Error(`no page has ${id}`)
  const handle = openSync(database, 'r+')
  writeSync(handle, Buffer.alloc(size, 7), 0, size, page * size)
  closeSync(handle)
}

test('adds the newer requests that can still be read from a damaged database, with their totals', async () => {
  const { dataDir, copy, database } = await backedUp()
  overwriteRow(database, '1 150')
  const damaged = readFileSync(database)

  const staged = await runDatabaseTask({ dataDir }, { kind: 'stage-restore', file: copy })
  expect(staged.after.requests).toBe(300)
  const task = { kind: 'apply-restore', nowMs: startMs } as const
  const { replaced, salvagedRequests } = await runDatabaseTask({ dataDir }, task)

  expect(salvagedRequests).toBeGreaterThan(250)
  expect(salvagedRequests).toBeLessThan(300)
  expect(replaced).toBe(join(dataDir, 'modelport.damaged-20261120T000000000Z.db'))
  expect(readFileSync(replaced ?? '')).toEqual(damaged)
  const storage = await openStorage({ dataDir })
  onTestFinished(() => storage.close())
  expect(await storage.ledger.get('1 299')).not.toBeNull()
  expect(await storage.ledger.get('1 0')).not.toBeNull()
  expect(await storage.maintenance.check('full')).toMatchObject({
    problems: [],
    daysThatDiffer: [],
  })
})

test('restores over a file that is no database, and adds nothing', async () => {
  const { dataDir, copy, database } = await backedUp()
  const handle = openSync(database, 'r+')
  writeSync(handle, Buffer.alloc(4096, 7), 0, 4096, 0)
  closeSync(handle)

  await runDatabaseTask({ dataDir }, { kind: 'stage-restore', file: copy })
  const task = { kind: 'apply-restore', nowMs: startMs } as const
  const { replaced, salvagedRequests } = await runDatabaseTask({ dataDir }, task)

  expect(salvagedRequests).toBe(0)
  expect(existsSync(replaced ?? '')).toBe(true)
  const counts = await runDatabaseTask({ dataDir }, { kind: 'count', files: [database] })
  expect(counts).toMatchObject([{ counts: { requests: 300 }, hasKnownSchema: true }])
})
