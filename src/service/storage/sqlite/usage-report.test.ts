import { expect, test } from 'vitest'
import { firstMs, openFilled, spanMs } from '../../../../test/storage/random-ledger.ts'
import type { RequestRecord } from '../../../shared/entities.ts'
import { usageReportQuerySchema, type UsageFigures } from '../../../shared/requests/usage.ts'
import { resolutions } from '../sql/rollups.ts'

const { minuteMs, hourMs, dayMs } = resolutions
/** The figures that differ from those of the rows, computed in another way than the program does. */
function differences(figures: UsageFigures, of: readonly RequestRecord[]): string[] {
  const count = (...statuses: number[]) =>
    of.filter(({ status }) => statuses.includes(status)).length
  const latencies = of.flatMap(({ status, latencyMs }) => (status === 200 ? latencyMs : []))
  const sum = (values: readonly number[]) => values.reduce((total, value) => total + value, 0)
  const expected: Record<string, [actual: number, exact: number]> = {
    requests: [figures.requests, of.length],
    answered: [figures.answered, count(200)],
    limited: [figures.limited, count(429)],
    refused: [figures.refused, count(404)],
    aborted: [figures.aborted, count(499)],
    failed: [figures.failed, count(502)],
    fallbacks: [
      figures.fallbacks,
      of.filter((record) => record.fallbackFrom !== null && record.status === 200).length,
    ],
    input: [figures.tokens.input, of.length * 10],
    output: [figures.tokens.output, of.length * 20],
    costUsd: [figures.costUsd, sum(of.map(({ costNanoUsd }) => costNanoUsd)) / 1e9],
    carbonGrams: [figures.carbonGrams, of.length * 0.25],
    carbonLowGrams: [figures.carbonLowGrams, of.length * 0.1],
    carbonHighGrams: [figures.carbonHighGrams, of.length * 0.4],
    answeredAtAll: [Number(figures.latencyMs !== null), Number(latencies.length > 0)],
    mean: [figures.latencyMs?.mean ?? 0, sum(latencies) / Math.max(1, latencies.length)],
    max: [figures.latencyMs?.max ?? 0, Math.max(0, ...latencies)],
  }
  const wrong = Object.entries(expected).filter(
    ([, [actual, exact]]) => Math.abs(actual - exact) > 0.001,
  )
  return [...wrong.map(([name]) => name), ...wrongQuantiles(figures, latencies)]
}

const quantiles = [
  ['p50', 0.5],
  ['p95', 0.95],
  ['p99', 0.99],
] as const

function wrongQuantiles({ latencyMs }: UsageFigures, latencies: readonly number[]): string[] {
  const sorted = latencies.toSorted((a, b) => a - b)
  if (latencyMs === null) return []
  return quantiles.flatMap(([name, share]) => {
    const exact = sorted[Math.ceil(share * sorted.length) - 1] ?? 0
    return Math.abs(Math.log(latencyMs[name] / exact)) > Math.log(1.045) ? name : []
  })
}

test('every figure of a ledger of 10,000 requests equals the sum of its rows', async () => {
  const { records, report } = await openFilled(10_000)
  const groups = {
    router: ({ routerId }: RequestRecord) => routerId,
    model: ({ modelUsed }: RequestRecord) => modelUsed ?? '',
    provider: ({ modelUsed }: RequestRecord) => modelUsed?.slice(0, 1) ?? '',
    key: ({ apiKeyId }: RequestRecord) => apiKeyId ?? '',
    tag: ({ tag }: RequestRecord) => tag ?? '',
    none: () => '',
  } as const
  const ranges = [
    { fromMs: 0, toMs: spanMs, bucketMs: dayMs },
    { fromMs: dayMs + 1, toMs: 3 * dayMs - 1, bucketMs: hourMs },
    {
      fromMs: 2 * hourMs + 5,
      toMs: 6 * dayMs + 90_001,
      bucketMs: 6 * hourMs,
      offsetMs: 2 * hourMs,
    },
    { fromMs: 3 * minuteMs + 7, toMs: 9 * dayMs, bucketMs: dayMs, offsetMs: -5.5 * hourMs },
    { fromMs: 4 * dayMs + 1_234, toMs: 4 * dayMs + 3 * hourMs, bucketMs: 7 * minuteMs },
  ]
  for (const { fromMs, toMs, ...buckets } of ranges) {
    const range = { fromMs: firstMs + fromMs, toMs: firstMs + toMs, offsetMs: 0, ...buckets }
    for (const [group, nameOf] of Object.entries(groups)) {
      const within = records.filter(
        ({ startedAtMs }) => startedAtMs >= range.fromMs && startedAtMs < range.toMs,
      )
      const result = await report({ ...range, group })
      expect(differences(result.total, within)).toEqual([])
      const byName = Map.groupBy(within, nameOf)
      expect(result.groups.map(({ name }) => name).toSorted()).toEqual(
        [...byName.keys()].toSorted(),
      )
      for (const { name, figures } of result.groups)
        expect(differences(figures, byName.get(name) ?? [])).toEqual([])
      const { offsetMs, bucketMs } = range
      const byStart = Map.groupBy(
        within,
        ({ startedAtMs }) => Math.floor((startedAtMs + offsetMs) / bucketMs) * bucketMs - offsetMs,
      )
      expect(result.points.map(({ startMs }) => startMs)).toEqual(
        [...byStart.keys()].toSorted((a, b) => a - b),
      )
      for (const point of result.points)
        expect(differences(point.total, byStart.get(point.startMs) ?? [])).toEqual([])
    }
  }
})

test('filters select the requests of a router, a model, a provider, a key and a tag', async () => {
  const { records, report } = await openFilled(1_000)
  const range = { fromMs: firstMs + 12_345, toMs: firstMs + spanMs - 54_321, bucketMs: dayMs }
  const filters = {
    routerId: ['router_1', (record: RequestRecord) => record.routerId === 'router_1'],
    model: ['a:x', (record: RequestRecord) => record.modelUsed === 'a:x'],
    providerId: ['a', (record: RequestRecord) => record.modelUsed?.startsWith('a:') === true],
    apiKeyId: ['', (record: RequestRecord) => record.apiKeyId === null],
    tag: ['shop', (record: RequestRecord) => record.tag === 'shop'],
  } as const
  for (const [name, [value, matches]] of Object.entries(filters)) {
    const expected = records.filter(
      (record) =>
        record.startedAtMs >= range.fromMs && record.startedAtMs < range.toMs && matches(record),
    )
    const { total } = await report({ ...range, [name]: value })
    expect(differences(total, expected)).toEqual([])
  }
})

test('agents have the figures of their steps, and the totals those of all requests', async () => {
  const { db, records, report } = await openFilled(1_000)
  const agents = ['writer', 'critic']
  const insert = db.prepare(`
    INSERT INTO executions (id, agent, agent_version, router_id, source, is_streamed, started_at_ms, state,
      steps, cost_nano_usd, carbon_grams, models, trace)
    VALUES (?, ?, 1, 'router_0', 'api', 0, ?, 'done', 1, 0, 0, '[]', '[]')`)
  for (const agent of agents) insert.run(`run-of-${agent}`, agent, firstMs)
  const set = db.prepare('UPDATE requests SET execution_id = ? WHERE id = ?')
  for (const { id } of records)
    if (Number(id) % 3 > 0) set.run(`run-of-${agents[(Number(id) % 3) - 1]}`, id)
  const range = { fromMs: firstMs + 12_345, toMs: firstMs + spanMs - 54_321, bucketMs: dayMs }
  const within = records.filter(
    ({ startedAtMs, routerId }) =>
      startedAtMs >= range.fromMs && startedAtMs < range.toMs && routerId === 'router_1',
  )

  const { total, groups, points } = await report({ ...range, group: 'agent', routerId: 'router_1' })

  expect(differences(total, within)).toEqual([])
  expect(groups.map(({ name }) => name).toSorted()).toEqual(['critic', 'writer'])
  for (const [index, agent] of agents.entries()) {
    const steps = within.filter(({ id }) => Number(id) % 3 === index + 1)
    const figures = groups.find(({ name }) => name === agent)?.figures
    expect(figures && differences(figures, steps)).toEqual([])
    const inPoints = points.map((point) => point.groups[agent]?.requests ?? 0)
    expect(inPoints.reduce((sum, requests) => sum + requests, 0)).toBe(steps.length)
  }
})

test('conversations have the figures of their answers', async () => {
  const { db, records, report } = await openFilled(600)
  const range = { fromMs: firstMs + 12_345, toMs: firstMs + spanMs - 54_321, bucketMs: dayMs }
  db.prepare(
    `INSERT INTO conversations (id, title, created_at_ms, updated_at_ms) VALUES ('c', 'C', 1, 1)`,
  ).run()
  const insert = db.prepare(`
    INSERT INTO messages (id, conversation_id, role, text, created_at_ms, state, set_aside)
    VALUES (?, 'c', 'assistant', '', 1, 'complete', 0)`)
  const isAnswer = ({ id }: { id: string }) => Number(id) % 5 === 0
  for (const { id } of records.filter(isAnswer)) insert.run(id)
  const within = records.filter(
    ({ startedAtMs }) => startedAtMs >= range.fromMs && startedAtMs < range.toMs,
  )

  const { total, groups } = await report({ ...range, group: 'conversation' })

  expect(differences(total, within)).toEqual([])
  expect(groups.map(({ name }) => name)).toEqual(['c'])
  expect(groups[0] && differences(groups[0].figures, within.filter(isAnswer))).toEqual([])
})

test('a range before the oldest kept rows counts whole cells', async () => {
  const { db, records, report } = await openFilled(500)
  const keptMs = firstMs + 5 * dayMs
  db.prepare('DELETE FROM requests WHERE started_at_ms < ?').run(keptMs)
  db.prepare('DELETE FROM usage_rollups WHERE length_ms < ? AND start_ms < ?').run(dayMs, keptMs)
  db.prepare('UPDATE ledger_kept SET rows_from_ms = ?, minutes_from_ms = ?, hours_from_ms = ?').run(
    keptMs,
    keptMs,
    keptMs,
  )

  const { total } = await report({
    fromMs: firstMs + dayMs + 5,
    toMs: firstMs + 3 * dayMs + 5,
    bucketMs: dayMs,
  })

  const days = records.filter(
    ({ startedAtMs }) => startedAtMs >= firstMs + dayMs && startedAtMs < firstMs + 4 * dayMs,
  )
  expect(differences(total, days)).toEqual([])
})

test.each([
  ['an end before the start', { fromMs: 5, toMs: 5, bucketMs: 60_000 }, 'toMs'],
  ['a bucket of half a minute', { fromMs: 5, toMs: 9, bucketMs: 30_000 }, 'bucketMs'],
  ['too many points', { fromMs: 0, toMs: 10 * dayMs, bucketMs: 60_000 }, 'bucketMs'],
])('%s is refused', async (_name, query, field) => {
  const { error } = usageReportQuerySchema.safeParse(query)
  expect(error?.issues.map(({ path }) => path[0])).toEqual([field])
})

test('a search finds the requests that match, newest first, page by page', async () => {
  const { ledger, records } = await openFilled(2_000)
  const newestFirst = records.toSorted(
    (a, b) => b.startedAtMs - a.startedAtMs || Number(b.id) - Number(a.id),
  )
  const cases = [
    [{}, () => true],
    [{ routerId: 'router_2' }, ({ routerId }: RequestRecord) => routerId === 'router_2'],
    [{ providerId: 'b' }, ({ modelUsed }: RequestRecord) => modelUsed === 'b:z'],
    [{ apiKeyId: '' }, ({ apiKeyId }: RequestRecord) => apiKeyId === null],
    [{ end: 'error' }, ({ status }: RequestRecord) => status >= 400],
    [{ end: 'refused' }, ({ status }: RequestRecord) => status === 404],
    [
      { end: 'fallback' },
      ({ status, fallbackFrom }: RequestRecord) => status < 400 && fallbackFrom !== null,
    ],
    [{ client: 'openai/js' }, () => true],
    [{ client: 'curl' }, () => false],
    [{ text: 'B:Z' }, ({ modelUsed }: RequestRecord) => modelUsed === 'b:z'],
    [{ text: 'blog' }, ({ tag }: RequestRecord) => tag === 'blog'],
    [{ text: 'nothing of this kind' }, () => false],
    [
      { fromMs: firstMs + dayMs, toMs: firstMs + 2 * dayMs, tag: 'blog' },
      ({ startedAtMs, tag }: RequestRecord) =>
        startedAtMs >= firstMs + dayMs && startedAtMs < firstMs + 2 * dayMs && tag === 'blog',
    ],
  ] as const
  for (const [filter, matches] of cases) {
    const expected = newestFirst.filter(matches).map(({ id }) => id)
    expect(await ledger.countMatches(filter)).toBe(expected.length)
    const page = async (after: string | null, offset: number) =>
      (await ledger.search({ filter, after, offset, limit: 50 })).map(({ id }) => id)
    const first = await page(null, 0)
    expect([...first, ...(await page(null, 50))]).toEqual(expected.slice(0, 100))
    expect(await page(first.at(-1) ?? null, 0)).toEqual(expected.slice(50, 100))
    expect(await page(first.at(-1) ?? null, 30)).toEqual(expected.slice(80, 130))
  }
  expect(await ledger.search({ filter: {}, after: null, offset: 0, limit: 1 })).toEqual([
    { ...newestFirst[0], client: 'OpenAI/JS 7.55.0' },
  ])
})
