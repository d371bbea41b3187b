import { expect, test } from 'vitest'
import { createNotices, type Notice } from './notices.ts'

const allOn = {
  notifyProviders: true,
  notifyBudgets: true,
  notifyFallbacks: true,
  notifyCertificate: true,
  notifyUnexpectedCalls: true,
}

const ofOpenai: Notice = {
  switch: 'notifyProviders',
  cause: 'provider:openai',
  title: 'openai needs attention',
  body: '',
  path: '/models?view=providers',
}

function start(settings: Partial<typeof allOn> = {}) {
  const clock = { nowMs: 0 }
  const shown: string[] = []
  const tell = createNotices({
    now: () => clock.nowMs,
    settings: () => ({ ...allOn, ...settings }),
    show: ({ cause }) => shown.push(cause),
  })
  return { clock, shown, tell }
}

test('a cause is told at most once an hour', () => {
  const { clock, shown, tell } = start()

  tell(ofOpenai)
  tell(ofOpenai)
  tell({ ...ofOpenai, cause: 'provider:google' })
  clock.nowMs = 3_599_999
  tell(ofOpenai)
  expect(shown).toEqual(['provider:openai', 'provider:google'])
  clock.nowMs = 3_600_000
  tell(ofOpenai)
  expect(shown).toEqual(['provider:openai', 'provider:google', 'provider:openai'])
})

test('each kind of notice can be turned off', () => {
  const { shown, tell } = start({ notifyProviders: false })

  tell(ofOpenai)
  tell({ ...ofOpenai, switch: 'notifyBudgets', cause: 'budget' })
  tell({ ...ofOpenai, switch: null, cause: 'storage' })

  expect(shown).toEqual(['budget', 'storage'])
})

test('a notice that is turned off does not start the quiet hour', () => {
  const { shown, tell } = start({ notifyProviders: false })
  tell(ofOpenai)
  tell({ ...ofOpenai, switch: null })

  expect(shown).toEqual(['provider:openai'])
})
