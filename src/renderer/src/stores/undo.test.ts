import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { dismissUndo, offerUndo, runUndo, useUndo } from './undo.ts'

beforeEach(() => vi.useFakeTimers())
afterEach(() => {
  dismissUndo()
  vi.useRealTimers()
})

function change() {
  return {
    text: 'Web shop saved',
    path: '/routers/a',
    undo: vi.fn<() => Promise<void>>(async () => {}),
  }
}

test('a change can be undone for ten seconds', async () => {
  const offer = change()
  offerUndo(offer)
  vi.advanceTimersByTime(9_999)
  await runUndo()
  expect(offer.undo).toHaveBeenCalledOnce()
  expect(useUndo.getState().offer).toBeNull()
})

test('after ten seconds nothing is undone', async () => {
  const offer = change()
  offerUndo(offer)
  vi.advanceTimersByTime(10_000)
  await runUndo()
  expect(offer.undo).not.toHaveBeenCalled()
})

test('a second change has its own ten seconds', () => {
  offerUndo(change())
  vi.advanceTimersByTime(9_000)
  const second = change()
  offerUndo(second)
  vi.advanceTimersByTime(9_000)
  expect(useUndo.getState().offer).toBe(second)
})

test('a failed undo says why and can be tried again', async () => {
  const offer = change()
  offer.undo.mockRejectedValueOnce(new Error('The database is locked.'))
  offerUndo(offer)
  await runUndo()
  expect(useUndo.getState()).toMatchObject({ offer, error: { message: 'The database is locked.' } })
  await runUndo()
  expect(useUndo.getState()).toEqual({ offer: null, error: null })
})
