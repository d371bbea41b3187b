import { expect, onTestFinished, test, vi } from 'vitest'
import { watchClock } from './clock.ts'
import { createEventHub } from './events.ts'

test('a set clock is told once, within half a second, and never without one', () => {
  vi.useFakeTimers()
  onTestFinished(() => void vi.useRealTimers())
  const events = createEventHub((error) => expect.unreachable(String(error)))
  const told = vi.fn<() => void>()
  events.on('clock', told)
  const { close } = watchClock({ events, now: Date.now })
  vi.advanceTimersByTime(60_000)
  expect(told).not.toHaveBeenCalled()

  vi.setSystemTime(Date.now() - 86_400_000)
  vi.advanceTimersByTime(500)
  expect(told).toHaveBeenCalledOnce()
  vi.advanceTimersByTime(60_000)
  expect(told).toHaveBeenCalledOnce()

  close()
  vi.setSystemTime(0)
  vi.advanceTimersByTime(60_000)
  expect(told).toHaveBeenCalledOnce()
})
