import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import type { RequestRecord } from '../../../shared/entities.ts'
import { busyScene, usedScene } from '../../../../test/renderer-harness/scenes.ts'
import { stubWindow } from '../../../../test/renderer-harness/stub-window.ts'
import {
  addRecentRequest,
  hasOlder,
  loadOlderRequests,
  loadRecentRequests,
  requestsAtOnce,
  useRecentRequests,
  type RecentRequests,
} from './requests.ts'

const routerId = 'router_Jk2mN8pR5sT7vW1x'

beforeEach(() => useRecentRequests.setState({}, true))
afterEach(() => vi.unstubAllGlobals())

function recent(): RecentRequests {
  const found = useRecentRequests.getState()[routerId]
  if (!found) throw new Error('the list was not opened')
  return found
}

function ended(id: string): RequestRecord {
  const [request] = usedScene().requests
  if (!request) throw new Error('the scene has no request')
  return { ...request, id }
}

test('the newest requests are first, and older ones are loaded on request', async () => {
  stubWindow(busyScene())
  await loadRecentRequests(routerId)
  const times = recent().items?.map(({ startedAtMs }) => startedAtMs) ?? []
  expect(times).toHaveLength(requestsAtOnce)
  expect(times).toEqual(times.toSorted((a, b) => b - a))
  expect(hasOlder(recent())).toBe(true)

  await loadOlderRequests(routerId)
  expect(recent().items).toHaveLength(2 * requestsAtOnce)
})

test('there are no older requests once all are loaded', async () => {
  stubWindow(usedScene())
  await loadRecentRequests(routerId)
  expect(hasOlder(recent())).toBe(false)
})

test('a finished request is at the top, once', async () => {
  stubWindow(usedScene())
  await loadRecentRequests(routerId)
  addRecentRequest(ended('newest'))
  addRecentRequest(ended('newest'))
  expect(
    recent()
      .items?.map(({ id }) => id)
      .filter((id) => id === 'newest'),
  ).toHaveLength(1)
  expect(recent().items?.[0]?.id).toBe('newest')
})

test('a list that was not opened is not loaded', () => {
  addRecentRequest(ended('newest'))
  expect(useRecentRequests.getState()).toEqual({})
})
