import { expect, onTestFinished, test } from 'vitest'
import type { SentAnswer } from '../../storage/idempotency-store.ts'
import { IdempotencyMemory } from '../../storage/idempotency-memory.ts'
import { Idempotency, type IdempotentStart } from './idempotency.ts'

const owner = { apiKeyId: 'key_a', routerId: 'router_a' }
const request = {
  ...owner,
  body: { messages: [{ role: 'user', content: 'Hi' }] },
  retryCount: undefined,
}
const answer: SentAnswer = {
  isStreamed: false,
  body: Buffer.from('{"id":"chatcmpl-1"}'),
  headers: {},
}

function openIdempotency() {
  const time = { ms: 0 }
  const refused = new Set<string>()
  const store = new IdempotencyMemory(() => time.ms)
  const mayAsk = ({ apiKeyId }: { apiKeyId: string }) => !refused.has(apiKeyId)
  const idempotency = new Idempotency({ store, mayAsk })
  onTestFinished(() => store.close())
  return { idempotency, time, refused }
}

/** Ends the first request with a key. */
async function end(start: IdempotentStart, finished: SentAnswer | null): Promise<void> {
  if (start.kind !== 'first') throw new Error('it was not the first')
  await start.finish(finished)
}

test('repeats the answer for the same request', async () => {
  const { idempotency } = openIdempotency()
  await end(await idempotency.begin('once', request), answer)
  const again = { ...request, body: structuredClone(request.body) }
  expect(await idempotency.begin('once', again)).toEqual({ kind: 'replay', answer })
})

test('deletes an answer after ten minutes', async () => {
  const { idempotency, time } = openIdempotency()
  await end(await idempotency.begin('once', request), answer)
  time.ms = 599_999
  expect((await idempotency.begin('once', request)).kind).toBe('replay')
  time.ms = 600_000
  expect((await idempotency.begin('once', request)).kind).toBe('first')
})

test('refuses the second request while the first runs', async () => {
  const { idempotency } = openIdempotency()
  const first = await idempotency.begin('once', request)
  await expect(idempotency.begin('once', request)).rejects.toThrow(
    expect.objectContaining({
      code: 'idempotency_in_progress',
      status: 409,
      headers: { 'retry-after': '1' },
    }),
  )
  await end(first, null)
  expect((await idempotency.begin('once', request)).kind).toBe('first')
})

test.each([
  ['while the first runs', null],
  ['after it was answered', answer],
])('refuses another body under the same key %s', async (_when, finished) => {
  const { idempotency } = openIdempotency()
  const first = await idempotency.begin('once', request)
  if (finished) await end(first, finished)
  await expect(idempotency.begin('once', { ...request, body: { messages: [] } })).rejects.toThrow(
    expect.objectContaining({ code: 'idempotency_key_reused', status: 422 }),
  )
})

test.each([
  ['another API key', { apiKeyId: 'key_b' }],
  ['another router', { routerId: 'router_b' }],
])('%s has its own keys', async (_name, other) => {
  const { idempotency } = openIdempotency()
  await end(await idempotency.begin('once', request), answer)
  expect((await idempotency.begin('once', { ...request, ...other })).kind).toBe('first')
})

test.each([
  ['empty', ''],
  ['of 256 characters', 'k'.repeat(256)],
  ['with a control character', 'a\tb'],
  ['with a character beyond ASCII', 'clé'],
])('refuses a key that is %s', async (_name, key) => {
  const { idempotency } = openIdempotency()
  await expect(idempotency.begin(key, request)).rejects.toThrow(
    expect.objectContaining({
      code: 'invalid_parameter',
      status: 400,
      param: 'Idempotency-Key',
    }),
  )
})

test('accepts a key of 255 characters', async () => {
  const { idempotency } = openIdempotency()
  expect((await idempotency.begin('k'.repeat(255), request)).kind).toBe('first')
})

test('deletes the answers of a revoked key at once', async () => {
  const { idempotency, refused } = openIdempotency()
  await end(await idempotency.begin('once', request), answer)
  refused.add('key_a')
  idempotency.forgetRefused()
  refused.clear()
  expect((await idempotency.begin('once', request)).kind).toBe('first')
})

test('stores no answer whose key was revoked meanwhile', async () => {
  const { idempotency, refused } = openIdempotency()
  const first = await idempotency.begin('once', request)
  refused.add('key_a')
  await end(first, answer)
  refused.clear()
  expect((await idempotency.begin('once', request)).kind).toBe('first')
})

test('stores at most 64 MiB, the newest', async () => {
  const { idempotency } = openIdempotency()
  const large = { ...answer, body: Buffer.alloc(4 * 1024 * 1024) }
  for (let n = 0; n < 17; n += 1) await end(await idempotency.begin(`key ${n}`, request), large)
  expect((await idempotency.begin('key 1', request)).kind).toBe('replay')
  expect((await idempotency.begin('key 0', request)).kind).toBe('first')
})

test('stores no more than 10,000 answers', async () => {
  const { idempotency } = openIdempotency()
  for (let n = 0; n <= 10_000; n += 1)
    await end(await idempotency.begin(`key ${n}`, request), answer)
  expect((await idempotency.begin('key 1', request)).kind).toBe('replay')
  expect((await idempotency.begin('key 0', request)).kind).toBe('first')
})
