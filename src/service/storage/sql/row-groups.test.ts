import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { sampleDetail, sampleRecord } from '../../../../test/storage/samples.ts'
import type { StorageOutage } from '../maintenance.ts'
import { StorageConflict, StorageRejected, StorageUnavailable } from '../storage.ts'
import { toRowValues, type RowValues } from './ledger-row.ts'
import type { RefusedRow } from './sql.ts'
import { RowGroups } from './row-groups.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

const row = (id: string) => toRowValues({ record: sampleRecord({ id }), detail: sampleDetail() })

/** A database that stores rows, or that is full. */
function openGroups({ patienceMs = 5 } = {}) {
  const stored: unknown[] = []
  const database = {
    fault: null as Error | null,
    sends: 0,
    failures: [] as RefusedRow[],
    /** Delays the reply of the database until it resolves. */
    until: Promise.resolve(),
  }
  const written: unknown[] = []
  const journal = {
    read: () => Promise.resolve({ rows: [], isWhole: true }),
    add: (rows: readonly RowValues[]) =>
      Promise.resolve(void written.push(...rows.map(([id]) => id))),
    clear: vi.fn<() => Promise<void>>(() => Promise.resolve()),
    setAside: () => Promise.resolve(),
    close: () => Promise.resolve(),
  }
  const groups = new RowGroups({
    patienceMs,
    journal,
    async send(rows: readonly RowValues[]) {
      database.sends += 1
      await database.until
      if (database.fault !== null) throw database.fault
      stored.push(...rows.map(([id]) => id))
      return database.failures
    },
    async probe() {
      if (database.fault !== null) throw database.fault
    },
    isOutage: ({ code = '' }) => code.startsWith('SQLITE_FULL'),
  })
  const changes: (StorageOutage | null)[] = []
  groups.onChange((outage) => changes.push(outage))
  return { groups, database, journal, written, stored, changes }
}

/** The reason for a rejection; null when it does not reject. */
const reasonOf = (added: Promise<void>): Promise<unknown> =>
  added.then(
    () => null,
    (error: unknown) => error,
  )

const full = new StorageUnavailable('database or disk is full')

test('stores rows together that arrive within the patience of their database', async () => {
  const { groups, database, stored } = openGroups({ patienceMs: 25 })
  const rows = [groups.add(row('first'))]
  await vi.advanceTimersByTimeAsync(24)
  rows.push(groups.add(row('second')))
  expect(database.sends).toBe(0)
  await vi.advanceTimersByTimeAsync(1)
  await Promise.all(rows)
  expect([database.sends, stored]).toEqual([1, ['first', 'second']])
})

test('keeps rows in memory while the disk is full, and then stores them in order', async () => {
  const { groups, database, stored, changes } = openGroups()
  database.fault = full
  const first = groups.add(row('first'))
  await vi.advanceTimersByTimeAsync(10)
  const second = groups.add(row('second'))
  await vi.advanceTimersByTimeAsync(400)
  expect([stored, groups.outage()]).toEqual([[], { cause: full, canStoreRows: false }])

  database.fault = null
  await vi.advanceTimersByTimeAsync(5_000)
  await Promise.all([first, second])

  expect(stored).toEqual(['first', 'second'])
  expect(changes).toEqual([{ cause: full, canStoreRows: false }, null])
  expect(groups.outage()).toBeNull()
})

test('retries with a growing delay of at most 2 s, and reports the outage once', async () => {
  const { groups, database, changes } = openGroups()
  database.fault = full
  const added = groups.add(row('first'))
  await vi.advanceTimersByTimeAsync(60_000)
  // Immediately, then after 0.25, 0.5 and 1 s, and then every 2 s.
  expect(database.sends).toBe(4 + 29)
  expect(changes).toHaveLength(1)
  database.fault = null
  await vi.advanceTimersByTimeAsync(5_000)
  await added
})

test('reports a shortage of space as an outage in which rows are stored', async () => {
  const { groups, database, stored, changes } = openGroups()
  groups.setShortage(full)
  const added = groups.add(row('first'))
  await vi.advanceTimersByTimeAsync(10)
  await added
  database.fault = new StorageUnavailable('disk I/O error')
  const second = groups.add(row('second'))
  await vi.advanceTimersByTimeAsync(10)
  database.fault = null
  await vi.advanceTimersByTimeAsync(2_000)
  await second
  groups.setShortage(null)
  expect(stored).toEqual(['first', 'second'])
  expect(changes.map((outage) => outage?.canStoreRows ?? null)).toEqual([true, false, true, null])
})

test('an outage that begins with another write ends once the database can be written', async () => {
  const { groups, database, changes } = openGroups()
  database.fault = new StorageUnavailable('disk full', { code: 'SQLITE_FULL' })
  groups.writeFailed(new StorageUnavailable('locked', { code: 'SQLITE_BUSY' }))
  groups.writeFailed(new StorageRejected('too large'))
  expect(changes).toEqual([])
  groups.writeFailed(database.fault)
  await vi.advanceTimersByTimeAsync(10_000)
  expect(changes).toEqual([{ cause: database.fault, canStoreRows: false }])
  database.fault = null
  await vi.advanceTimersByTimeAsync(2_000)
  expect(changes.at(-1)).toBeNull()
})

test('starts a second outage with the short delay again', async () => {
  const { groups, database, stored } = openGroups()
  for (const id of ['first', 'second']) {
    database.fault = full
    const added = groups.add(row(id))
    await vi.advanceTimersByTimeAsync(200)
    database.fault = null
    await vi.advanceTimersByTimeAsync(100)
    await added
  }
  expect(stored).toEqual(['first', 'second'])
})

test('counts a retried row that is already stored as stored', async () => {
  const { groups, database } = openGroups()
  database.fault = full
  const added = groups.add(row('first'))
  await vi.advanceTimersByTimeAsync(10)
  database.fault = null
  database.failures = [{ index: 0, error: new StorageConflict('taken') }]
  await vi.advanceTimersByTimeAsync(1_000)
  await expect(added).resolves.toBeUndefined()
})

test('reports an outage at 10,000 queued rows until half of them are stored, and drops none', async () => {
  const { groups, database, stored, changes } = openGroups()
  let answer: () => void = () => {}
  // A database that hangs reports no failure.
  database.until = new Promise((resolve) => {
    answer = resolve
  })
  const one = row('any')
  const added = Array.from({ length: 9_999 }, () => groups.add(one))
  await vi.advanceTimersByTimeAsync(10)
  expect(groups.outage()).toBeNull()
  added.push(...Array.from({ length: 501 }, () => groups.add(one)))
  expect(groups.outage()).toMatchObject({
    cause: { message: 'Too many rows wait to be stored' },
    canStoreRows: true,
  })

  database.fault = full
  answer()
  await vi.advanceTimersByTimeAsync(10)
  expect(groups.outage()).toEqual({ cause: full, canStoreRows: false })
  database.fault = null
  await vi.advanceTimersByTimeAsync(5_000)
  await Promise.all(added)

  expect(stored).toHaveLength(10_500)
  expect(changes.map((outage) => outage?.canStoreRows ?? null)).toEqual([true, false, null])
})

test('stores waiting rows when it is closed, if the disk has space by then', async () => {
  const { groups, database, stored } = openGroups()
  database.fault = full
  const added = groups.add(row('first'))
  await vi.advanceTimersByTimeAsync(10)
  database.fault = null
  groups.close()
  await added
  expect(stored).toEqual(['first'])
})

test('rejects waiting rows when it is closed and the disk is still full', async () => {
  const { groups, database } = openGroups()
  database.fault = full
  const lost = reasonOf(groups.add(row('first')))
  await vi.advanceTimersByTimeAsync(10)
  groups.close()
  expect(await lost).toBe(full)
})

test('rejects rows that the database refuses, without an outage', async () => {
  const { groups, database, changes } = openGroups()
  database.fault = new StorageRejected('planted')
  const lost = reasonOf(groups.add(row('first')))
  await vi.advanceTimersByTimeAsync(10)
  expect(await lost).toBe(database.fault)
  expect(changes).toEqual([])
})

test('sends an urgent row at the end of the loop iteration, with the other rows of that iteration', async () => {
  const { groups, database, stored } = openGroups()
  const added = [
    groups.add(row('first')),
    groups.add(row('second'), true),
    groups.add(row('third')),
  ]
  await vi.advanceTimersByTimeAsync(0)
  await Promise.all(added)
  expect([stored, database.sends]).toEqual([['first', 'second', 'third'], 1])
})

test('urgent rows that arrive while others are being stored share the next commit', async () => {
  const { groups, database, stored } = openGroups()
  const first = groups.add(row('first'), true)
  await vi.advanceTimersByTimeAsync(0)
  await first
  const sends = database.sends
  let answer: () => void = () => {}
  database.until = new Promise((resolve) => {
    answer = resolve
  })
  const slow = groups.add(row('slow'), true)
  await vi.advanceTimersByTimeAsync(1)
  const held = [groups.add(row('a'), true), groups.add(row('b'), true)]
  await vi.advanceTimersByTimeAsync(1)
  expect(database.sends - sends).toBe(1)
  answer()
  await Promise.all([slow, ...held])
  expect([stored, database.sends - sends]).toEqual([['first', 'slow', 'a', 'b'], 2])
})

test('rows that arrive while a group is being stored form the next one, unless it gets too large', async () => {
  const { groups, database } = openGroups()
  let answer: () => void = () => {}
  database.until = new Promise((resolve) => {
    answer = resolve
  })
  const added = [groups.add(row('first'))]
  for (let later = 0; later < 3; later += 1) {
    await vi.advanceTimersByTimeAsync(20)
    added.push(groups.add(row(`later-${later}`)))
  }
  await vi.advanceTimersByTimeAsync(20)
  expect(database.sends).toBe(1)
  for (let more = 3; more < 500; more += 1) added.push(groups.add(row(`later-${more}`)))
  expect(database.sends).toBe(2)
  answer()
  await Promise.all(added)
})

test('rows that wait are in the journal until all of them are stored', async () => {
  const { groups, database, journal, written } = openGroups()
  database.fault = full
  const added = [groups.add(row('first'))]
  await vi.advanceTimersByTimeAsync(10)
  added.push(groups.add(row('second')))
  await vi.advanceTimersByTimeAsync(10)
  expect(written).toEqual(['first', 'second'])

  database.fault = null
  await vi.advanceTimersByTimeAsync(5_000)
  await Promise.all(added)
  expect(journal.clear).toHaveBeenCalledTimes(1)
  expect(written).toEqual(['first', 'second'])
})

test('rows are in the journal after a second in which the database did not answer', async () => {
  const { groups, database, journal, written } = openGroups()
  const answer = Promise.withResolvers<void>()
  database.until = answer.promise
  const added = groups.add(row('first'))
  await vi.advanceTimersByTimeAsync(1_004)
  expect(written).toEqual([])
  await vi.advanceTimersByTimeAsync(1)
  expect(written).toEqual(['first'])
  expect(journal.clear).not.toHaveBeenCalled()

  answer.resolve()
  await added
  expect(journal.clear).toHaveBeenCalledTimes(1)
})

test('rows that cannot be stored at the end stay in the journal', async () => {
  const { groups, database, journal, written } = openGroups()
  database.fault = full
  const reasons = [reasonOf(groups.add(row('first')))]
  await vi.advanceTimersByTimeAsync(10)
  reasons.push(reasonOf(groups.add(row('second'))))
  groups.close()

  expect(await Promise.all(reasons)).toEqual([full, full])
  expect(written).toEqual(['first', 'second'])
  expect(journal.clear).not.toHaveBeenCalled()
})

test('a row that is refused in the end leaves the journal', async () => {
  const { groups, database, journal } = openGroups()
  database.fault = full
  const reason = reasonOf(groups.add(row('first')))
  await vi.advanceTimersByTimeAsync(10)
  database.fault = new StorageRejected('planted')
  await vi.advanceTimersByTimeAsync(1_000)
  expect(await reason).toBe(database.fault)
  expect(journal.clear).toHaveBeenCalledTimes(1)
})
