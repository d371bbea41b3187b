/** The expected roll-ups, calculated from the rows in another way than the program uses. */
import type { Database } from 'better-sqlite3'
import { addEncoded, bucketOf, emptyHistogram } from '../../src/service/storage/histogram.ts'

type Row = Record<string, string | number | null>
type Cell = Record<string, number | Record<number, number>>

const lengths = [60_000, 3_600_000, 86_400_000]

/** A value of a detail; 0 where none is known. */
const tokensAt = (place: number) => `coalesce(detail ->> '$[${place}]', 0)`

/** Maps length, start, router, model, key and tag to the sums. */
export function rollupsByRows(db: Database): Record<string, Cell> {
  const rows = db
    .prepare<[], Row>(
      `SELECT requests.*, ${tokensAt(2)} AS input,
              ${tokensAt(3)} AS cache_read,
              ${tokensAt(4)} AS cache_write,
              ${tokensAt(5)} AS output,
              ${tokensAt(6)} AS reasoning,
              coalesce(detail ->> '$[13]', carbon_grams) AS carbon_low,
              coalesce(detail ->> '$[14]', carbon_grams) AS carbon_high
       FROM requests`,
    )
    .all()
  const byCell = new Map<string, Row[]>()
  for (const row of rows) {
    for (const length of lengths) {
      const start = Math.floor(Number(row['started_at_ms']) / length) * length
      const about = [
        row['router_id'],
        row['model_used'] ?? '',
        row['api_key_id'] ?? '',
        row['tag'] ?? '',
      ]
      const name = [length, start, ...about].join(' ')
      byCell.set(name, [...(byCell.get(name) ?? []), row])
    }
  }
  return Object.fromEntries([...byCell].map(([name, ofCell]) => [name, sumUp(ofCell)]))
}

function sumUp(rows: readonly Row[]): Cell {
  const answered = rows.filter((row) => Number(row['status']) < 400)
  const begun = answered.filter((row) => row['first_token_ms'] !== null)
  const total = (of: readonly Row[], name: string, scale = 1) =>
    of.reduce((sum, row) => sum + Math.round(Number(row[name]) * scale), 0)
  const count = (isCounted: (status: number) => boolean) =>
    rows.filter((row) => isCounted(Number(row['status']))).length
  return {
    requests: rows.length,
    errors: rows.length - answered.length,
    limited: count((status) => status === 429),
    aborted: count((status) => status === 499),
    failed: count((status) => status >= 500),
    fallbacks: rows.filter((row) => row['fallback_from'] !== null && Number(row['status']) < 400)
      .length,
    estimated: rows.filter((row) => row['estimated_prompt_tokens'] !== null).length,
    input_tokens: total(rows, 'input'),
    cache_read_tokens: total(rows, 'cache_read'),
    cache_write_tokens: total(rows, 'cache_write'),
    output_tokens: total(rows, 'output'),
    reasoning_tokens: total(rows, 'reasoning'),
    cost_nano_usd: total(rows, 'cost_nano_usd'),
    carbon_nanograms: total(rows, 'carbon_grams', 1e9),
    carbon_low_nanograms: total(rows, 'carbon_low', 1e9),
    carbon_high_nanograms: total(rows, 'carbon_high', 1e9),
    latency_us: total(answered, 'latency_ms', 1e3),
    latency_us_max: Math.max(
      0,
      ...answered.map((row) => Math.round(Number(row['latency_ms']) * 1e3)),
    ),
    first_token_us: total(begun, 'first_token_ms', 1e3),
    latency_histogram: countBuckets(answered, 'latency_ms'),
    first_token_histogram: countBuckets(begun, 'first_token_ms'),
  }
}

function countBuckets(rows: readonly Row[], name: string): Record<number, number> {
  const counts: Record<number, number> = {}
  for (const row of rows) {
    const bucket = bucketOf(Number(row[name]))
    counts[bucket] = (counts[bucket] ?? 0) + 1
  }
  return counts
}

/** The roll-ups in the database. */
export function rollupsStored(db: Database): Record<string, Cell> {
  const rows = db
    .prepare<[], Record<string, string | number | Uint8Array>>('SELECT * FROM usage_rollups')
    .all()
  return Object.fromEntries(
    rows.map(({ length_ms, start_ms, router_id, model, api_key_id, tag, ...sums }) => [
      [length_ms, start_ms, router_id, model, api_key_id, tag].join(' '),
      Object.fromEntries(
        Object.entries(sums).map(([name, value]) => [
          name,
          value instanceof Uint8Array ? decode(value) : Number(value),
        ]),
      ),
    ]),
  )
}

function decode(bytes: Uint8Array): Record<number, number> {
  const histogram = emptyHistogram()
  addEncoded(histogram, bytes)
  return Object.fromEntries([...histogram.entries()].filter(([, count]) => count > 0))
}
