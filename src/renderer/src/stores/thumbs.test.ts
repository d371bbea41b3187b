import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { usedScene } from '../../../../test/renderer-harness/scenes.ts'
import { stubWindow } from '../../../../test/renderer-harness/stub-window.ts'
import { lessonWords } from '../decision/lesson-words.ts'
import { loadThumbs, setThumb, tellCopied, useLessons, useThumbs } from './thumbs.ts'

const requestId = 'request-router_Jk2mN8pR5sT7vW1x-1'

beforeEach(() => useThumbs.setState({}, true))
afterEach(() => vi.unstubAllGlobals())

test('a thumb can be given, reversed and withdrawn', async () => {
  stubWindow(usedScene())
  await setThumb(requestId, 'up')
  expect(useThumbs.getState()).toEqual({ [requestId]: 'up' })
  await setThumb(requestId, 'down')
  expect(useThumbs.getState()).toEqual({ [requestId]: 'down' })
  const [lesson = ''] = Object.values(useLessons.getState()).map(lessonWords)
  expect(lesson).toMatch(/^Code: you liked 0 of 1 answer of /)
  await setThumb(requestId, null)
  expect(useThumbs.getState()).toEqual({})
})

test('loads earlier thumbs', async () => {
  stubWindow(usedScene())
  await setThumb(requestId, 'up')
  useThumbs.setState({}, true)
  await loadThumbs([requestId])
  expect(useThumbs.getState()).toEqual({ [requestId]: 'up' })
})

test('a refused thumb changes nothing', async () => {
  stubWindow(usedScene())
  await expect(setThumb('gone', 'up')).rejects.toMatchObject({ code: 'not_found' })
  expect(useThumbs.getState()).toEqual({})
})

test('a copied answer counts as feedback, and a failure to record it is ignored', async () => {
  const calls = vi.fn<(name: string, input: unknown) => Promise<void>>(() =>
    Promise.reject(new Error('the ledger does not have it')),
  )
  vi.stubGlobal('window', { modelport: { call: calls } })
  const meta = {
    requestId,
    modelUsed: 'p:model',
    costUsd: 0,
    latencyMs: 1,
    carbonGrams: 0,
    routerDecision: 'adaptive',
    fallback: null,
  } as const

  tellCopied({ meta })
  tellCopied({ meta: null })
  await expect.poll(() => calls).toHaveBeenCalledTimes(1)

  expect(calls).toHaveBeenCalledWith('feedback:give', { requestId, kind: 'copied' })
})
