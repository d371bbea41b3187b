import { expect, test } from 'vitest'
import { key, provider, usedScene } from '../../../../../test/renderer-harness/scenes.ts'
import { reportOf } from '../../../../../test/renderer-harness/fake-usage.ts'
import type { UnexpectedCall } from '../../../../shared/requests/unexpected-call.ts'
import { attentionPoints, type AttentionState } from './attention.ts'

const dayMs = 86_400_000
const nowMs = Date.UTC(2026, 10, 22, 12)
const [, shop] = usedScene().routers
const [request] = usedScene().requests

function calmState(over: Partial<AttentionState> = {}): AttentionState {
  const { app } = usedScene()
  const spending = { ofKeys: null, ofRouters: null }
  return {
    app,
    providers: [],
    routers: [],
    models: [],
    keys: [],
    unexpectedCalls: [],
    brokenCaches: [],
    findings: [],
    spending,
    countedToday: null,
    shown: null,
    nowMs,
    ...over,
  }
}

/** The report of this month with one request for each group, of this cost. */
function spent(groupOf: object, costUsd: number, group: 'key' | 'router') {
  const records = request ? [{ ...request, ...groupOf, costNanoUsd: costUsd * 1e9 }] : []
  const today = records.map((record) => ({ ...record, startedAtMs: nowMs }))
  const fromMs = Date.UTC(2026, 10)
  return reportOf(today, { fromMs, toMs: nowMs + dayMs, bucketMs: dayMs, offsetMs: 0, group })
}

const textsOf = (state: AttentionState) => attentionPoints(state).map(({ text }) => text)

test('nothing needs attention when all works', () => {
  expect(
    attentionPoints(calmState({ providers: [provider('openai', 'openai', 'OpenAI')] })),
  ).toEqual([])
})

test('a paused router says so, with a way to resume it, and nothing else of it', () => {
  if (!shop) throw new Error('the scene has no second router')
  const paused = { ...shop, routing: { ...shop.routing, isPaused: true } }
  expect(attentionPoints(calmState({ routers: [paused] }))).toMatchObject([
    {
      text: `${shop.name} is paused: its requests are refused.`,
      action: { kind: 'resume', routerId: shop.id },
    },
  ])
})

test('a broken cache says what it cost, who broke it, and leads to its session', () => {
  const broken = {
    session: 's-1',
    client: 'claude-code' as const,
    model: 'anthropic:claude-opus-5-5',
    sinceMs: nowMs,
    lostNanoUsd: 1.5e9,
    culprit: 'vendor' as const,
    place: undefined,
  }
  const [point] = attentionPoints(calmState({ brokenCaches: [broken] }))

  expect(point?.text).toMatch(/^A session of claude-code .*: \$1\.50 lost since .*nothing to do\.$/)
  expect(point?.action).toMatchObject({ search: { view: 'sessions', session: 's-1' } })
})

test('failures of the shown range are told, also when nothing is wrong now', () => {
  const shown = { figures: { requests: 1_200, failed: 3 }, range: '24h' } as const
  expect(attentionPoints(calmState({ shown }))).toMatchObject([
    {
      text: '3 of 1,200 requests failed in the last 24 hours.',
      action: { to: '/activity', search: { end: 'failed', range: '24h' } },
    },
  ])
  expect(textsOf(calmState({ shown: { ...shown, figures: { requests: 5, failed: 0 } } }))).toEqual(
    [],
  )
})

test('a taken port of plain HTTP leads to the settings, not to another port for HTTPS', () => {
  const endpoint = {
    status: 'failed',
    problem: 'http_port_taken',
    message: 'Port taken.',
    freePort: 6780,
  } as const
  const { app } = calmState({})
  const [point] = attentionPoints(calmState({ app: { ...app, endpoint } }))
  expect(point?.action).toEqual({ kind: 'link', label: 'Open settings', to: '/settings' })
})

test('problems come before warnings, and each has its solution', () => {
  const openai = provider('openai', 'openai', 'OpenAI')
  const { app } = usedScene()
  const points = attentionPoints(
    calmState({
      app: {
        endpoint: {
          status: 'failed',
          problem: 'port_taken',
          message: 'Port taken.',
          freePort: 6779,
        },
        isPaused: false,
        storage: app.storage,
        mustTrustAgain: true,
        secrets: { ...app.secrets, state: 'locked', message: 'The keychain is locked.' },
        certificate: app.certificate,
      },
      providers: [
        { ...openai, hasKey: false },
        {
          ...provider('groq', 'groq', 'Groq'),
          health: { status: 'failing', checkedAtMs: 1, problem: 'unreachable', message: '' },
        },
      ],
      keys: [key('Old', { createdAtMs: nowMs - 91 * dayMs, expiresAtMs: null })],
    }),
  )
  expect(points.map(({ tone, text, action }) => [tone, text, action.label])).toEqual([
    ['bad', 'Port taken.', 'Use port 6779'],
    ['bad', 'The keychain is locked.', 'Try again'],
    ['bad', 'openai has no key.', 'Set key'],
    ['bad', 'groq cannot be reached.', 'Open provider'],
    ['warn', 'The certificate authority is new and must be trusted again.', 'Open settings'],
    ['warn', 'The key Old is older than 90 days.', 'Rotate'],
  ])
})

test.each([
  [0.79, []],
  [0.8, ['The key App has spent $0.80 of $1.00 today.']],
])('a key that spent %f of its budget gives %j', (costUsd, texts) => {
  const app = key('App', { createdAtMs: nowMs - dayMs, expiresAtMs: null, budgetUsdPerDay: 1 })
  const ofKeys = spent({ apiKeyId: app.id }, costUsd, 'key')
  expect(textsOf(calmState({ keys: [app], spending: { ofKeys, ofRouters: null } }))).toEqual(texts)
})

test('a router near its budget or its daily limit is named', () => {
  if (!shop) throw new Error('the scene has no router')
  const ofRouters = spent({ routerId: shop.id }, 4.5, 'router')
  const spending = { ofKeys: null, ofRouters }
  const points = attentionPoints(
    calmState({
      routers: [{ ...shop, dailyLimit: 1 }],
      spending,
      countedToday: new Map([[shop.id, 1]]),
    }),
  )
  expect(points.map(({ text }) => text)).toEqual([
    'Web shop has spent $4.50 of $5.00 today.',
    'Web shop has used 1 of 1 requests today.',
  ])
  expect(points).toMatchObject(
    points.map(() => ({ action: { to: `/routers/${shop.id}`, search: { tab: 'limits' } } })),
  )
})

test('a damaged database and a full disk come first', () => {
  const { app } = usedScene()
  const storage = {
    damage: { problem: 'Tree 9 page 12: btreeInitPage() returns error code 11', foundAtMs: 1 },
    outage: { problem: 'disk_full', message: '', sinceMs: 1, canStoreRows: true },
  } as const
  const points = attentionPoints(calmState({ app: { ...app, storage } }))
  expect(points.map(({ text, action }) => [text, action.label])).toEqual([
    [`The database is damaged: ${storage.damage.problem}.`, 'Restore a copy'],
    [
      'The disk is full, so Modelport is read-only: new requests are refused. Requests in progress are still recorded. Free at least 12 MiB; Modelport continues by itself.',
      'Open data settings',
    ],
  ])
})

test('only models without a price that a router has are told', () => {
  if (!shop) throw new Error('the scene has no router')
  const [model = ''] = shop.models
  const unpriced = [model, 'other:model'].map((id) => ({ id, inputUsdPerMtok: null }))
  expect(attentionPoints(calmState({ routers: [shop], models: unpriced }))).toMatchObject([
    {
      text: `${model} has no price, so its router cannot use it.`,
      action: { to: `/routers/${shop.id}`, search: { tab: 'models' } },
    },
  ])
})

test('requests that do not count leave the daily limit, whatever the ledger has', () => {
  if (!shop) throw new Error('the scene has no router')
  const ofRouters = spent({ routerId: shop.id }, 0, 'router')
  const spending = { ofKeys: null, ofRouters }
  expect(
    textsOf(
      calmState({
        routers: [{ ...shop, dailyLimit: 1 }],
        spending,
        countedToday: new Map([[shop.id, 0]]),
      }),
    ),
  ).toEqual([])
})

test('while serving is paused, Home is not calm, and leaves the words to the banner', () => {
  const { app } = calmState()
  expect(attentionPoints(calmState({ app: { ...app, isPaused: true } }))).toMatchObject([
    { id: 'paused', hasBanner: true },
  ])
})

test('a replaced key that still works needs nothing', () => {
  const old = key('Old', { createdAtMs: nowMs - 91 * dayMs, expiresAtMs: nowMs + dayMs })
  const successor = key('New', { createdAtMs: nowMs, expiresAtMs: null, rotatedFromId: old.id })
  expect(textsOf(calmState({ keys: [old] }))).not.toEqual([])
  expect(textsOf(calmState({ keys: [old, successor] }))).toEqual([])
})

test.each([
  [
    'its certificate was not renewed',
    { leafMs: nowMs + 13 * dayMs },
    'bad',
    /^The certificate ends/,
  ],
  [
    'a new authority comes soon',
    { authorityMs: nowMs + 29 * dayMs },
    'warn',
    /^Modelport replaces its certificate authority/,
  ],
])('the endpoint needs attention when %s', (_when, ends, tone, text) => {
  const { app } = usedScene()
  const certificate = { leafMs: nowMs + 60 * dayMs, authorityMs: nowMs + 900 * dayMs, ...ends }
  const [point] = attentionPoints(calmState({ app: { ...app, certificate } }))
  expect(point).toMatchObject({ tone, action: { to: '/settings/server' } })
  expect(point?.text).toMatch(text)
})

const address = {
  ownerKind: 'key',
  kind: 'address',
  firstAtMs: nowMs - dayMs,
  lastAtMs: nowMs,
  value: '203.0.113.9',
  others: 0,
  amount: null,
  usual: null,
} as const

test('an unexpected call says what happened, and leads to its requests and to a new key', () => {
  const app = key('App', { createdAtMs: nowMs - 40 * dayMs, expiresAtMs: null })
  const call = { ...address, ownerId: app.id }
  const [point] = attentionPoints(calmState({ keys: [app], unexpectedCalls: [call] }))
  expect(point).toMatchObject({
    tone: 'warn',
    text: expect.stringMatching(
      /^The key App was used from another address for the first time: 203\.0\.113\.9, Nov 22/,
    ),
    action: { kind: 'expected', label: 'It was me', call },
    others: [
      { label: 'Show requests', to: '/activity', search: { apiKeyId: app.id } },
      { label: 'Rotate or revoke', to: '/connect', search: { show: 'keys' } },
    ],
  })
})

test.each<[Partial<UnexpectedCall>, string]>([
  [
    { kind: 'program', value: 'curl', others: 2 },
    'by another program for the first time: curl and 2 more',
  ],
  [{ value: 'localhost' }, 'for the first time: this computer'],
  [{ kind: 'router', value: shop?.id ?? '' }, 'another router for the first time: Web shop'],
  [
    { kind: 'refusals', value: null, amount: 1_234, usual: 8 },
    'had 1,234 refused requests on Nov 22, 2026. The second-highest of the 28 days before had 8.',
  ],
  [
    { kind: 'spend', value: null, amount: 31, usual: 4.1 },
    'spent $31.00 on Nov 22, 2026. The second-highest of the 28 days before had $4.10.',
  ],
])('an unexpected call of %j is told', (changes, words) => {
  const app = key('App', { createdAtMs: nowMs - 40 * dayMs, expiresAtMs: null })
  const routers = shop ? [shop] : []
  const unexpectedCalls = [{ ...address, ownerId: app.id, ...changes }]
  expect(textsOf(calmState({ keys: [app], routers, unexpectedCalls })).join()).toContain(words)
})

test('a revoked key has no line, except for its refusals', () => {
  const revoked = key('Old', { revokedAtMs: nowMs, createdAtMs: nowMs - 40 * dayMs })
  const call = { ...address, ownerId: revoked.id }
  const refused = { ...call, kind: 'refusals', value: null, amount: 500, usual: 0 } as const
  const state = calmState({ keys: [revoked], unexpectedCalls: [call, refused] })
  expect(textsOf(state)).toEqual([expect.stringContaining('500 refused requests')])
  const ofGone = { ...address, ownerId: 'gone' }
  expect(textsOf(calmState({ unexpectedCalls: [ofGone] }))).toEqual([])
})
