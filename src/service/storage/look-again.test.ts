import { expect, onTestFinished, test, vi } from 'vitest'
import { lookAfterChanges, lookEvery } from './look-again.ts'

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

/** Looks of at most one a second; the test tells of changes and fails looks. */
function startLooks() {
  vi.useFakeTimers()
  onTestFinished(() => void vi.useRealTimers())
  const state = { looks: 0, errors: 0, isFailing: false }
  let tell = () => {}
  const { stop } = lookAfterChanges({
    onChange: (listener) => {
      tell = listener
      return () => (tell = () => {})
    },
    periodMs: 1_000,
    look: async () => {
      state.looks += 1
      if (state.isFailing) throw new Error('planted')
    },
    onError: () => (state.errors += 1),
  })
  return { state, stop, change: () => tell() }
}

test('looks at the start and after changes, at most once a period, and never at rest', async () => {
  const { state, change } = startLooks()
  expect(state.looks).toBe(1)
  await vi.advanceTimersByTimeAsync(60_000)
  expect(state.looks).toBe(1)

  for (let left = 100; left > 0; left -= 1) change()
  await vi.advanceTimersByTimeAsync(0)
  expect(state.looks).toBe(2)
  change()
  await vi.advanceTimersByTimeAsync(999)
  expect(state.looks).toBe(2)
  await vi.advanceTimersByTimeAsync(60_000)
  expect(state.looks).toBe(3)
})

test('a look that failed is repeated until one succeeds', async () => {
  const { state, change } = startLooks()
  state.isFailing = true
  change()
  await vi.advanceTimersByTimeAsync(3_000)
  expect(state.errors).toBe(3)

  state.isFailing = false
  await vi.advanceTimersByTimeAsync(60_000)
  expect(state).toMatchObject({ looks: 5, errors: 3 })
})

test('once stopped, it looks no more', async () => {
  const { state, change, stop } = startLooks()
  state.isFailing = true
  change()
  await vi.advanceTimersByTimeAsync(1_000)
  stop()
  change()
  await vi.advanceTimersByTimeAsync(60_000)
  expect(state.looks).toBe(2)
})
