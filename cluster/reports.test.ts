/** Reports and retention on a ledger of a million rows. */
import { Client } from 'pg'
import { expect, test } from 'vitest'
import { row } from '../bench/row.ts'
import { openPostgresStorage } from '../src/service/storage/postgres/open-postgres-storage.ts'
import type { Storage } from '../src/service/storage/storage.ts'
import type { UsageReportQuery } from '../src/shared/requests/usage.ts'
import { postgresUrl, startPostgres } from '../test/engines/postgres.ts'
import { amount, expectMeasured, tortureTimeoutMs } from '../test/torture/amounts.ts'

const rows = amount({ quick: 10_000, full: 1_000_000 })
const days = 30
const dayMs = 86_400_000
const mostReportMs = 300
const mostRetentionMs = 100
const repetitions = 5

test(
  'the usage page and retention are fast on a large ledger',
  { timeout: tortureTimeoutMs },
  async ({ onTestFinished }) => {
    const server = await startPostgres({ durable: true })
    onTestFinished(() => server.remove())
    const url = postgresUrl(server.port)
    const storage = await openPostgresStorage({ url })
    onTestFinished(() => storage.close())
    const today = Math.floor(Date.now() / dayMs)
    await fillLedger(url, today)
    const counted = await storage.maintenance.rebuildTotals()
    expect(counted).toHaveLength(days)
    await run(url, ['VACUUM ANALYZE'])
    const toMs = (today + 1) * dayMs
    const slowest = new Map<string, number>()
    for (let repetition = 0; repetition < repetitions; repetition += 1)
      for (const [name, ask] of questions(storage, toMs)) {
        const tookMs = await durationOf(ask)
        slowest.set(name, Math.max(slowest.get(name) ?? 0, tookMs))
      }
    const retentionMs = await durationOf(() =>
      storage.ledger.prune({
        rowsBeforeMs: (today - days + 2) * dayMs,
        minutesBeforeMs: 0,
        hoursBeforeMs: 0,
        maxBytes: Number.MAX_SAFE_INTEGER,
        keptSinceMs: 0,
      }),
    )
    const [left] = await run(url, ['SELECT count(*) AS count FROM requests'])
    expectMeasured([
      row('rows', [rows, '']),
      ...[...slowest].map(([name, tookMs]) =>
        row(`${name}, slowest of ${repetitions}`, [tookMs, 'ms'], {
          target: { atMost: mostReportMs },
        }),
      ),
      row('rows that retention of a day deleted', [rows - Number(left?.['count']), ''], {
        target: { atLeast: 1 },
      }),
      row('retention of a day', [retentionMs, 'ms'], { target: { atMost: mostRetentionMs } }),
    ])
  },
)

/** What the pages for usage and requests ask. */
function questions({ ledger }: Storage, toMs: number): [string, () => Promise<unknown>][] {
  const range = (lengthDays: number, group: UsageReportQuery['group']): UsageReportQuery => ({
    fromMs: toMs - lengthDays * dayMs,
    toMs,
    bucketMs: dayMs,
    offsetMs: 0,
    group,
  })
  const grouped = (['none', 'router', 'model', 'provider', 'key', 'tag', 'agent'] as const).map(
    (group): [string, () => Promise<unknown>] => [
      `report of ${days} days by ${group}`,
      () => ledger.report(range(days, group)),
    ],
  )
  const lastDay = { ...range(1, 'model'), bucketMs: 3_600_000 }
  return [
    ...grouped,
    ['report of a day by model', () => ledger.report(lastDay)],
    [
      'newest 100 requests',
      () => ledger.search({ filter: {}, after: null, offset: 0, limit: 100 }),
    ],
    [
      'newest 100 failed requests',
      () => ledger.search({ filter: { end: 'failed' }, after: null, offset: 0, limit: 100 }),
    ],
  ]
}

/** Rows of ten routers, twenty models and fifty keys, evenly over the days. One in fifty failed. */
async function fillLedger(url: string, today: number): Promise<void> {
  const numbers = Array.from({ length: days }, (_, index) => today - index)
  const partitions = numbers.map(
    (day) =>
      `CREATE TABLE IF NOT EXISTS requests_day_${day} PARTITION OF requests
       FOR VALUES FROM (${day * dayMs}) TO (${(day + 1) * dayMs})`,
  )
  const firstMs = (today - days + 1) * dayMs
  await run(url, [
    ...partitions,
    `INSERT INTO requests (
      id, router_id, api_key_id, source, started_at_ms, status, error_code, model_used, router_decision,
      is_streamed, attempts, reported_prompt_tokens, reported_completion_tokens, cost_nano_usd, latency_ms,
      first_token_ms, carbon_grams, detail)
    SELECT 'req_' || nth, 'router_' || nth % 10, 'key_' || nth % 50, 'api',
      ${firstMs} + (nth * ${days * dayMs}::bigint) / ${rows},
      CASE WHEN nth % 50 = 0 THEN 502 ELSE 200 END, CASE WHEN nth % 50 = 0 THEN 'provider_error' END,
      'provider' || nth % 4 || ':model' || nth % 20, 'balanced', nth % 2, 1, nth % 2000, nth % 700,
      nth % 5000 * 1000, 100 + nth % 4000, 50 + nth % 400, 0.01, '[null,"none",0,null,null,0,null]'
    FROM generate_series(0, ${rows - 1}) AS nth`,
  ])
}

/** @returns the rows of the last statement */
async function run(url: string, statements: readonly string[]): Promise<Record<string, unknown>[]> {
  const client = new Client(url)
  await client.connect()
  try {
    let last: Record<string, unknown>[] = []
    for (const text of statements) last = (await client.query<Record<string, unknown>>(text)).rows
    return last
  } finally {
    await client.end()
  }
}

async function durationOf(ask: () => Promise<unknown>): Promise<number> {
  const startedAt = performance.now()
  await ask()
  return performance.now() - startedAt
}
