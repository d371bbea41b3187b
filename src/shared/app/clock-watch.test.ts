import { expect, test } from 'vitest'
import { ClockWatch } from './clock-watch.ts'

function start() {
  const time = { clockMs: 1_000_000, steadyMs: 0 }
  const watch = new ClockWatch(
    () => time.clockMs,
    () => time.steadyMs,
  )
  const pass = (ms: number, steadyMs = ms) => {
    time.clockMs += ms
    time.steadyMs += steadyMs
  }
  return { watch, pass }
}

test('time that passes is no change of the clock, however long', () => {
  const { watch, pass } = start()
  pass(86_400_000)
  expect(watch.look()).toBe(false)
})

test.each([3_600_000, -3_600_000])('a clock set by %i ms is noticed once', (ms) => {
  const { watch, pass } = start()
  pass(ms, 0)
  expect(watch.look()).toBe(true)
  expect(watch.look()).toBe(false)
})

test('a clock that was set back is noticed as well', () => {
  const { watch, pass } = start()
  pass(3_600_000, 0)
  watch.look()
  pass(-3_600_000, 0)
  expect(watch.look()).toBe(true)
})

test('a clock that runs a little faster is never set', () => {
  const { watch, pass } = start()
  for (let hour = 0; hour < 24; hour += 1) {
    pass(3_600_500, 3_600_000)
    expect(watch.look()).toBe(false)
  }
})
