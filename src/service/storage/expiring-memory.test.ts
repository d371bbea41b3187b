import { expect, onTestFinished, test, vi } from 'vitest'
import { ExpiringMemory } from './expiring-memory.ts'

function openKept(over: { maxEntries?: number; maxBytes?: number } = {}) {
  const time = { ms: 0 }
  const kept = new ExpiringMemory<string>({
    maxEntries: 100,
    maxBytes: 1_600,
    clock: () => time.ms,
    ...over,
  })
  onTestFinished(() => kept.close())
  return { kept, time }
}

test('returns a value until it expires', () => {
  const { kept, time } = openKept()
  kept.put('a', 'answer', { bytes: 10, ttlMs: 1_000 })
  time.ms = 999
  expect(kept.get('a')).toBe('answer')
  time.ms = 1_000
  expect(kept.get('a')).toBeNull()
  expect(kept.size()).toEqual({ entries: 0, bytes: 0 })
})

test('deletes the oldest value to make room for a new one', () => {
  const { kept } = openKept()
  for (let n = 0; n < 17; n += 1) kept.put(`key ${n}`, `answer ${n}`, { bytes: 100, ttlMs: 1_000 })
  expect(kept.size()).toEqual({ entries: 16, bytes: 1_600 })
  expect(kept.get('key 0')).toBeNull()
  expect(kept.get('key 1')).toBe('answer 1')
})

test('deletes the oldest value when there are too many', () => {
  const { kept } = openKept({ maxEntries: 2 })
  for (const key of ['a', 'b', 'c']) kept.put(key, key, { bytes: 1, ttlMs: 1_000 })
  expect([kept.get('a'), kept.get('b'), kept.get('c')]).toEqual([null, 'b', 'c'])
})

test('does not store a value larger than a sixteenth of the limit', () => {
  const { kept } = openKept()
  kept.put('small', 'small', { bytes: 100, ttlMs: 1_000 })
  kept.put('large', 'large', { bytes: 101, ttlMs: 1_000 })
  expect([kept.get('small'), kept.get('large')]).toEqual(['small', null])
})

test('counts the bytes of a replaced answer once', () => {
  const { kept } = openKept()
  kept.put('a', 'first', { bytes: 100, ttlMs: 1_000 })
  kept.put('a', 'second', { bytes: 40, ttlMs: 1_000 })
  expect(kept.get('a')).toBe('second')
  expect(kept.size()).toEqual({ entries: 1, bytes: 40 })
})

test('deletes values on request', () => {
  const { kept } = openKept()
  for (const key of ['a', 'b']) kept.put(key, key, { bytes: 1, ttlMs: 1_000 })
  kept.forgetWhere((value) => value === 'a')
  expect([kept.get('a'), kept.get('b')]).toEqual([null, 'b'])
})

test('deletes expired values that are never read again, and then stops its timer', () => {
  vi.useFakeTimers()
  onTestFinished(() => void vi.useRealTimers())
  const { kept, time } = openKept()
  kept.put('a', 'answer', { bytes: 10, ttlMs: 600_000 })
  time.ms = 599_999
  vi.advanceTimersByTime(5_000)
  expect(kept.size().entries).toBe(1)
  time.ms = 600_000
  vi.advanceTimersByTime(5_000)
  expect(kept.size()).toEqual({ entries: 0, bytes: 0 })
  expect(vi.getTimerCount()).toBe(0)
})
