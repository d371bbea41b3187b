import Sqlite from 'better-sqlite3'
import { expect, onTestFinished, test } from 'vitest'
import { openWriteGroup } from './write-group.ts'

function openNumbers() {
  const db = new Sqlite(':memory:')
  onTestFinished(() => void db.close())
  db.exec('CREATE TABLE numbers (value INTEGER PRIMARY KEY CHECK (value < 100)) STRICT')
  const insert = db.prepare<[number]>('INSERT INTO numbers (value) VALUES (?)')
  const kept = () => db.prepare('SELECT value FROM numbers').pluck().all()
  return { db, insert, kept, run: openWriteGroup(db) }
}

test('answers each write of a group with its own result', async () => {
  const { insert, run, kept } = openNumbers()
  const outcomes = await run([() => insert.run(1).changes, () => insert.run(2).changes])
  expect(outcomes).toEqual([
    { ok: true, value: 1 },
    { ok: true, value: 1 },
  ])
  expect(kept()).toEqual([1, 2])
})

test('undoes only the failed write, including its earlier changes', async () => {
  const { insert, run, kept } = openNumbers()
  const outcomes = await run([
    () => insert.run(1),
    () => [insert.run(2), insert.run(1)],
    () => insert.run(3),
  ])
  expect(outcomes.map(({ ok }) => ok)).toEqual([true, false, true])
  expect(outcomes[1]).toMatchObject({ failure: { name: 'StorageConflict' } })
  expect(kept()).toEqual([1, 3])
})

test('undoes a failed write that is alone in its group, and runs the next one', async () => {
  const { insert, run, kept } = openNumbers()
  const outcomes = await run([() => [insert.run(1), insert.run(1)]])
  expect(outcomes).toMatchObject([{ ok: false, failure: { name: 'StorageConflict' } }])
  expect(kept()).toEqual([])
  expect(await run([() => insert.run(2).changes])).toEqual([{ ok: true, value: 1 }])
  expect(kept()).toEqual([2])
})

test('fails every write of a group when an error ended the transaction', async () => {
  const { db, insert, run, kept } = openNumbers()
  const outcomes = await run([
    () => insert.run(1),
    () => {
      db.exec('ROLLBACK')
      throw new Sqlite.SqliteError('database or disk is full', 'SQLITE_FULL')
    },
    () => insert.run(3),
  ])
  expect(outcomes.map(({ ok }) => ok)).toEqual([false, false, false])
  expect(kept()).toEqual([])
  expect(await run([() => insert.run(4)])).toMatchObject([{ ok: true }])
})

test('tries each write alone when one of them ended the transaction', async () => {
  const { db, insert, run, kept } = openNumbers()
  db.exec(`CREATE TRIGGER ending BEFORE INSERT ON numbers WHEN new.value = 50
           BEGIN SELECT raise(ROLLBACK, 'ended'); END`)

  const outcomes = await run([1, 50, 2].map((value) => () => insert.run(value).changes))

  expect(outcomes.map(({ ok }) => ok)).toEqual([true, false, true])
  expect(kept()).toEqual([1, 2])
})
