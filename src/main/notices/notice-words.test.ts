import { expect, test } from 'vitest'
import { sampleSessionRequest } from '../../../test/storage/samples.ts'
import type { BudgetAlert } from '../../shared/routers/budget-alert.ts'
import {
  noticeOfAlarm,
  noticeOfApproval,
  noticeOfBrokenCache,
  noticeOfBudget,
  noticeOfCertificate,
  noticeOfUnexpectedCall,
} from './notice-words.ts'

const dayMs = 86_400_000

test('a notice about a provider does not repeat the provider’s text, which may quote a key', () => {
  const message = 'openai: Incorrect API key provided: sk-proj-secret'

  expect(JSON.stringify(noticeOfAlarm({ message, providerId: 'openai' }))).not.toContain('sk-')
})

test('a problem of the storage is told even with all notices off', () => {
  const alarm = { message: 'The database is damaged.', providerId: null }

  expect(noticeOfAlarm(alarm)).toMatchObject({ switch: null, body: 'The database is damaged.' })
})

test.each([
  [
    'is not told while both certificates last',
    { leafMs: 15 * dayMs, authorityMs: 31 * dayMs },
    undefined,
  ],
  [
    'is told when the endpoint’s certificate was not renewed',
    { leafMs: 13 * dayMs, authorityMs: 300 * dayMs },
    'The certificate ends on Jan 14, 1970',
  ],
  [
    'is told when programs will have to trust a new authority',
    { leafMs: 60 * dayMs, authorityMs: 29 * dayMs },
    'A new certificate authority comes on Jan 30, 1970',
  ],
])('the end of a certificate %s', (_name, ends, title) => {
  expect(noticeOfCertificate(ends, 0)?.title).toBe(title)
})

const alert: BudgetAlert = {
  id: 'alert-1',
  owner: { kind: 'router', id: 'router_1', name: 'Team' },
  level: 80,
  usedUsd: 8.12,
  limitUsd: 10,
  period: { per: 'day', startMs: 0, endMs: dayMs },
  createdAtMs: 0,
}

test('a budget that jumps over several levels gives one notice, of the highest', () => {
  expect(noticeOfBudget([{ ...alert, level: 50 }, alert])).toMatchObject({
    title: 'Router “Team” has used 80 % of its budget',
    body: '$8.12 of $10.00 today (UTC).',
    path: '/routers/router_1',
  })
})

test('a budget that is used up says what happens now', () => {
  const owner = { kind: 'key', id: 'key-1', name: 'laptop' } as const
  const period = { per: 'month', startMs: 0, endMs: 31 * dayMs } as const

  expect(noticeOfBudget([{ ...alert, owner, period, level: 100 }])).toMatchObject({
    title: 'Key “laptop” has used up its budget',
    body: '$8.12 of $10.00 this month (UTC). Requests that cost money are refused until it resets.',
    path: '/connect?show=keys',
  })
})

test('a broken cache is told with its culprit, and another request is not', () => {
  const place = { part: 'system', at: 2_048 } as const
  const cache = { expected: 9_000, read: 0, lostNanoUsd: 5, culprit: 'client', place } as const

  expect(noticeOfBrokenCache(sampleSessionRequest({ cache }))).toBeNull()
  expect(noticeOfBrokenCache(sampleSessionRequest({ cache: { ...cache, alarm: true } }))).toEqual({
    switch: 'notifyUnexpectedCalls',
    cause: 'cache:session-1@key-1',
    title: 'A session of claude-code lost its prompt cache',
    body: 'The client changed the system prompt near character 2048.',
    path: '/activity?view=sessions&session=session-1%40key-1',
  })
})

test('an unexpected call is told for its key and kind, without the address', () => {
  const owner = { kind: 'key', id: 'key-1', name: 'Laptop' } as const
  expect(noticeOfUnexpectedCall({ owner, kind: 'address' })).toEqual({
    switch: 'notifyUnexpectedCalls',
    cause: 'unexpected:key-1:address',
    title: 'Unexpected use of the key “Laptop”',
    body: 'It was used from another address for the first time. Click to see it.',
    path: '/home',
  })
})

test('a tool that waits is named, without what it was called with', () => {
  const claims = { isReadOnly: true, isDestructive: false }
  const tool = { name: 'write', title: null, description: '', inputSchema: {}, claims }
  const marks = { readsPrivate: true, readsForeign: true, sendsOut: true }
  const call = { kind: 'call' as const, server: 'Notes', tool, marks, grants: [], risk: null }
  const notice = noticeOfApproval({ id: 'a', about: { ...call, arguments: '{"text":"secret"}' } })
  expect(notice).toMatchObject({ body: 'Allow write of “Notes”?', path: '/chat' })
  expect(JSON.stringify(notice)).not.toContain('secret')
})
