import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { usedScene } from '../../../../test/renderer-harness/scenes.ts'
import { stubWindow } from '../../../../test/renderer-harness/stub-window.ts'
import { noteRequestForReports, reloadReports, showReport, useReports } from './reports.ts'

const query = JSON.stringify({ fromMs: 0, toMs: 6e12, bucketMs: 6e12 })
let hide: (() => void) | undefined

beforeEach(() => vi.useFakeTimers())
afterEach(() => {
  hide?.()
  hide = undefined
  useReports.setState({}, true)
  vi.useRealTimers()
  vi.unstubAllGlobals()
})

function openWindow(isHidden = false) {
  const scene = usedScene()
  const { bridge } = stubWindow(scene)
  vi.stubGlobal('document', { hidden: isHidden })
  return { scene, call: vi.spyOn(bridge, 'call') }
}

const shownRequests = () => useReports.getState()[query]?.report?.total.requests

test('a report is loaded once for all who show it', async () => {
  const { scene, call } = openWindow()
  const [hideFirst, hideSecond] = [showReport(query), showReport(query)]
  await vi.runAllTimersAsync()
  expect(shownRequests()).toBe(scene.requests.length)
  expect(call).toHaveBeenCalledTimes(1)

  hideFirst()
  expect(shownRequests()).toBe(scene.requests.length)
  hideSecond()
})

test('a report that is shown again has its last figures at once, and the newest soon', async () => {
  const { scene } = openWindow()
  showReport(query)()
  const hideNow = showReport(query)
  await vi.runAllTimersAsync()
  const before = scene.requests.length
  hideNow()
  const [request] = scene.requests
  if (!request) throw new Error('the scene has no request')
  scene.requests.push({ ...request, id: 'new' })
  hide = showReport(query)
  expect(shownRequests()).toBe(before)
  await vi.runAllTimersAsync()
  expect(shownRequests()).toBe(before + 1)
})

test('of the reports that are no longer shown, the newest 20 stay', async () => {
  openWindow()
  const keys = Array.from({ length: 25 }, (_, at) =>
    JSON.stringify({ fromMs: at, toMs: 6e12, bucketMs: 6e12 }),
  )
  for (const key of keys) {
    const hideNow = showReport(key)
    await vi.runAllTimersAsync()
    hideNow()
  }
  expect(Object.keys(useReports.getState())).toEqual(keys.slice(5))
})

test('many requests within a second reload a report once', async () => {
  const { scene, call } = openWindow()
  hide = showReport(query)
  await vi.runAllTimersAsync()
  const [request] = scene.requests
  if (!request) throw new Error('the scene has no request')
  scene.requests.push({ ...request, id: 'new' })
  for (let count = 0; count < 50; count += 1) noteRequestForReports()
  await vi.runAllTimersAsync()
  expect(shownRequests()).toBe(scene.requests.length)
  expect(call).toHaveBeenCalledTimes(2)
})

test('a report asked for while it loads is loaded once more, after the answer', async () => {
  const { scene, call } = openWindow()
  const answer = Promise.withResolvers<never>()
  call.mockReturnValueOnce(answer.promise)
  hide = showReport(query)
  for (let second = 0; second < 3; second += 1) {
    noteRequestForReports()
    await vi.runAllTimersAsync()
  }
  expect(call).toHaveBeenCalledTimes(1)

  answer.reject(new Error('The database is locked.'))
  await vi.runAllTimersAsync()
  expect(call).toHaveBeenCalledTimes(2)
  expect(shownRequests()).toBe(scene.requests.length)
})

test('a report that is hidden while it loads is not loaded again', async () => {
  const { call } = openWindow()
  const answer = Promise.withResolvers<never>()
  call.mockReturnValueOnce(answer.promise)
  const hideNow = showReport(query)
  reloadReports()
  hideNow()
  answer.reject(new Error('The database is locked.'))
  await vi.runAllTimersAsync()
  expect(call).toHaveBeenCalledTimes(1)
  expect(useReports.getState()).toEqual({})
})

test('a hidden window does not reload reports', async () => {
  const { call } = openWindow(true)
  hide = showReport(query)
  noteRequestForReports()
  await vi.runAllTimersAsync()
  expect(call).toHaveBeenCalledTimes(1)
})

test('a failed reload keeps the last report and shows the error', async () => {
  const { scene, call } = openWindow()
  hide = showReport(query)
  await vi.runAllTimersAsync()
  call.mockRejectedValueOnce(new Error('The database is locked.'))
  noteRequestForReports()
  await vi.runAllTimersAsync()
  expect(shownRequests()).toBe(scene.requests.length)
  expect(useReports.getState()[query]?.error?.message).toBe('The database is locked.')
})
