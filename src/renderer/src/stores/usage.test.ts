import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import type { RequestRecord } from '../../../shared/entities.ts'
import { busyScene, usedScene } from '../../../../test/renderer-harness/scenes.ts'
import { stubWindow } from '../../../../test/renderer-harness/stub-window.ts'
import { addFinishedRequest, bucketSize, loadUsage, separateRequests, useUsage } from './usage.ts'

const routerId = 'router_Jk2mN8pR5sT7vW1x'

beforeEach(() => useUsage.setState({}, true))
afterEach(() => vi.unstubAllGlobals())

function newest(): RequestRecord {
  const request = usedScene().requests[0]
  if (!request) throw new Error('the scene has no request')
  return { ...request, id: 'newest', startedAtMs: Date.now() }
}

test('few requests are kept individually, oldest first', async () => {
  stubWindow(usedScene())
  await loadUsage(routerId)
  const usage = useUsage.getState()[routerId]
  const times = usage?.kind === 'requests' ? usage.requests.map((r) => r.startedAtMs) : []
  expect(times).toHaveLength(14)
  expect(times).toEqual(times.toSorted((a, b) => a - b))
})

test('a finished request is added to the chart of its router', async () => {
  stubWindow(usedScene())
  await loadUsage(routerId)
  addFinishedRequest(newest())
  expect(useUsage.getState()[routerId]).toMatchObject({
    kind: 'requests',
    requests: { length: 15 },
  })
})

test('the same request reported twice is one point', async () => {
  stubWindow(usedScene())
  await loadUsage(routerId)
  const request = newest()
  addFinishedRequest(request)
  addFinishedRequest(request)
  expect(useUsage.getState()[routerId]).toMatchObject({ requests: { length: 15 } })
})

test('a request is ignored if the chart of its router was never opened', () => {
  addFinishedRequest(newest())
  expect(useUsage.getState()).toEqual({})
})

test('many requests are summed in at most a few hundred buckets', async () => {
  const scene = busyScene()
  expect(scene.requests.length).toBeGreaterThan(separateRequests)
  stubWindow(scene)
  await loadUsage(routerId)
  const usage = useUsage.getState()[routerId]
  const buckets = usage?.kind === 'buckets' ? usage.buckets : []
  expect(buckets.reduce((sum, { requests }) => sum + requests, 0)).toBe(scene.requests.length)
  expect(buckets.length).toBeLessThanOrEqual(100)
})

test('a failed load is an error', async () => {
  const stub = stubWindow(usedScene())
  stub.bridge.call = async () => ({
    ok: false,
    error: { code: 'storage_unavailable', message: 'The database is busy.', field: null },
  })
  await loadUsage(routerId)
  expect(useUsage.getState()[routerId]).toMatchObject({
    kind: 'failed',
    error: { message: 'The database is busy.' },
  })
})

test.each([
  [3_600_000, 60_000],
  [86_400_000, 15 * 60_000],
  [7 * 86_400_000, 3 * 3_600_000],
  [365 * 86_400_000, 4 * 86_400_000],
])('a span of %j ms is drawn in buckets of %j ms', (spanMs, bucketMs) => {
  expect(bucketSize(spanMs)).toBe(bucketMs)
})
