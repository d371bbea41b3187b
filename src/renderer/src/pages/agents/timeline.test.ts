import { expect, test } from 'vitest'
import { lengthOf, rowsOf, type Bar } from './timeline.ts'

function bar(stepId: string, startedMs: number, tookMs: number | null): Bar {
  return {
    id: `${stepId}-${startedMs}`,
    stepId,
    startedMs,
    tookMs,
    model: null,
    costUsd: null,
    carbonGrams: null,
    attempts: null,
    error: null,
    texts: null,
  }
}

function span(stepId: string, startedMs: number, tookMs: number) {
  return { stepId, type: 'map', outcome: 'done', startedMs, tookMs } as const
}

test('steps are sorted by their start, each before its inner steps', () => {
  const rows = rowsOf([bar('late', 90, 5), bar('item', 10, 20)], [span('list', 10, 80)])

  expect(rows.map(({ stepId }) => stepId)).toEqual(['list', 'item', 'late'])
})

test('parallel requests of a step have a lane each, and sequential ones share a lane', () => {
  const [row] = rowsOf(
    [bar('a', 0, 50), bar('a', 10, 50), bar('a', 50, 20), bar('a', 55, null)],
    [],
  )

  expect(row?.lanes.map((lane) => lane.map(({ startedMs }) => startedMs))).toEqual([
    [0, 50],
    [10],
    [55],
  ])
})

test('an unfinished run is as long as it has lasted so far', () => {
  expect(lengthOf([bar('a', 0, 50), bar('b', 50, null)], [], 400)).toBe(400)
  expect(lengthOf([bar('a', 0, 50)], [span('l', 0, 60)], 400)).toBe(60)
})
