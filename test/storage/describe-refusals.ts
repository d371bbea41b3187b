import { expect, test } from 'vitest'
import type { RefusalKind } from '../../src/shared/requests/refusal.ts'
import type { Storage } from '../../src/service/storage/storage.ts'

const minuteMs = 60_000
const hourMs = 60 * minuteMs
const dayMs = 24 * hourMs
const startMs = 100 * dayMs
const never = { minutesBeforeMs: 0, hoursBeforeMs: 0, rowsBeforeMs: 0 }

function kindOf(changes: Partial<RefusalKind> = {}): RefusalKind {
  return {
    apiKeyId: 'key-1',
    routerId: 'router_1',
    code: 'invalid_parameter',
    door: 'chat',
    ...changes,
  }
}

function idOf(number: number): string {
  return `01900000-0000-7000-8000-${String(number).padStart(12, '0')}`
}

export function describeRefusals(storage: () => Storage): void {
  const addCount = (kind: RefusalKind, count: number, atMs = startMs) =>
    storage().refusals.add({ counts: [{ kind, startMs: atMs, count }], newest: [] })
  const total = async (sinceMs = 0) => {
    const counts = await storage().refusals.counts({ sinceMs })
    return counts.reduce((sum, { count }) => sum + count, 0)
  }

  test('counts add up by kind, the most frequent first', async () => {
    const unknown = kindOf({ apiKeyId: null, routerId: null, code: 'invalid_api_key' })
    await addCount(unknown, 2)
    await addCount(kindOf(), 3)
    await addCount(kindOf(), 4, startMs + minuteMs)

    expect(await storage().refusals.counts({ sinceMs: 0 })).toEqual([
      { ...kindOf(), count: 7, lastAtMs: startMs + minuteMs },
      { ...unknown, count: 2, lastAtMs: startMs },
    ])
  })

  test('counts can be limited to a time, a router and a key', async () => {
    const { refusals } = storage()
    await addCount(kindOf(), 1)
    await addCount(kindOf({ routerId: 'router_2' }), 2, startMs + minuteMs)
    await addCount(kindOf({ apiKeyId: 'key-2' }), 4, startMs + minuteMs)

    expect(await total(startMs + minuteMs)).toBe(6)
    const ofRouter = await refusals.counts({ sinceMs: 0, routerId: 'router_2' })
    expect(ofRouter.map(({ count }) => count)).toEqual([2])
    const ofKey = await refusals.counts({ sinceMs: 0, apiKeyId: 'key-2' })
    expect(ofKey.map(({ count }) => count)).toEqual([4])
  })

  test('the newest refusals are found by id, router, key and time, newest first', async () => {
    const { refusals } = storage()
    const mine = { ...kindOf(), id: idOf(1), atMs: startMs }
    const other = { ...kindOf({ apiKeyId: null, routerId: null }), id: idOf(2), atMs: startMs + 1 }
    await refusals.add({ counts: [], newest: [mine, other] })

    expect(await refusals.get(idOf(1))).toEqual(mine)
    expect(await refusals.get(idOf(3))).toBeNull()
    expect(await refusals.newest({ limit: 5 })).toEqual([other, mine])
    expect(await refusals.newest({ limit: 5, apiKeyId: 'key-1' })).toEqual([mine])
    expect(await refusals.newest({ limit: 5, apiKeyId: '' })).toEqual([other])
    expect(await refusals.newest({ limit: 5, toMs: startMs + 1 })).toEqual([mine])
    expect(await refusals.newest({ limit: 5, fromMs: startMs + 1 })).toEqual([other])
    expect(await refusals.newest({ limit: 1 })).toEqual([other])
  })

  test('only the newest refusals are kept', async () => {
    const { refusals } = storage()
    const batch = (first: number, count: number) =>
      Array.from({ length: count }, (_, index) => ({
        ...kindOf(),
        id: idOf(first + index),
        atMs: startMs,
      }))
    await refusals.add({ counts: [], newest: batch(0, 10_000) })
    await refusals.add({ counts: [], newest: batch(10_000, 1_500) })

    expect(await refusals.newest({ limit: 20_000 })).toHaveLength(10_000)
    expect(await refusals.get(idOf(1_499))).toBeNull()
    expect(await refusals.get(idOf(1_500))).not.toBeNull()
  })

  test('minutes become hours, hours become days, and days lose their keys', async () => {
    const { refusals } = storage()
    await addCount(kindOf(), 1, startMs + minuteMs)
    await addCount(kindOf(), 2, startMs + 2 * minuteMs)
    await addCount(kindOf({ apiKeyId: 'key-2' }), 4, startMs + 2 * hourMs)
    const nowMs = startMs + dayMs

    await refusals.prune({ ...never, minutesBeforeMs: nowMs }, nowMs)
    const hours = await refusals.counts({ sinceMs: 0 })
    expect(hours.map(({ count, lastAtMs }) => [count, lastAtMs])).toEqual([
      [4, startMs + 2 * hourMs],
      [3, startMs],
    ])
    await refusals.prune({ ...never, hoursBeforeMs: nowMs }, nowMs)
    const days = await refusals.counts({ sinceMs: 0 })
    expect(days.map(({ count, lastAtMs }) => [count, lastAtMs])).toEqual([
      [4, startMs],
      [3, startMs],
    ])
    await refusals.prune({ ...never, rowsBeforeMs: nowMs }, nowMs)
    expect(await refusals.counts({ sinceMs: 0 })).toEqual([
      { ...kindOf({ apiKeyId: null, routerId: null }), count: 7, lastAtMs: startMs },
    ])
  })

  test('too many kinds are counted together, by code and door', async () => {
    const { refusals } = storage()
    const counts = Array.from({ length: 4_100 }, (_, index) => ({
      kind: kindOf({ apiKeyId: `key-${index}` }),
      startMs,
      count: 1,
    }))
    await refusals.add({ counts, newest: [] })

    const stored = await refusals.counts({ sinceMs: 0 })
    expect(stored).toHaveLength(4_001)
    expect(stored[0]).toMatchObject({ apiKeyId: null, routerId: null, count: 100 })
    expect(await total()).toBe(4_100)
  })

  test('too many counts become hours and days early, and none is lost', async () => {
    const { refusals } = storage()
    const counts = Array.from({ length: 25_000 }, (_, index) => ({
      kind: kindOf({ apiKeyId: `key-${index % 100}` }),
      startMs: startMs + Math.floor(index / 100) * minuteMs,
      count: 1,
    }))
    await refusals.add({ counts, newest: [] })
    await refusals.prune(never, startMs + dayMs)

    const stored = await refusals.counts({ sinceMs: 0 })
    expect(stored).toHaveLength(100)
    expect(stored.every(({ count }) => count === 250)).toBe(true)
  })
}
