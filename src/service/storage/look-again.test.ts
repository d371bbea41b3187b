import { expect, onTestFinished, test, vi } from 'vitest'
import { lookEvery } from './look-again.ts'

test('what begins at different times looks at the same moments, as often as it should', () => {
  vi.useFakeTimers()
  onTestFinished(() => void vi.useRealTimers())
  const looks: [string, number][] = []
  const startedMs = performance.now()
  const lookAs = (name: string) => () => {
    looks.push([name, Math.round(performance.now() - startedMs)])
  }
  const stops = [lookEvery(500, lookAs('first'))]
  vi.advanceTimersByTime(180)
  stops.push(lookEvery(500, lookAs('second')), lookEvery(1_000, lookAs('slow')))
  vi.advanceTimersByTime(1_820)
  for (const stop of stops) stop()
  vi.advanceTimersByTime(2_000)

  const momentsOf = (name: string) => looks.flatMap(([one, atMs]) => (one === name ? [atMs] : []))
  expect(momentsOf('second')).toEqual(momentsOf('first'))
  expect(momentsOf('first')).toHaveLength(4)
  expect(momentsOf('slow')).toHaveLength(2)
  expect(momentsOf('first')).toEqual(expect.arrayContaining(momentsOf('slow')))
})
