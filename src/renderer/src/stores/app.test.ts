import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { usedScene } from '../../../../test/renderer-harness/scenes.ts'
import { stubWindow } from '../../../../test/renderer-harness/stub-window.ts'
import { changeTrust, useApp } from './app.ts'

beforeEach(async () => {
  stubWindow(usedScene())
  await useApp.getState().load()
  useApp.setState(({ state }) => ({ state: state && { ...state, mustTrustAgain: true } }))
})
afterEach(() => {
  useApp.setState(useApp.getInitialState(), true)
  vi.unstubAllGlobals()
})

test('a click on Trust changes the store, and Home no longer asks to trust again', async () => {
  const trust = await changeTrust({ store: 'chromium', isTrusted: false }, false)

  expect(trust?.stores.find(({ id }) => id === 'chromium')?.isTrusted).toBe(false)
  expect(useApp.getState().state?.mustTrustAgain).toBe(false)
})

test('a check after the commands of a terminal updates Home and says that nothing changed', async () => {
  const check = changeTrust({ store: 'system', isTrusted: true }, true)

  await expect(check).rejects.toThrow('System store does not trust the authority yet.')
  expect(useApp.getState().state?.mustTrustAgain).toBe(false)
})
