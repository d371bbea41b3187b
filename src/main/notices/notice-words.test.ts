import { expect, test } from 'vitest'
import { noticeOfAlarm, noticeOfCertificate } from './notice-words.ts'

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
