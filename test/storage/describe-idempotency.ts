import { expect, test } from 'vitest'
import type { Storage } from '../../src/service/storage/storage.ts'

const record = {
  id: 'id',
  apiKeyId: 'key_a',
  routerId: 'router_a',
  bodySha256: 'a'.repeat(64),
  isFirstAttempt: false,
}
const answer = { isStreamed: false, body: Buffer.from('{}'), headers: { 'x-a': 'b' } }

export function describeIdempotency(storage: () => Pick<Storage, 'idempotency'>): void {
  test('begins exactly one of 100 simultaneous requests with one id', async () => {
    const { idempotency } = storage()
    const states = await Promise.all(Array.from({ length: 100 }, () => idempotency.begin(record)))
    expect(states.filter(({ kind }) => kind === 'begun')).toHaveLength(1)
    expect(states.filter(({ kind }) => kind === 'running')).toHaveLength(99)
  })

  test('returns the answer of a finished request, with the hash of its body', async () => {
    const { idempotency } = storage()
    await idempotency.begin(record)
    await idempotency.finish(record, answer)
    const again = await idempotency.begin({ ...record, bodySha256: 'b'.repeat(64) })
    expect(again).toEqual({ kind: 'finished', bodySha256: record.bodySha256, answer })
  })

  test('begins again after a request without an answer', async () => {
    const { idempotency } = storage()
    await idempotency.begin(record)
    await idempotency.finish(record, null)
    expect(await idempotency.begin(record)).toEqual({ kind: 'begun' })
  })

  test('deletes the answers of all other owners', async () => {
    const { idempotency } = storage()
    const other = { ...record, id: 'other', apiKeyId: 'key_b' }
    for (const one of [record, other]) {
      await idempotency.begin(one)
      await idempotency.finish(one, answer)
    }
    idempotency.keepOnly(({ apiKeyId }) => apiKeyId === 'key_b')
    expect((await idempotency.begin(record)).kind).toBe('begun')
    expect((await idempotency.begin(other)).kind).toBe('finished')
  })
}
