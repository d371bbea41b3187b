import { describe, expect, test } from 'vitest'
import { ProviderError, type ProviderErrorKind } from '../provider.ts'
import type { KeyLease } from '../wire.ts'
import { KeyPool } from './key-pool.ts'

function newPool(names: readonly string[] = ['a', 'b']) {
  const clock = { nowMs: 1_000_000 }
  const rejected: string[] = []
  const keys = names.map((name) => ({ name, secret: `key-${name}` }))
  const pool = new KeyPool(keys, {
    now: () => clock.nowMs,
    onRejected: (name) => rejected.push(name),
  })
  const lease = (conversation?: { id: string; isContinued: boolean }) =>
    pool.lease({ model: 'm', conversation: conversation && (() => conversation) })
  return { pool, clock, rejected, lease }
}

const limits = (remaining: number, limit = 100) => ({
  'x-ratelimit-limit-requests': String(limit),
  'x-ratelimit-remaining-requests': String(remaining),
})

function refusal(kind: ProviderErrorKind, retryAfterMs: number | null = null): ProviderError {
  const status = { auth: 401, credit: 402, rate_limit: 429 }[kind as string] ?? 500
  return new ProviderError(kind, `refused with ${status}`, { status, retryAfterMs })
}

/** The next key of the same request. */
function nextOf(lease: KeyLease, kind: ProviderErrorKind, retryAfterMs: number | null = null) {
  const next = lease.refused(refusal(kind, retryAfterMs), {})
  if (next instanceof ProviderError) throw next
  return next
}

describe('the choice of a key', () => {
  test('takes turns while the limits are unknown', () => {
    const { lease } = newPool(['a', 'b', 'c'])

    expect([lease(), lease(), lease(), lease()].map(({ key }) => key)).toEqual([
      'key-a',
      'key-b',
      'key-c',
      'key-a',
    ])
  })

  test('prefers the key with the most limit left, for this model', () => {
    const { pool, lease } = newPool()
    lease().answered(limits(10))
    lease().answered(limits(90))

    expect([lease(), lease(), lease()].map(({ key }) => key)).toEqual(Array(3).fill('key-b'))
    expect(pool.lease({ model: 'other' }).key).toBe('key-a')
  })

  test('passes over a key whose limit is used up, until it starts again', () => {
    const { clock, lease } = newPool()
    lease().answered({ ...limits(0), 'x-ratelimit-reset-requests': '30s' })

    expect([lease(), lease()].map(({ key }) => key)).toEqual(['key-b', 'key-b'])
    clock.nowMs += 30_000
    expect([lease(), lease()].map(({ key }) => key)).toEqual(['key-a', 'key-b'])
  })

  test('does not count a limit that was reported a minute ago', () => {
    const { pool, clock, lease } = newPool()
    lease().answered(limits(10))
    expect(pool.states()[0]?.remaining).toBe(0.1)

    clock.nowMs += 60_000

    expect([lease(), lease()].map(({ key }) => key)).toEqual(['key-b', 'key-a'])
    expect(pool.states()[0]?.remaining).toBeNull()
  })
})

describe('a conversation', () => {
  const first = { id: 'c', isContinued: false }
  const later = { id: 'c', isContinued: true }

  test('keeps its key while the cache is warm, even if another has more limit left', () => {
    const { clock, lease } = newPool()
    lease(first).answered(limits(20))
    lease().answered(limits(100))

    clock.nowMs += 30_000
    const second = lease(later)
    second.answered(limits(19))
    clock.nowMs += 9 * 60_000

    expect([second.key, lease(later).key]).toEqual(['key-a', 'key-a'])
  })

  test('takes turns like any request when the cache is cold', () => {
    const { clock, lease } = newPool()
    lease(first).answered({})

    clock.nowMs += 10 * 60_000

    expect(lease(later).key).toBe('key-b')
  })

  test('moves when its key is rejected, and stays with the new one', () => {
    const { lease } = newPool()
    lease(first).answered({})

    const moved = nextOf(lease(later), 'auth')
    moved.answered({})

    expect([moved.key, lease(later).key]).toEqual(['key-b', 'key-b'])
  })

  test('that only begins like another one is not kept on its key', () => {
    const { lease } = newPool()
    lease(first).answered({})

    expect(lease(first).key).toBe('key-b')
  })
})

describe('a refusal', () => {
  test.each(['auth', 'credit'] as const)(
    'for %s takes only that key out, and is reported once',
    (kind) => {
      const { pool, rejected, lease } = newPool()

      expect(nextOf(lease(), kind).key).toBe('key-b')

      expect([lease(), lease()].map(({ key }) => key)).toEqual(['key-b', 'key-b'])
      expect(rejected).toEqual(['a'])
      expect(pool.states().map(({ rejection }) => rejection?.kind ?? null)).toEqual([kind, null])
    },
  )

  test('with 429 goes to the next key at once, and pauses the first as long as it asked', () => {
    const { clock, lease } = newPool()

    const next = nextOf(lease(), 'rate_limit', 5_000)
    next.answered({})

    expect(next.key).toBe('key-b')
    expect(lease().key).toBe('key-b')
    clock.nowMs += 5_000
    expect(lease().key).toBe('key-a')
  })

  test('of every key is the error of the pool, with the shortest wait', () => {
    const { lease } = newPool()
    const second = nextOf(lease(), 'rate_limit', 5_000)

    const error = second.refused(refusal('rate_limit', 9_000), {})

    expect(error).toMatchObject({ kind: 'rate_limit', status: 429, retryAfterMs: 5_000 })
  })

  test('of the last usable key does not take out a provider whose other key only waits', () => {
    const { lease } = newPool()
    const second = nextOf(lease(), 'rate_limit', 5_000)

    const error = second.refused(refusal('auth'), {})

    expect(error).toMatchObject({ kind: 'rate_limit', retryAfterMs: 5_000 })
  })

  test('of all keys as wrong is the rejection, and each request still asks with one', () => {
    const { lease } = newPool()
    const second = nextOf(lease(), 'auth')

    expect(second.refused(refusal('auth'), {})).toMatchObject({ kind: 'auth', status: 401 })
    expect(lease().refused(refusal('auth'), {})).toMatchObject({ kind: 'auth' })
  })

  test.each(['unavailable', 'request', 'timeout'] as const)(
    'with %s says nothing about the key',
    (kind) => {
      const { lease } = newPool()

      expect(lease().refused(refusal(kind), {})).toMatchObject({ kind })
      expect(lease().key).toBe('key-b')
      expect(lease().key).toBe('key-a')
    },
  )

  test('tries each key at most once for one request', () => {
    const { lease } = newPool(['a', 'b', 'c', 'd'])
    let current = lease()
    const keys = [current.key]
    for (;;) {
      const next = current.refused(refusal('rate_limit', 1_000), {})
      if (next instanceof ProviderError) break
      current = next
      keys.push(current.key)
    }

    expect(keys).toEqual(['key-a', 'key-b', 'key-c', 'key-d'])
  })
})

test('a rejected key is tried again by a list of models, and works again after an answer', () => {
  const { pool, rejected, lease } = newPool()
  nextOf(lease(), 'auth').answered({})

  const probe = pool.lease({ model: '' })
  probe.answered({})

  expect(probe.key).toBe('key-a')
  expect(pool.states().map(({ rejection }) => rejection)).toEqual([null, null])
  nextOf(lease(), 'auth')
  expect(rejected).toHaveLength(2)
})

test('remembers the keys of 10,000 conversations, and forgets the oldest', () => {
  const { lease } = newPool(['a', 'b', 'c'])
  const ask = (id: number, isContinued: boolean) => lease({ id: String(id), isContinued })
  for (let id = 0; id <= 10_000; id += 1) ask(id, false).answered({})

  // 1 had the second key, in turn. The others' turns move on.
  const [kept, again] = [ask(1, true), ask(1, true)]
  expect([kept.key, again.key]).toEqual(['key-b', 'key-b'])
  expect(new Set([ask(0, true), ask(0, true), ask(0, true)].map(({ key }) => key)).size).toBe(3)
})
