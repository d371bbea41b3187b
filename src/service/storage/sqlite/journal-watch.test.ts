import { rmSync, utimesSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { temporaryFolder } from '../../../../test/storage/temporary-folder.ts'
import { watchJournal } from './journal-watch.ts'

beforeEach(() => vi.useFakeTimers())
afterEach(() => vi.useRealTimers())

test('a journal at rest wakes nobody; each write does, also one that leaves time and size as they were', () => {
  const database = join(temporaryFolder(), 'modelport.db')
  const journal = `${database}-wal`
  const write = (text: string, secondsAgo = 0) => {
    writeFileSync(journal, text)
    const atS = Date.now() / 1000 - secondsAgo
    utimesSync(journal, atS, atS)
  }
  write('1', 60)
  const onWrite = vi.fn<() => void>()
  const stop = watchJournal(database, onWrite)
  const calls = (ms: number) => {
    onWrite.mockClear()
    vi.advanceTimersByTime(ms)
    return onWrite.mock.calls.length
  }
  expect(calls(10_000)).toBe(0)

  write('12', 60)
  expect(calls(10_000)).toBe(1)

  write('12')
  expect(calls(10_000)).toBeGreaterThanOrEqual(5)
  expect(calls(10_000)).toBe(0)

  rmSync(journal)
  expect(calls(1_000)).toBe(2)
  stop()
  expect(calls(1_000)).toBe(0)
})
