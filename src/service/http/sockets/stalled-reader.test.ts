import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { watchReader } from './stalled-reader.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

test('a client that reads a little each time stays connected', () => {
  const response = { writableLength: 100_000 }
  const onStalled = vi.fn<() => void>()
  watchReader(response, 1_000, onStalled)

  for (let second = 0; second < 60; second += 1) {
    response.writableLength -= 1
    vi.advanceTimersByTime(1_000)
  }

  expect(onStalled).not.toHaveBeenCalled()
})

test('a client that reads nothing for the whole time is reported once', () => {
  const onStalled = vi.fn<() => void>()
  watchReader({ writableLength: 100_000 }, 1_000, onStalled)

  vi.advanceTimersByTime(999)
  const early = onStalled.mock.calls.length
  vi.advanceTimersByTime(10_000)

  expect([early, onStalled.mock.calls.length]).toEqual([0, 1])
})

test('nothing is reported after the watch ended', () => {
  const onStalled = vi.fn<() => void>()
  watchReader({ writableLength: 100_000 }, 1_000, onStalled)()

  vi.advanceTimersByTime(10_000)

  expect(onStalled).not.toHaveBeenCalled()
})
