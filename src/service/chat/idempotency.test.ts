import { expect, onTestFinished, test } from 'vitest'
import { Idempotency, type IdempotentTurn, type SentAnswer } from './idempotency.ts'

const owner = { apiKeyId: 'key_a', routerId: 'router_a' }
const request = { ...owner, body: { messages: [{ role: 'user', content: 'Hi' }] } }
const answer: SentAnswer = {
  isStreamed: false,
  body: Buffer.from('{"id":"chatcmpl-1"}'),
  headers: {},
}

function openIdempotency() {
  const time = { ms: 0 }
  const refused = new Set<string>()
  const idempotency = new Idempotency({
    mayAsk: ({ apiKeyId }) => !refused.has(apiKeyId),
    clock: () => time.ms,
  })
  onTestFinished(() => idempotency.close())
  return { idempotency, time, refused }
}

/** Ends the first request under a key. */
function end(turn: IdempotentTurn, finished: SentAnswer | null): void {
  if (turn.kind !== 'first') throw new Error('it was not the first')
  turn.end(finished)
}

test('gives the answer again to the same request', () => {
  const { idempotency } = openIdempotency()
  end(idempotency.begin('once', request), answer)
  const again = { ...request, body: structuredClone(request.body) }
  expect(idempotency.begin('once', again)).toEqual({ kind: 'replay', answer })
})

test('forgets it after ten minutes', () => {
  const { idempotency, time } = openIdempotency()
  end(idempotency.begin('once', request), answer)
  time.ms = 599_999
  expect(idempotency.begin('once', request).kind).toBe('replay')
  time.ms = 600_000
  expect(idempotency.begin('once', request).kind).toBe('first')
})

test('makes the second wait while the first runs', () => {
  const { idempotency } = openIdempotency()
  const first = idempotency.begin('once', request)
  expect(() => idempotency.begin('once', request)).toThrow(
    expect.objectContaining({
      code: 'idempotency_in_progress',
      status: 409,
      headers: { 'retry-after': '1' },
    }),
  )
  end(first, null)
  expect(idempotency.begin('once', request).kind).toBe('first')
})

test.each([
  ['while the first runs', null],
  ['after it was answered', answer],
])('refuses another body under the same key %s', (_when, finished) => {
  const { idempotency } = openIdempotency()
  const first = idempotency.begin('once', request)
  if (finished) end(first, finished)
  expect(() => idempotency.begin('once', { ...request, body: { messages: [] } })).toThrow(
    expect.objectContaining({ code: 'idempotency_key_reused', status: 422 }),
  )
})

test.each([
  ['another API key', { apiKeyId: 'key_b' }],
  ['another router', { routerId: 'router_b' }],
])('%s has keys of its own', (_name, other) => {
  const { idempotency } = openIdempotency()
  end(idempotency.begin('once', request), answer)
  expect(idempotency.begin('once', { ...request, ...other }).kind).toBe('first')
})

test.each([
  ['empty', ''],
  ['of 256 characters', 'k'.repeat(256)],
  ['with a control character', 'a\tb'],
  ['with a character beyond ASCII', 'clé'],
])('refuses a key that is %s', (_name, key) => {
  const { idempotency } = openIdempotency()
  expect(() => idempotency.begin(key, request)).toThrow(
    expect.objectContaining({
      code: 'invalid_parameter',
      status: 400,
      param: 'Idempotency-Key',
    }),
  )
})

test('takes a key of 255 characters', () => {
  const { idempotency } = openIdempotency()
  expect(idempotency.begin('k'.repeat(255), request).kind).toBe('first')
})

test('drops the answers of a revoked key at once', () => {
  const { idempotency, refused } = openIdempotency()
  end(idempotency.begin('once', request), answer)
  refused.add('key_a')
  idempotency.forgetRefused()
  refused.clear()
  expect(idempotency.begin('once', request).kind).toBe('first')
})

test('keeps nothing of an answer whose key was revoked meanwhile', () => {
  const { idempotency, refused } = openIdempotency()
  const first = idempotency.begin('once', request)
  refused.add('key_a')
  end(first, answer)
  refused.clear()
  expect(idempotency.begin('once', request).kind).toBe('first')
})

test('keeps no more than 64 MiB, the newest', () => {
  const { idempotency } = openIdempotency()
  const large = { ...answer, body: Buffer.alloc(4 * 1024 * 1024) }
  for (let n = 0; n < 17; n += 1) end(idempotency.begin(`key ${n}`, request), large)
  expect(idempotency.begin('key 1', request).kind).toBe('replay')
  expect(idempotency.begin('key 0', request).kind).toBe('first')
})

test('keeps no more than 10,000 answers', () => {
  const { idempotency } = openIdempotency()
  for (let n = 0; n <= 10_000; n += 1) end(idempotency.begin(`key ${n}`, request), answer)
  expect(idempotency.begin('key 1', request).kind).toBe('replay')
  expect(idempotency.begin('key 0', request).kind).toBe('first')
})
