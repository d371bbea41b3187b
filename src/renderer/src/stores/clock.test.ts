import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { noteClock, onTick, readClock } from './clock.ts'

const dayMs = 86_400_000
let shownMs = 0
let stop: () => void

beforeEach(() => {
  vi.useFakeTimers()
  const update = () => (shownMs = readClock())
  update()
  // What the change to fake time set off.
  vi.advanceTimersByTime(1_000)
  stop = onTick(update)
})
afterEach(() => {
  stop()
  vi.useRealTimers()
})

test('the shown time moves on every 30 s', () => {
  vi.advanceTimersByTime(30_000)
  expect(shownMs).toBe(Date.now())
})

test('a clock that was set is shown when the main process tells of it', () => {
  vi.setSystemTime(Date.now() + dayMs)
  noteClock()
  expect(shownMs).toBe(Date.now())
})

test('when one part of the window has read a clock that was set, all of it shows the same time', () => {
  vi.setSystemTime(Date.now() + dayMs)
  readClock()
  vi.advanceTimersByTime(0)
  expect(shownMs).toBe(Date.now())
})

test('a clock set and set back before the main process looked is shown for less than a second', () => {
  const set = Date.now() + dayMs
  vi.setSystemTime(set)
  readClock()
  vi.advanceTimersByTime(300)
  expect(shownMs).toBeGreaterThanOrEqual(set)

  vi.setSystemTime(Date.now() - dayMs)
  vi.advanceTimersByTime(700)
  expect(shownMs).toBeLessThan(set)
})
