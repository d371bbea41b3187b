import { statSync } from 'node:fs'
import { join } from 'node:path'
import type Sqlite from 'better-sqlite3'
import { expect, onTestFinished, test } from 'vitest'
import { sampleDetail, sampleRecord } from '../../../../test/storage/samples.ts'
import { temporaryFolder } from '../../../../test/storage/temporary-folder.ts'
import { openDatabase } from './database.ts'
import { openSqliteLedger } from './ledger-parts.ts'
import { toRowValues } from '../sql/ledger-row.ts'
import { openWriteGroup } from './write-group.ts'

const dayMs = 86_400_000

function openIn(dataDir: string): Sqlite.Database {
  const db = openDatabase({ dataDir })
  onTestFinished(() => void db.close())
  return db
}

/** A month of requests. */
async function fill(db: Sqlite.Database, rows: number): Promise<void> {
  const ledger = openSqliteLedger(db)
  const write = openWriteGroup(db)
  const all = Array.from({ length: rows }, (_, row) => ({
    record: sampleRecord({
      id: `request-${row}`,
      startedAtMs: Math.floor((row * 30 * dayMs) / rows),
    }),
    detail: sampleDetail(),
  }))
  await write([() => ledger.appendAll(all.map(toRowValues))])
}

async function pruneAll(
  db: Sqlite.Database,
  limits: { rowsBeforeMs: number; maxBytes: number },
): Promise<void> {
  const { prune } = openSqliteLedger(db)
  const others = { minutesBeforeMs: 0, hoursBeforeMs: 0, keptSinceMs: 29 * dayMs }
  while (!(await prune({ ...limits, ...others })));
}

const usedBytes = (db: Sqlite.Database) =>
  4096 *
  (Number(db.pragma('page_count', { simple: true })) -
    Number(db.pragma('freelist_count', { simple: true })))

test('the file shrinks when rows are deleted', async () => {
  const dataDir = temporaryFolder()
  const db = openIn(dataDir)
  await fill(db, 20_000)
  db.pragma('wal_checkpoint(TRUNCATE)')
  const before = statSync(join(dataDir, 'modelport.db')).size
  await pruneAll(db, { rowsBeforeMs: 27 * dayMs, maxBytes: 2 ** 40 })
  db.pragma('wal_checkpoint(TRUNCATE)')
  const after = statSync(join(dataDir, 'modelport.db')).size

  expect(db.prepare('SELECT count(*) FROM requests').pluck().get()).toBe(2_000)
  expect(before - after).toBeGreaterThan(5 * 1024 * 1024)
  expect(db.pragma('integrity_check', { simple: true })).toBe('ok')
})

test('deletes the oldest requests until the database is small enough, and then stops', async () => {
  const db = openIn(temporaryFolder())
  await fill(db, 10_000)
  const maxBytes = usedBytes(db) - 2 * 1024 * 1024
  await pruneAll(db, { rowsBeforeMs: 0, maxBytes })

  expect(usedBytes(db)).toBeLessThanOrEqual(maxBytes)
  expect(usedBytes(db)).toBeGreaterThan(maxBytes - 512 * 1024)
  const kept = db.prepare<[], number>('SELECT count(*) FROM requests').pluck().get()
  const oldest = db.prepare('SELECT min(started_at_ms) FROM requests').pluck().get()
  expect(oldest).toBe(Math.floor(((10_000 - Number(kept)) * 30 * dayMs) / 10_000))
})
