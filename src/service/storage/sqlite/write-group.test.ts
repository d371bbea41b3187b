import Sqlite from 'better-sqlite3'
import { expect, onTestFinished, test } from 'vitest'
import { openWriteGroup } from './write-group.ts'

function openNumbers() {
  const db = new Sqlite(':memory:')
  onTestFinished(() => void db.close())
  db.exec('CREATE TABLE numbers (value INTEGER PRIMARY KEY CHECK (value < 100)) STRICT')
  const insert = db.prepare<[number]>('INSERT INTO numbers (value) VALUES (?)')
  const kept = () => db.prepare('SELECT value FROM numbers').pluck().all()
  return { db, insert, kept, run: openWriteGroup(db, { apply() {}, drop() {} }) }
}

test('answers each write of a group with its own result', () => {
  const { insert, run, kept } = openNumbers()
  const outcomes = run([() => insert.run(1).changes, () => insert.run(2).changes])
  expect(outcomes).toEqual([
    { ok: true, value: 1 },
    { ok: true, value: 1 },
  ])
  expect(kept()).toEqual([1, 2])
})

test('undoes only the failed write, including its earlier changes', () => {
  const { insert, run, kept } = openNumbers()
  const outcomes = run([
    () => insert.run(1),
    () => [insert.run(2), insert.run(1)],
    () => insert.run(3),
  ])
  expect(outcomes.map(({ ok }) => ok)).toEqual([true, false, true])
  expect(outcomes[1]).toMatchObject({ failure: { name: 'StorageConflict' } })
  expect(kept()).toEqual([1, 3])
})

test('undoes a failed write that is alone in its group, and runs the next one', () => {
  const { insert, run, kept } = openNumbers()
  const outcomes = run([() => [insert.run(1), insert.run(1)]])
  expect(outcomes).toMatchObject([{ ok: false, failure: { name: 'StorageConflict' } }])
  expect(kept()).toEqual([])
  expect(run([() => insert.run(2).changes])).toEqual([{ ok: true, value: 1 }])
  expect(kept()).toEqual([2])
})

test('fails every write of a group when an error ended the transaction', () => {
  const { db, insert, run, kept } = openNumbers()
  const outcomes = run([
    () => insert.run(1),
    () => {
      db.exec('ROLLBACK')
      throw new Sqlite.SqliteError('database or disk is full', 'SQLITE_FULL')
    },
    () => insert.run(3),
  ])
  expect(outcomes.map(({ ok }) => ok)).toEqual([false, false, false])
  expect(kept()).toEqual([])
  expect(run([() => insert.run(4)]).map(({ ok }) => ok)).toEqual([true])
})

test('tries each write alone when the end of the transaction failed for one of them', () => {
  const db = new Sqlite(':memory:')
  onTestFinished(() => void db.close())
  db.exec('CREATE TABLE sums (value INTEGER PRIMARY KEY CHECK (value < 100)) STRICT')
  const insert = db.prepare<[number]>('INSERT INTO sums (value) VALUES (?)')
  let pending: number[] = []
  const run = openWriteGroup(db, {
    apply: () => pending.splice(0).forEach((value) => insert.run(value)),
    drop: () => (pending = []),
  })

  const outcomes = run([1, 500, 2].map((value) => () => pending.push(value)))

  expect(outcomes.map(({ ok }) => ok)).toEqual([true, false, true])
  expect(db.prepare('SELECT value FROM sums').pluck().all()).toEqual([1, 2])
})
