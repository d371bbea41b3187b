import { expect, test } from 'vitest'
import { ProviderError } from '../../providers/provider.ts'
import { VendorCounts } from './vendor-counts.ts'

const never = (signal: AbortSignal) =>
  new Promise<number>((_resolve, reject) => {
    signal.addEventListener('abort', () => reject(new Error('aborted')))
  })

function startCounts(limitMs = 60_000) {
  const time = { nowMs: 0 }
  const counts = new VendorCounts({ clock: () => time.nowMs, limitMs })
  const ask = (identity: string, count: (signal: AbortSignal) => Promise<number>) =>
    counts.count({ providerId: 'p', identity, count })
  return { time, ask }
}

test('at most eight counts run at once, and the others follow', async () => {
  const { ask } = startCounts()
  let running = 0
  let most = 0
  const ends: (() => void)[] = []
  const slow = async () => {
    running += 1
    most = Math.max(most, running)
    await new Promise<void>((resolve) => {
      ends.push(resolve)
    })
    running -= 1
    return 5
  }

  const all = Promise.all(Array.from({ length: 27 }, (_, nth) => ask(String(nth), slow)))
  for (let nth = 0; nth < 27; nth += 1) {
    await expect.poll(() => ends.length, { interval: 1 }).toBeGreaterThan(0)
    ends.shift()?.()
  }

  expect(await all).toEqual(Array.from({ length: 27 }, () => 5))
  expect(most).toBe(8)
})

test('a count that takes too long, and those that wait for it, give nothing', async () => {
  const { ask } = startCounts(20)

  const counted = await Promise.all(Array.from({ length: 9 }, (_, nth) => ask(String(nth), never)))

  expect(counted).toEqual(Array.from({ length: 9 }, () => null))
})

test('after a failure the provider is not asked for a minute, or as long as it says', async () => {
  const { ask, time } = startCounts()
  const asked: string[] = []
  const fails = async () => {
    asked.push('failed')
    throw new ProviderError('rate_limit', 'too many', { retryAfterMs: 90_000 })
  }
  const works = async () => asked.push('worked')

  expect(await ask('a', fails)).toBeNull()
  time.nowMs = 89_999
  expect(await ask('a', works)).toBeNull()
  time.nowMs = 90_000
  await ask('a', works)

  expect(asked).toEqual(['failed', 'worked'])
})

test('a prompt that the vendor refuses does not stop other counts', async () => {
  const { ask } = startCounts()
  const refused = () => Promise.reject(new ProviderError('request', 'invalid'))

  expect(await ask('a', refused)).toBeNull()
  expect(await ask('b', () => Promise.resolve(3))).toBe(3)
})

test('an unexpected error is thrown and frees its place', async () => {
  const { ask } = startCounts()
  const breaks = () => Promise.reject(new TypeError('a bug'))

  for (let nth = 0; nth < 9; nth += 1) {
    await expect(ask(String(nth), breaks)).rejects.toThrow('a bug')
  }
})
