import { expect, onTestFinished, test, vi } from 'vitest'
import { Burst, type BurstReport } from './burst.ts'

const second = 1_000

function startBurst() {
  const clock = { nowMs: 5_000_000 }
  const burst = new Burst(() => clock.nowMs)
  const takeMany = (count: number, requestsPerMinute: number | null, id = 'router_1') => {
    let taken = 0
    for (let asked = 0; asked < count; asked += 1) {
      try {
        burst.take({ id, requestsPerMinute })
        taken += 1
      } catch {
        // Refused requests are counted as the difference.
      }
    }
    return taken
  }
  return { burst, clock, takeMany }
}

test.each([1, 7, 1_000])('accepts exactly %i of 2,000 simultaneous requests', (limit) => {
  expect(startBurst().takeMany(2_000, limit)).toBe(limit)
})

test('accepts everything without a limit', () => {
  const { burst, takeMany } = startBurst()

  expect(takeMany(2_000, null)).toBe(2_000)
  expect(burst.take({ id: 'router_1', requestsPerMinute: null })).toBeNull()
})

test('no 60 seconds exceed the limit, also after a pause', () => {
  const { clock, takeMany } = startBurst()
  clock.nowMs += 3_600 * second
  const taken: number[] = []
  for (let at = 0; at < 600; at += 1) {
    for (let served = takeMany(3, 10); served > 0; served -= 1) taken.push(clock.nowMs)
    clock.nowMs += second
  }

  const busiest = taken.map((from) => taken.filter((at) => at >= from && at < from + 60 * second))
  expect(Math.max(...busiest.map(({ length }) => length))).toBe(10)
  expect(taken).toHaveLength(100)
})

test('each request stops counting after a minute', () => {
  const { clock, takeMany } = startBurst()
  takeMany(1, 2)
  clock.nowMs += 20 * second
  takeMany(1, 2)

  clock.nowMs += 40 * second - 1
  expect(takeMany(5, 2)).toBe(0)
  clock.nowMs += 1
  expect(takeMany(5, 2)).toBe(1)
  clock.nowMs += 20 * second
  expect(takeMany(5, 2)).toBe(1)
})

test('a refusal asks to retry after a second', () => {
  const { burst, takeMany } = startBurst()
  takeMany(1, 1)

  expect(() => burst.take({ id: 'router_1', requestsPerMinute: 1 })).toThrow(
    expect.objectContaining({ code: 'rate_limit_exceeded', headers: { 'retry-after': '1' } }),
  )
})

test('only a returned request can be used again', () => {
  const { burst, clock, takeMany } = startBurst()
  const taken = burst.take({ id: 'router_1', requestsPerMinute: 2 })
  clock.nowMs += second
  takeMany(1, 2)
  burst.giveBack('router_1', taken ?? Number.NaN)

  expect(takeMany(5, 2)).toBe(1)
  clock.nowMs += 59 * second
  expect(takeMany(5, 2)).toBe(0)
})

test('a changed limit applies at once and counts earlier requests', () => {
  const { takeMany } = startBurst()
  takeMany(10, 10)

  expect(takeMany(50, 25)).toBe(15)
  expect(takeMany(50, 5)).toBe(0)
})

test('each router has its own minute', () => {
  const { takeMany } = startBurst()
  takeMany(3, 3)

  expect(takeMany(5, 3, 'router_2')).toBe(3)
})

test('what other nodes report counts for a minute', () => {
  const { burst, clock, takeMany } = startBurst()
  burst.share({ report: () => {}, nodesUnheard: () => null })
  burst.follow({ router_1: 6 })
  expect(takeMany(10, 10)).toBe(4)
  clock.nowMs += 60 * second
  expect(takeMany(10, 10)).toBe(10)
})

test('a node reports what it accepted and released, once in a tenth of a second', () => {
  vi.useFakeTimers()
  onTestFinished(() => void vi.useRealTimers())
  const { burst, takeMany } = startBurst()
  const report = vi.fn<(report: BurstReport) => void>()
  burst.share({ report, nodesUnheard: () => null })
  takeMany(3, 10)
  const takenAtMs = burst.take({ id: 'router_2', requestsPerMinute: 10 })
  burst.giveBack('router_2', takenAtMs ?? 0)
  takeMany(1, null, 'router_3')

  vi.advanceTimersByTime(100)
  expect(report.mock.calls).toEqual([[{ router_1: 3 }]])
  vi.advanceTimersByTime(1_000)
  expect(report).toHaveBeenCalledTimes(1)
})

test('a node that hears nothing of two others accepts a third, and always one', () => {
  const { burst, takeMany } = startBurst()
  burst.share({ report: () => {}, nodesUnheard: () => 3 })
  expect(takeMany(20, 10)).toBe(3)
  expect(takeMany(20, 2, 'router_2')).toBe(1)
})
