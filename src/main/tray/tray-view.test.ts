import { expect, test } from 'vitest'
import { dayAround, trayView, type TrayFacts } from './tray-view.ts'

const serving: TrayFacts = {
  endpoint: {
    status: 'listening',
    url: 'https://localhost:6778',
    httpUrl: null,
    caFile: '',
    caBundleFile: '',
  },
  isPaused: false,
  secrets: { backend: 'keychain', state: 'ready', message: '' },
  providersInNeed: [],
  today: { costUsd: 0.42, requests: 31 },
}

test('while serving, it shows the address and today’s spending', () => {
  expect(trayView(serving)).toEqual({
    look: 'serving',
    status: 'Serving at localhost:6778',
    need: null,
    today: 'Today: $0.42 · 31 requests',
    canPause: true,
  })
})

test('spending that is not known yet is a dash, never 0', () => {
  expect(trayView({ ...serving, today: null }).today).toBe('Today: —')
})

test.each([
  [{ providersInNeed: ['openai'] }, 'openai needs attention'],
  [{ providersInNeed: ['openai', 'google'] }, '2 providers need attention'],
  [
    { secrets: { backend: 'keychain', state: 'locked', message: '' } },
    'Provider keys cannot be read',
  ],
] satisfies [Partial<TrayFacts>, string][])('it asks for attention: %o', (facts, need) => {
  expect(trayView({ ...serving, ...facts })).toMatchObject({ look: 'attention', need })
})

test('a paused service looks stopped and can be resumed', () => {
  expect(trayView({ ...serving, isPaused: true })).toMatchObject({
    look: 'stopped',
    status: 'Serving is paused',
    canPause: true,
  })
})

test('an endpoint that is not running says why, and cannot be paused', () => {
  const message = 'Another program uses port 6778.'
  const endpoint = { status: 'failed', problem: 'port_taken', message, freePort: 6779 } as const

  expect(trayView({ ...serving, endpoint })).toMatchObject({
    look: 'stopped',
    status: `Not running: ${message}`,
    canPause: false,
  })
})

test('a day starts at local midnight', () => {
  const nowMs = new Date(2026, 10, 22, 17, 30).getTime()

  expect(dayAround(nowMs)).toEqual({
    fromMs: new Date(2026, 10, 22).getTime(),
    toMs: new Date(2026, 10, 23).getTime(),
  })
})
