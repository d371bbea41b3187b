import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { watchReader } from './stalled-reader.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

test('a reader that takes a little every time is left alone', () => {
  const response = { writableLength: 100_000 }
  const onStalled = vi.fn<() => void>()
  watchReader(response, 1_000, onStalled)

  for (let second = 0; second < 60; second += 1) {
    response.writableLength -= 1
    vi.advanceTimersByTime(1_000)
  }

  expect(onStalled).not.toHaveBeenCalled()
})

test('one that takes nothing for so long is told of, once', () => {
  const onStalled = vi.fn<() => void>()
  watchReader({ writableLength: 100_000 }, 1_000, onStalled)

  vi.advanceTimersByTime(999)
  const early = onStalled.mock.calls.length
  vi.advanceTimersByTime(10_000)

  expect([early, onStalled.mock.calls.length]).toEqual([0, 1])
})

test('nothing is told of one that is no longer watched', () => {
  const onStalled = vi.fn<() => void>()
  watchReader({ writableLength: 100_000 }, 1_000, onStalled)()

  vi.advanceTimersByTime(10_000)

  expect(onStalled).not.toHaveBeenCalled()
})
