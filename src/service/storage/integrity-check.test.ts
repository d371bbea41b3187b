import { join } from 'node:path'
import { openSync, closeSync, readFileSync, writeFileSync, writeSync } from 'node:fs'
import Sqlite from 'better-sqlite3'
import { afterEach, expect, onTestFinished, test, vi } from 'vitest'
import { temporaryFolder } from '../../../test/storage/temporary-folder.ts'
import { sampleDetail, sampleRecord } from '../../../test/storage/samples.ts'
import { scheduleIntegrityCheck } from './integrity-check.ts'
import { openCheck } from './sqlite/maintenance.ts'
import { openStorage } from './sqlite/open-storage.ts'

afterEach(() => void vi.useRealTimers())

/** A database with rows; one of its pages was overwritten without SQLite's knowledge. */
async function openDamaged() {
  const dataDir = temporaryFolder()
  const first = await openStorage({ dataDir })
  const rows = Array.from({ length: 500 }, (_, row) => sampleRecord({ id: `row ${row}` }))
  await Promise.all(rows.map((row) => first.ledger.append(row, sampleDetail())))
  await first.close()
  const file = join(dataDir, 'modelport.db')
  const db = new Sqlite(file)
  const page = db
    .prepare<[], number>("SELECT rootpage FROM sqlite_schema WHERE name = 'requests'")
    .pluck()
    .get()
  db.close()
  const handle = openSync(file, 'r+')
  writeSync(handle, Buffer.alloc(4096, 7), 0, 4096, ((page ?? 0) - 1) * 4096)
  closeSync(handle)
  const storage = await openStorage({ dataDir })
  onTestFinished(() => storage.close())
  return storage
}

test('reports damage in a database that can still be opened', async () => {
  const { maintenance } = await openDamaged()
  vi.useFakeTimers({ toFake: ['setTimeout', 'setInterval', 'clearTimeout'] })
  const check = vi.fn<typeof maintenance.check>((depth) => maintenance.check(depth))
  const onResult = vi.fn<(problem: string | null) => void>()
  const onError = (error: unknown) => {
    throw error
  }
  scheduleIntegrityCheck({ maintenance: { check }, isShared: false, onResult, onError })
  vi.advanceTimersByTime(10_000)
  await check.mock.results[0]?.value
  // The engine names the page, or cannot read on at all.
  expect(onResult).toHaveBeenCalledExactlyOnceWith(expect.stringMatching(/requests|page|damaged/i))
})

test('notices each damaged page at the full check, also those that hold the schema', async () => {
  const dataDir = temporaryFolder()
  const storage = await openStorage({ dataDir })
  onTestFinished(() => storage.close())
  const rows = Array.from({ length: 300 }, (_, row) => sampleRecord({ id: `row ${row}` }))
  await Promise.all(rows.map((row) => storage.ledger.append(row, sampleDetail())))
  const whole = join(dataDir, 'whole.db')
  await storage.maintenance.backup({ file: whole, replaces: false })
  const bytes = readFileSync(whole)
  const unnoticed: number[] = []
  for (let start = 4096; start < bytes.length; start += 4096) {
    const file = join(dataDir, 'damaged.db')
    writeFileSync(file, Buffer.from(bytes).fill(7, start, start + 4096))
    const db = new Sqlite(file, { readonly: true })
    const { problems } = await openCheck(db)('full')
    db.close()
    if (problems.length === 0) unnoticed.push(start / 4096 + 1)
  }
  expect(unnoticed).toEqual([])
})

test('does not take a lock of another program for damage', async () => {
  const dataDir = temporaryFolder()
  await (await openStorage({ dataDir })).close()
  const file = join(dataDir, 'modelport.db')
  const other = new Sqlite(file)
  other.pragma('locking_mode = EXCLUSIVE')
  other.exec('BEGIN EXCLUSIVE')
  const db = new Sqlite(file, { readonly: true, timeout: 0 })
  await expect(openCheck(db)('quick')).rejects.toThrow('database is locked')
  db.close()
  other.close()
})

test.each([
  { name: 'a file', isShared: false, expected: ['quick', 'full', 'full', 'full'] },
  { name: 'PostgreSQL', isShared: true, expected: ['quick'] },
])(
  'checks $name quickly after the start, and a file in full every day',
  ({ isShared, expected }) => {
    vi.useFakeTimers()
    const depths: string[] = []
    const check = async (depth: string) => {
      depths.push(depth)
      return { engine: '', problems: [], daysThatDiffer: [], isDurable: true }
    }
    scheduleIntegrityCheck({
      maintenance: { check },
      isShared,
      onResult: () => {},
      onError: () => {},
    })
    vi.advanceTimersByTime(2 * 86_400_000)
    expect(depths).toEqual(expected)
  },
)

test('does not begin after it was closed', () => {
  vi.useFakeTimers()
  const check = vi.fn<() => never>()
  const scheduled = scheduleIntegrityCheck({
    maintenance: { check },
    isShared: false,
    onResult: () => {},
    onError: () => {},
  })
  scheduled.close()
  vi.advanceTimersByTime(2 * 86_400_000)
  expect(check).not.toHaveBeenCalled()
})
