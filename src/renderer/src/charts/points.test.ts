import { describe, expect, test } from 'vitest'
import type { RequestRecord } from '../../../shared/entities.ts'
import { usedScene } from '../../../../test/renderer-harness/scenes.ts'
import { chartPoints, timeSpan } from './points.ts'

const requests = usedScene().requests

function usageOf(records: readonly RequestRecord[]) {
  return { kind: 'requests', requests: records } as const
}

describe('separate requests', () => {
  test('two answers are two points', () => {
    expect(chartPoints(usageOf(requests.slice(0, 2))).points).toHaveLength(2)
  })

  test('a point has the figures of its answer, money in dollars', () => {
    const [request] = requests
    expect(chartPoints(usageOf(requests)).points[0]).toEqual({
      atMs: request?.startedAtMs,
      costUsd: (request?.costNanoUsd ?? 0) / 1e9,
      latencyMs: request?.latencyMs,
      carbonGrams: request?.carbonGrams,
      models: { [request?.modelUsed ?? '']: 1 },
    })
  })

  test('a request without an answer is counted, but is not a point', () => {
    const failed = requests.slice(0, 2).map((request, index) => ({
      ...request,
      errorCode: index === 0 ? 'all_models_unavailable' : null,
    }))
    expect(chartPoints(usageOf(failed))).toMatchObject({ points: { length: 1 }, failures: 1 })
  })
})

test('a bucket is a point of means per answer; a bucket without answers is not a point', () => {
  const bucket = {
    startMs: 1000,
    requests: 5,
    errors: 1,
    costUsd: 0.4,
    latencyMsMean: 250,
    latencyMsMax: 900,
    carbonGrams: 2,
    models: { 'local:m': 4 },
  }
  const silent = { ...bucket, startMs: 2000, requests: 1, latencyMsMean: null, models: {} }
  expect(chartPoints({ kind: 'buckets', buckets: [bucket, silent], bucketMs: 1000 })).toEqual({
    points: [
      { atMs: 1000, costUsd: 0.1, latencyMs: 250, carbonGrams: 0.5, models: { 'local:m': 4 } },
    ],
    answers: 4,
    failures: 2,
    bucketMs: 1000,
  })
})

test('a single point is in the middle of the span', () => {
  const { points } = chartPoints(usageOf(requests.slice(0, 1)))
  const [from, to] = timeSpan(points, null)
  expect(to - from).toBeGreaterThan(0)
  expect((from + to) / 2).toBe(points[0]?.atMs)
})
