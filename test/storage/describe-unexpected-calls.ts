import { expect, test } from 'vitest'
import type { Storage } from '../../src/service/storage/storage.ts'
import {
  mostCallersOfKey,
  type DailyAmount,
  type Sighting,
} from '../../src/service/storage/unexpected-call-store.ts'
import type { RefusalKind } from '../../src/shared/requests/refusal.ts'
import type { UnexpectedCall } from '../../src/shared/requests/unexpected-call.ts'
import { sampleDetail, sampleRecord } from './samples.ts'

const startMs = 1_000_000

function sighting(changes: Partial<Sighting> = {}): Sighting {
  return { apiKeyId: 'key-1', kind: 'program', value: 'curl', atMs: startMs, ...changes }
}

function reported(changes: Partial<UnexpectedCall> = {}) {
  return {
    ownerKind: 'key' as const,
    ownerId: 'key-1',
    kind: 'address' as const,
    lastAtMs: startMs,
    value: '192.0.2.1',
    amount: null,
    usual: null,
    ...changes,
  }
}
const spike = { kind: 'spend', value: null, amount: 30, usual: 2.5 } as const

export function describeUnexpectedCalls(storage: () => Storage): void {
  const see = (...sightings: Sighting[]) => storage().unexpectedCalls.see(sightings)

  test('a caller of a key is new once', async () => {
    const later = { ...sighting(), atMs: startMs + 5 }
    expect(await see(sighting(), later)).toEqual([
      { ...sighting(), knownSinceMs: null, isFull: false },
    ])
    expect(await see(later)).toEqual([])
    const other = sighting({ value: 'node', atMs: startMs + 9 })
    expect(await see(other)).toEqual([{ ...other, knownSinceMs: startMs, isFull: false }])
    const ofOtherKey = sighting({ apiKeyId: 'key-2' })
    expect(await see(ofOtherKey)).toEqual([{ ...ofOtherKey, knownSinceMs: null, isFull: false }])
  })

  test('callers seen at the same time are new once', async () => {
    const seen = await Promise.all(Array.from({ length: 8 }, () => see(sighting())))
    expect(seen.flat()).toHaveLength(1)
  })

  test('of a key, only the most recently used callers of each kind are kept', async () => {
    const many = Array.from({ length: mostCallersOfKey }, (_, index) =>
      sighting({ value: `program ${index}`, atMs: startMs + index }),
    )
    expect((await see(...many)).map(({ isFull }) => isFull)).not.toContain(true)
    // The first is used again, so the second is the oldest now.
    await see(sighting({ value: 'program 0', atMs: startMs + 500 }))
    const next = sighting({ value: 'one more', atMs: startMs + 501 })
    expect(await see(next)).toEqual([{ ...next, knownSinceMs: startMs, isFull: true }])
    expect(await see(sighting({ value: 'program 0', atMs: startMs + 502 }))).toEqual([])
    expect(await see(sighting({ value: 'program 1', atMs: startMs + 503 }))).toHaveLength(1)
    expect(await see(sighting({ kind: 'address', value: '192.0.2.1' }))).toMatchObject([
      { isFull: false },
    ])
  })

  test('further unexpected calls of a kind join the open one', async () => {
    const { unexpectedCalls } = storage()
    expect(await unexpectedCalls.report(reported())).toBe(true)
    const next = reported({ value: '192.0.2.2', lastAtMs: startMs + 7 })
    expect(await unexpectedCalls.report(next)).toBe(false)
    expect(await unexpectedCalls.report(reported({ ...spike, lastAtMs: startMs + 3 }))).toBe(true)
    expect(await unexpectedCalls.list()).toEqual([
      { ...next, firstAtMs: startMs, others: 1 },
      { ...reported({ ...spike, lastAtMs: startMs + 3 }), firstAtMs: startMs + 3, others: 0 },
    ])
  })

  test('a dismissed caller leaves nothing behind; of a dismissed spike, its amount', async () => {
    const { unexpectedCalls } = storage()
    await unexpectedCalls.report(reported())
    await unexpectedCalls.report(reported(spike))
    await unexpectedCalls.report(reported({ ...spike, ownerKind: 'router', ownerId: 'router_1' }))
    const ofKey = { ownerId: 'key-1' }
    expect(await unexpectedCalls.dismiss({ ...ofKey, kind: 'program' }, startMs + 9)).toBe(false)
    expect(await unexpectedCalls.dismiss(ofKey, startMs + 9)).toBe(true)
    expect(await unexpectedCalls.list()).toMatchObject([{ ownerId: 'router_1' }])
    expect(await unexpectedCalls.accepted()).toEqual([
      { ownerId: 'key-1', kind: 'spend', amount: 30, dismissedAtMs: startMs + 9 },
    ])

    const again = reported({ ...spike, amount: 90, lastAtMs: startMs + 20 })
    expect(await unexpectedCalls.report(again)).toBe(true)
    expect(await unexpectedCalls.accepted()).toEqual([])
  })

  test('callers and calls are deleted when they were last seen before the limit', async () => {
    const { unexpectedCalls } = storage()
    await see(sighting(), sighting({ value: 'node', atMs: startMs + 10 }))
    await unexpectedCalls.report(reported())
    await unexpectedCalls.report(reported({ ...spike, lastAtMs: startMs + 10 }))
    await unexpectedCalls.prune(startMs + 1)

    expect(await unexpectedCalls.list()).toMatchObject([{ kind: 'spend' }])
    expect(await see(sighting({ atMs: startMs + 11 }))).toMatchObject([
      { value: 'curl', knownSinceMs: startMs + 10 },
    ])
  })

  const dayMs = 86_400_000
  const todayMs = 100 * dayMs
  const key = { ownerKind: 'key', ownerId: 'key-1' }
  const router = { ownerKind: 'router', ownerId: 'router_1' }
  const byAmount = (a: DailyAmount, b: DailyAmount) => a.amount - b.amount

  test('refusals of a day are by key and by router, without those that have neither', async () => {
    const { refusals, unexpectedCalls } = storage()
    const named = {
      apiKeyId: 'key-1',
      routerId: 'router_1',
      code: 'invalid_json',
      door: 'chat',
    } as const
    const add = (kind: RefusalKind, count: number, atMs: number) =>
      refusals.add({ counts: [{ kind, startMs: atMs, count }], newest: [] })
    await add(named, 3, todayMs)
    await add({ ...named, code: 'invalid_parameter' }, 4, todayMs + 3_600_000)
    await add({ ...named, routerId: null }, 5, todayMs + dayMs)
    await add({ ...named, apiKeyId: null, routerId: null }, 6, todayMs)
    await add(named, 9, todayMs - 60_000)
    const days = await unexpectedCalls.amounts('refusals', todayMs)
    expect(days.toSorted(byAmount)).toEqual([
      { ...key, startMs: todayMs + dayMs, amount: 5 },
      { ...key, startMs: todayMs, amount: 7 },
      { ...router, startMs: todayMs, amount: 7 },
    ])
  })

  test('the spending of a day is by key and by router, in dollars', async () => {
    const { ledger, unexpectedCalls } = storage()
    const add = (id: string, apiKeyId: string | null, startedAtMs: number) => {
      const row = { id, apiKeyId, routerId: 'router_1', startedAtMs, costNanoUsd: 250_000_000 }
      return ledger.append(sampleRecord(row), sampleDetail(), true)
    }
    await add('a', 'key-1', todayMs + 5)
    await add('b', 'key-1', todayMs + dayMs - 5)
    await add('c', null, todayMs + 6)
    await add('d', 'key-1', todayMs - 5)
    const days = await unexpectedCalls.amounts('spend', todayMs)
    expect(days.toSorted(byAmount)).toEqual([
      { ...key, startMs: todayMs, amount: 0.5 },
      { ...router, startMs: todayMs, amount: 0.75 },
    ])
  })
}
