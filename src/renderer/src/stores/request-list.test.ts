import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import type { RequestRecord } from '../../../shared/entities.ts'
import { busyScene } from '../../../../test/renderer-harness/scenes.ts'
import { stubWindow } from '../../../../test/renderer-harness/stub-window.ts'
import {
  closeRequestList,
  followRequests,
  loadRequestPage,
  noteListedRequest,
  openRequestList,
  pageRows,
  positionOf,
  requestAt,
  useRequestList,
} from './request-list.ts'

beforeEach(() => vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] }))
afterEach(() => {
  closeRequestList()
  vi.useRealTimers()
  vi.unstubAllGlobals()
})

const list = () => useRequestList.getState()
const newestFirst = (requests: readonly RequestRecord[]) =>
  requests.toSorted((a, b) => b.startedAtMs - a.startedAtMs).map(({ id }) => id)

/** A request that ends now, in the scene and in the window. */
function end(scene: ReturnType<typeof busyScene>, id: string): void {
  const [request] = scene.requests
  if (!request) throw new Error('the scene has no requests')
  scene.requests.push({ ...request, id, startedAtMs: Date.now() })
  noteListedRequest()
}

test('a page far down is loaded from the end of the nearest page, and follows it exactly', async () => {
  const { bridge } = stubWindow(busyScene())
  await openRequestList({})
  const expected = newestFirst(bridge.scene.requests)
  expect(list().total).toBe(900)

  await loadRequestPage(5)
  await loadRequestPage(3)
  for (const index of [0, 99, 300, 399, 500, 599]) {
    expect(requestAt(list(), index)?.id).toBe(expected[index])
  }
  expect(requestAt(list(), 2 * pageRows)).toBeNull()
  expect(positionOf(list(), expected[512] ?? '')).toBe(512)
})

test('requests that end while the list is read are counted, and move no row', async () => {
  const { bridge } = stubWindow(busyScene())
  await openRequestList({})
  followRequests(false)
  const before = newestFirst(bridge.scene.requests)
  end(bridge.scene, 'new-1')
  end(bridge.scene, 'new-2')
  await vi.advanceTimersByTimeAsync(1_000)

  expect(list()).toMatchObject({ newer: 2, total: 900 })
  await loadRequestPage(1)
  expect(requestAt(list(), 100)?.id).toBe(before[100])

  followRequests(true)
  await vi.waitFor(() => expect(list()).toMatchObject({ newer: 0, total: 902 }), 60_000)
  expect(requestAt(list(), 0)?.startedAtMs).toBeGreaterThanOrEqual(
    requestAt(list(), 1)?.startedAtMs ?? 0,
  )
})

test('at the top of the list a request that ends appears by itself', async () => {
  const { bridge } = stubWindow(busyScene())
  await openRequestList({})
  followRequests(true)
  end(bridge.scene, 'new-1')
  await vi.advanceTimersByTimeAsync(1_000)
  expect(requestAt(list(), 0)?.id).toBe('new-1')
  expect(list()).toMatchObject({ newer: 0, total: 901 })
})

/** Holds back the answer of the next search, which is already read, until released. */
function holdSearch(bridge: ReturnType<typeof stubWindow>['bridge']) {
  const { promise: released, resolve: release } = Promise.withResolvers<void>()
  const answer = bridge.call.bind(bridge)
  let isHeld = false
  const call = vi.spyOn(bridge, 'call').mockImplementation(async (name, ...input) => {
    const result = await answer(name, ...input)
    if (name !== 'requests:search' || isHeld) return result
    isHeld = true
    await released
    return result
  })
  return { call, release }
}

test('a request that ends while the list looks for new ones appears with the next look', async () => {
  const { bridge } = stubWindow(busyScene())
  await openRequestList({})
  const { release } = holdSearch(bridge)
  end(bridge.scene, 'new-1')
  await vi.advanceTimersByTimeAsync(1_000)
  end(bridge.scene, 'new-2')
  release()
  await vi.waitFor(() => expect(requestAt(list(), 0)?.id).toBe('new-1'), 60_000)
  await vi.advanceTimersByTimeAsync(1_000)
  expect(list().total).toBe(902)
})

test('a look that ends after the list was opened again leaves the timer of the new list', async () => {
  const { bridge } = stubWindow(busyScene())
  await openRequestList({})
  const { call, release } = holdSearch(bridge)
  end(bridge.scene, 'new-1')
  await vi.advanceTimersByTimeAsync(1_000)
  closeRequestList()
  await openRequestList({})
  end(bridge.scene, 'new-2')
  release()
  await vi.advanceTimersByTimeAsync(0)
  end(bridge.scene, 'new-3')
  call.mockClear()
  await vi.advanceTimersByTimeAsync(1_000)
  expect(call.mock.calls.filter(([name]) => name === 'requests:search')).toHaveLength(1)
})

test('only pages near the last one stay in memory, and the first', async () => {
  const scene = busyScene()
  const [request] = scene.requests
  if (!request) throw new Error('the scene has no requests')
  scene.requests = Array.from({ length: 8_000 }, (_, index) => {
    return { ...request, id: String(index), startedAtMs: 8_000 - index }
  })
  stubWindow(scene)
  await openRequestList({})
  for (let page = 1; page < 80; page += 1) await loadRequestPage(page)
  expect(Object.keys(list().pages)).toHaveLength(60)
  expect(requestAt(list(), 0)?.id).toBe('0')
  expect(requestAt(list(), 7_999)?.id).toBe('7999')
  expect(requestAt(list(), 500)).toBeNull()
})

test('an error is shown, and the next list works', async () => {
  const { bridge } = stubWindow(busyScene())
  const call = vi.spyOn(bridge, 'call').mockRejectedValue(new Error('the database is locked'))
  await openRequestList({})
  expect(list()).toMatchObject({ total: null, error: { message: 'the database is locked' } })

  call.mockRestore()
  await openRequestList({ end: 'answered' })
  expect(list()).toMatchObject({ total: 900, error: null })
})
