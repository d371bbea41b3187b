import { expect, test } from 'vitest'
import type { Storage } from '../../src/service/storage/storage.ts'
import { sampleDetail, sampleRecord } from './samples.ts'

type Use = () => Storage

export function describeQuota(storage: Use): void {
  const take = (day: string, over: { wanted?: number; limit?: number | null } = {}) =>
    storage().quota.take({ routerId: 'router_a', day, wanted: 1, limit: 100, ...over })

  test('grants exactly the limit to 90 callers at once', async () => {
    const limit = 30
    const takes = await Promise.all(Array.from({ length: 90 }, () => take('2026-11-21', { limit })))
    expect(takes.filter(({ granted }) => granted === 1)).toHaveLength(30)
    expect(takes.filter(({ granted }) => granted === 0)).toHaveLength(60)
    expect(Math.max(...takes.map(({ used }) => used))).toBe(30)
  })

  test('grants only the rest when more is wanted', async () => {
    const day = '2026-11-21'
    expect(await take(day, { wanted: 70 })).toEqual({ granted: 70, used: 70 })
    expect(await take(day, { wanted: 70 })).toEqual({ granted: 30, used: 100 })
    expect(await take(day, { wanted: 70 })).toEqual({ granted: 0, used: 100 })
  })

  test('counts requests without a limit, too', async () => {
    await take('2026-11-21', { wanted: 500, limit: null })
    expect((await take('2026-11-21', { limit: null })).used).toBe(501)
  })

  test('grants nothing when the limit was lowered below the count', async () => {
    await take('2026-11-21', { wanted: 80 })
    const lowered = await take('2026-11-21', { limit: 50 })
    expect(lowered).toEqual({ granted: 0, used: 80 })
  })

  test('starts at zero on a new day', async () => {
    await take('2026-11-21', { wanted: 100 })
    expect(await take('2026-11-22')).toEqual({ granted: 1, used: 1 })
  })

  test('lets an earlier day take over the count, so that a clock set back refills nothing', async () => {
    await take('2026-11-21', { wanted: 100 })
    await take('2026-11-22', { wanted: 99 })
    expect((await take('2026-11-21')).granted).toBe(0)
    expect(await take('2026-11-22', { wanted: 9 })).toEqual({ granted: 1, used: 100 })
  })

  test('refills nothing when the clock is set back to a used-up day, however few requests followed it', async () => {
    await take('2026-11-21', { wanted: 100 })
    await take('2026-11-22', { wanted: 1 })
    expect((await take('2026-11-20')).granted).toBe(0)
  })

  test('counts from zero on the day after a clock that was years ahead is corrected', async () => {
    await take('2026-11-21', { wanted: 30 })
    await take('2031-01-01', { wanted: 60 })
    expect(await take('2026-11-21')).toEqual({ granted: 1, used: 61 })
    expect(await take('2026-11-22')).toEqual({ granted: 1, used: 1 })
    expect(await take('2031-01-01')).toEqual({ granted: 1, used: 61 })
  })

  test('counts each router separately', async () => {
    await take('2026-11-22', { wanted: 100 })
    const other = { routerId: 'router_b', day: '2026-11-21', wanted: 1, limit: 1 }
    expect(await storage().quota.take(other)).toEqual({ granted: 1, used: 1 })
  })

  test('returns requests that were not dispatched, and never goes below zero', async () => {
    const day = '2026-11-21'
    await take(day, { wanted: 100 })
    await storage().quota.giveBack({ routerId: 'router_a', day, count: 40 })
    expect(await take(day, { wanted: 50 })).toEqual({ granted: 40, used: 100 })
    await storage().quota.giveBack({ routerId: 'router_a', day, count: 900 })
    expect((await take(day)).used).toBe(1)
  })
}

export function describeLedger(storage: Use): void {
  const append = (records: Parameters<typeof sampleRecord>[0][]) =>
    Promise.all(
      records.map((record) => storage().ledger.append(sampleRecord(record), sampleDetail())),
    )

  test('reads a row as it was written, with unknown figures as null', async () => {
    const record = sampleRecord({
      apiKeyId: null,
      source: 'chat',
      cachedFrom: 'request-0',
      status: 503,
      errorCode: 'all_models_unavailable',
      modelUsed: null,
      isStreamed: true,
      reportedPromptTokens: null,
      estimatedPromptTokens: 12,
      firstTokenMs: 3.5,
    })
    await storage().ledger.append(record, sampleDetail())
    expect(await storage().ledger.get('request-1')).toEqual({ record, detail: sampleDetail() })
    expect(await storage().ledger.get('request-none')).toBeNull()
  })

  test('reads each figure from its own column, and texts with any characters', async () => {
    const words = 'a "quoted" \\ back\nslash\u2028 \u{1F980} Grüße'
    const record = sampleRecord({
      routerId: 'router_b',
      apiKeyId: 'key-2',
      source: 'chat',
      startedAtMs: 1_795_283_608_416,
      status: 502,
      errorCode: 'upstream_error',
      modelUsed: words,
      routerDecision: 'balanced',
      isStreamed: true,
      attempts: 2,
      reportedPromptTokens: 3,
      reportedCompletionTokens: 4,
      estimatedPromptTokens: 5,
      estimatedCompletionTokens: 6,
      costNanoUsd: 7_000_000_000,
      latencyMs: 8.123,
      firstTokenMs: 9.25,
      carbonGrams: 0.03107569411905595,
      cachedFrom: 'request-0',
      executionId: 'execution-1',
      stepId: words,
    })
    const detail = sampleDetail({ client: words })
    await storage().ledger.append(record, detail)
    expect(await storage().ledger.get('request-1')).toEqual({ record, detail })
  })

  const ids = async (query: { routerId?: string; limit: number }) =>
    (await storage().ledger.list(query)).map(({ id }) => id)

  test('lists the newest first, for all routers or for one', async () => {
    await append([
      { id: '1', startedAtMs: 1 },
      { id: '3', startedAtMs: 3 },
      { id: '2', startedAtMs: 2, routerId: 'router_b' },
    ])
    expect(await ids({ limit: 10 })).toEqual(['3', '2', '1'])
    expect(await ids({ limit: 2 })).toEqual(['3', '2'])
    expect(await ids({ routerId: 'router_a', limit: 10 })).toEqual(['3', '1'])
  })

  test('finds the first and the last request of a key since a time', async () => {
    await append([
      { id: '1', startedAtMs: 1, apiKeyId: 'key-a' },
      { id: '2', startedAtMs: 2, apiKeyId: 'key-b' },
      { id: '4', startedAtMs: 4, apiKeyId: 'key-a' },
      { id: '3', startedAtMs: 3, apiKeyId: 'key-a' },
    ])
    const ends = async (apiKeyId: string, sinceMs: number) => {
      const found = await storage().ledger.endsOfKey({ apiKeyId, sinceMs })
      return found && [found.first.record.id, found.last.record.id]
    }
    expect(await ends('key-a', 0)).toEqual(['1', '4'])
    expect(await ends('key-a', 2)).toEqual(['3', '4'])
    expect(await ends('key-b', 0)).toEqual(['2', '2'])
    expect(await ends('key-b', 3)).toBeNull()
  })

  test('finds the newest request of each key since a time', async () => {
    await append([
      { id: '1', startedAtMs: 1, apiKeyId: 'key-old' },
      { id: '2', startedAtMs: 2, apiKeyId: 'key-a' },
      { id: '4', startedAtMs: 4, apiKeyId: 'key-a' },
      { id: '3', startedAtMs: 3, apiKeyId: 'key-b' },
      { id: '5', startedAtMs: 5, apiKeyId: null },
    ])
    expect(await storage().ledger.newestOfKeys(2)).toEqual({ 'key-a': 4, 'key-b': 3 })
  })

  test('pages through a router, newest first, each row once', async () => {
    await append([
      { id: 'a', startedAtMs: 1 },
      { id: 'd', startedAtMs: 3 },
      { id: 'b', startedAtMs: 2 },
      { id: 'c', startedAtMs: 2 },
      { id: 'e', startedAtMs: 2, routerId: 'router_b' },
    ])
    const pageAfter = async (before: { startedAtMs: number; id: string } | null) =>
      storage().ledger.page({ routerId: 'router_a', sinceMs: 2, before, limit: 2 })

    const first = await pageAfter(null)
    const second = await pageAfter(first.at(-1)?.record ?? null)

    expect(first.map(({ record }) => record.id)).toEqual(['d', 'c'])
    expect(second.map(({ record }) => record.id)).toEqual(['b'])
    expect(first[0]?.detail).toEqual(sampleDetail())
  })

  test('sums the points of a report, oldest first, without empty ones', async () => {
    await append([
      { id: '1', startedAtMs: 60_000, latencyMs: 100, costNanoUsd: 1_000_000 },
      { id: '2', startedAtMs: 119_999, latencyMs: 300, costNanoUsd: 2_000_000 },
      { id: '3', startedAtMs: 61_000, latencyMs: 50, modelUsed: 'local:a', costNanoUsd: 0 },
      { id: '4', startedAtMs: 240_000, status: 503, modelUsed: null, costNanoUsd: 0 },
    ])
    const query = { fromMs: 0, toMs: 300_000, bucketMs: 60_000, offsetMs: 0 }
    const { points } = await storage().ledger.report({ ...query, group: 'model' })
    expect(points).toMatchObject([
      {
        startMs: 60_000,
        total: {
          requests: 3,
          answered: 3,
          costUsd: 0.003,
          latencyMs: { mean: 150, max: 300 },
          carbonGrams: 0.75,
        },
        groups: { 'openai:gpt-5': { requests: 2 }, 'local:a': { requests: 1 } },
      },
      {
        startMs: 240_000,
        total: { requests: 1, failed: 1, costUsd: 0, latencyMs: null, carbonGrams: 0.25 },
      },
    ])
  })

  test('sums the cost of a router or a key by UTC day', async () => {
    const dayMs = 86_400_000
    await append([
      { id: '1', startedAtMs: 3 * dayMs - 1, costNanoUsd: 1 },
      { id: '2', startedAtMs: 3 * dayMs, costNanoUsd: 10, apiKeyId: null },
      { id: '3', startedAtMs: 4 * dayMs - 1, costNanoUsd: 100, status: 499 },
      { id: '4', startedAtMs: 9 * dayMs, costNanoUsd: 1_000, routerId: 'router_b' },
    ])
    const { ledger } = storage()
    const of = (owner: 'router' | 'key', id: string, sinceMs = 3 * dayMs) =>
      ledger.costsByDay({ owner, id, sinceMs })
    expect(await of('router', 'router_a')).toEqual([{ dayStartMs: 3 * dayMs, costNanoUsd: 110 }])
    expect(await of('router', 'router_a', 0)).toHaveLength(2)
    expect(await of('router', 'router_c')).toEqual([])
    expect(await of('key', 'key-1')).toEqual([
      { dayStartMs: 3 * dayMs, costNanoUsd: 100 },
      { dayStartMs: 9 * dayMs, costNanoUsd: 1_000 },
    ])
  })

  test('returns the costs of exactly the rows appended before the call', async () => {
    const { ledger } = storage()
    const appendOne = (id: string) =>
      ledger.append(sampleRecord({ id, costNanoUsd: 1 }), sampleDetail())
    const asked = Array.from({ length: 50 }, async (_, index) => {
      const appended = appendOne(String(index))
      const costs = ledger.costsByDay({ owner: 'router', id: 'router_a', sinceMs: 0 })
      await appended
      return (await costs)[0]?.costNanoUsd
    })
    expect(await Promise.all(asked)).toEqual(Array.from({ length: 50 }, (_, index) => index + 1))
  })

  test('excludes a failed request from latency, but includes its cost', async () => {
    await append([
      { id: '1', latencyMs: 100 },
      { id: '2', latencyMs: 900, status: 499 },
    ])
    const query = { fromMs: 0, toMs: 60_000, bucketMs: 60_000, offsetMs: 0 }
    const { total } = await storage().ledger.report({ ...query, group: 'none' })
    const counts = { requests: 2, answered: 1, aborted: 1 }
    expect(total).toMatchObject({ ...counts, latencyMs: { max: 100 }, costUsd: 3e-6 })
  })

  test('sums the points of one router since a time', async () => {
    await append([
      { id: '1', startedAtMs: 1_000 },
      { id: '2', startedAtMs: 70_000 },
      { id: '3', startedAtMs: 70_000, routerId: 'router_b' },
    ])
    const query = { fromMs: 60_000, toMs: 120_000, bucketMs: 60_000, offsetMs: 0 }
    const ofRouter = { routerId: 'router_a', group: 'none' } as const
    const { points } = await storage().ledger.report({ ...query, ...ofRouter })
    expect(points.map(({ startMs, total }) => [startMs, total.requests])).toEqual([[60_000, 1]])
  })
}

export function describeUsage(storage: Use): void {
  const firstDayMs = Date.UTC(2026, 10, 21)
  const secondDayMs = Date.UTC(2026, 10, 22)
  const cases = [
    ['router', ['router_a', 'router_b']],
    ['model', ['', 'openai:gpt-5']],
    ['key', ['', 'key-1']],
    ['day', ['2026-11-21', '2026-11-22']],
  ] as const

  test.each(cases)('groups by %s', async (group, groups) => {
    await storage().ledger.append(
      sampleRecord({ id: '1', startedAtMs: secondDayMs - 1 }),
      sampleDetail(),
    )
    await storage().ledger.append(
      sampleRecord({
        id: '2',
        startedAtMs: secondDayMs,
        routerId: 'router_b',
        apiKeyId: null,
        modelUsed: null,
        status: 503,
      }),
      sampleDetail(),
    )
    const rows = await storage().ledger.usage({ sinceMs: firstDayMs, group })
    expect(rows.map((row) => row.group)).toEqual(groups)
    expect(rows.map((row) => row.requests)).toEqual([1, 1])
    expect(rows.reduce((sum, row) => sum + row.errors, 0)).toBe(1)
  })

  test.each([
    ['hours', 3_600_000, [secondDayMs - 3_600_000, secondDayMs]],
    ['quarters of an hour', 900_000, [secondDayMs - 900_000, secondDayMs]],
  ])(
    'sums each model in %s, without requests that no model answered',
    async (_name, bucketMs, starts) => {
      const { ledger } = storage()
      const tokens = { input: 10, cacheRead: 3, cacheWrite: 2, output: 20, reasoning: 5 }
      const rows = [
        { id: '1', startedAtMs: secondDayMs - 60_000, costNanoUsd: 7 },
        { id: '2', startedAtMs: secondDayMs, costNanoUsd: 11 },
        { id: '3', startedAtMs: secondDayMs + 60_000, costNanoUsd: 13, fallbackFrom: 'a:b' },
        { id: '4', startedAtMs: secondDayMs, modelUsed: null },
        { id: '5', startedAtMs: secondDayMs + 2 * 3_600_000 },
      ]
      for (const row of rows) await ledger.append(sampleRecord(row), sampleDetail({ tokens }))
      const range = { fromMs: secondDayMs - 3_600_000, toMs: secondDayMs + 2 * 3_600_000 }
      const spans = await ledger.modelSpans({ ...range, bucketMs })
      const model = 'openai:gpt-5'
      expect(spans).toMatchObject([
        { startMs: starts[0], model, requests: 1, ...tokens, costNanoUsd: 7 },
        { startMs: starts[1], model, requests: 2, fallbacks: 1, cacheRead: 6, costNanoUsd: 24 },
      ])
    },
  )

  test('sums the usage of a router, and reports how many requests are estimates', async () => {
    await storage().ledger.append(sampleRecord({ id: '1' }), sampleDetail())
    await storage().ledger.append(
      sampleRecord({ id: '2', reportedPromptTokens: null, estimatedPromptTokens: 5 }),
      sampleDetail(),
    )
    await storage().ledger.append(sampleRecord({ id: '3', routerId: 'router_b' }), sampleDetail())
    const query = { routerId: 'router_a', sinceMs: 0, group: 'router' as const }
    const rows = await storage().ledger.usage(query)
    const latency = rows[0]?.latencyMs?.p50 ?? 0
    expect(rows).toEqual([
      {
        group: 'router_a',
        requests: 2,
        errors: 0,
        estimated: 1,
        tokens: { input: 20, cacheRead: 0, cacheWrite: 0, output: 40, reasoning: 0 },
        costUsd: 3e-6,
        carbonGrams: 0.5,
        latencyMs: { p50: latency, p90: latency, p99: latency },
        firstTokenMs: null,
      },
    ])
    // The middle of its bucket.
    expect(Math.abs(latency / 120.5 - 1)).toBeLessThan(0.05)
  })
}
