import { expect, test } from 'vitest'
import type { AttemptRecord } from '../../../../shared/requests/detail.ts'
import { timelineOf } from './timeline.ts'

const request = { latencyMs: 2_000, firstTokenMs: 900, status: 200, cachedFrom: null }
const attempt: AttemptRecord = {
  model: 'a:x',
  startedMs: 2,
  tookMs: 500,
  outcome: 'answered',
  status: 200,
  message: null,
}

test('a fall-over shows both tries with their true times, and the wait between them stays empty', () => {
  const { totalMs, steps, firstTokenMs } = timelineOf(request, [
    { ...attempt, outcome: 'rate_limit', status: 429, message: 'Slow down' },
    { ...attempt, model: 'b:y', startedMs: 700, tookMs: 1_295 },
  ])
  expect({ totalMs, firstTokenMs }).toEqual({ totalMs: 2_000, firstTokenMs: 900 })
  expect(steps.map(({ label, startMs, tookMs }) => [label, startMs, tookMs])).toEqual([
    ['Key, limits and decision', 0, 2],
    ['Try 1', 2, 500],
    ['Try 2', 700, 1_295],
    ['Rest of the answer', 1_995, 5],
  ])
  expect(steps.map(({ note }) => note)).toEqual([
    null,
    'rate limit reached (429): Slow down',
    null,
    null,
  ])
})

test('a try that ends after the answer makes the axis longer', () => {
  const lost = { ...attempt, outcome: 'lost', status: null, tookMs: 2_500 }
  expect(timelineOf(request, [attempt, lost]).totalMs).toBe(2_502)
})

test.each([
  ['refused', { ...request, status: 401 }, 'Refused before a model was asked'],
  ['aborted', { ...request, status: 499 }, 'The caller disconnected'],
  ['failed', { ...request, status: 503 }, 'Failed without an answer'],
  ['answered from the cache', { ...request, cachedFrom: 'r-1' }, 'Answer from the cache'],
])('a request that was %s is one step', (_name, record, label) => {
  expect(timelineOf(record, []).steps).toMatchObject([{ label, startMs: 0, tookMs: 2_000 }])
})
