/** The sums of the charts and usage tables, from roll-ups, and from rows only at the edges. */
import type { Database } from 'better-sqlite3'
import type { UsageBucket } from '../../../shared/usage.ts'
import {
  addEncoded,
  emptyHistogram,
  encodeHistogram,
  quantileMs,
  type Histogram,
} from '../histogram.ts'
import type { DurationQuantiles, Ledger, UsageRow } from '../storage.ts'
import { openCountedRows } from './counted-rows.ts'
import { toUsd } from './money.ts'
import type { Synchronous } from './protocol.ts'
import { openCompleteFrom } from './retention.ts'
import { resolutions, type KeyedCell } from './rollups.ts'
import {
  addCell,
  addStoredCell,
  emptyCell,
  type StoredCell,
  type UsageCell,
} from '../usage-cell.ts'
import { coverSince, longestWithin, rowLengthMs, type Span } from './usage-spans.ts'

/** A query of one span of time. */
interface SpanQuery extends Span {
  routerId: string | null
}

const inSpan = `
  length_ms = :lengthMs AND start_ms >= :fromMs AND start_ms < :toMs
  AND (:routerId IS NULL OR router_id = :routerId)`

// ---- the usage table -------------------------------------------------------------------------

type UsageGroup = Parameters<Ledger['usage']>[0]['group']

/** The group of a cell, in SQL and for cells summed in memory. */
const groupings: Record<UsageGroup, { sql: string; of: (keyed: KeyedCell) => string }> = {
  router: { sql: 'router_id', of: ({ routerId }) => routerId },
  model: { sql: 'model', of: ({ model }) => model },
  key: { sql: 'api_key_id', of: ({ apiKeyId }) => apiKeyId },
  day: {
    sql: "date(start_ms / 1000, 'unixepoch')",
    of: ({ startMs }) => new Date(startMs).toISOString().slice(0, 10),
  },
}

export function openUsage(db: Database): Synchronous<Ledger>['usage'] {
  defineMergedHistogram(db)
  const kept = openCompleteFrom(db)
  const rowsIn = openCountedRows(db)
  const cellsBy = ({ sql }: { sql: string }) =>
    db.prepare<SpanQuery, StoredCell & { group: string }>(`
      SELECT ${sql} AS "group", ${sums},
             merged_histogram(latency_histogram) AS latency,
             merged_histogram(first_token_histogram) AS firstToken
      FROM usage_rollups WHERE ${inSpan} GROUP BY 1`)
  const statements = {
    router: cellsBy(groupings.router),
    model: cellsBy(groupings.model),
    key: cellsBy(groupings.key),
    day: cellsBy(groupings.day),
  }

  return ({ routerId = null, sinceMs, group }) => {
    const groups = new Map<string, UsageCell>()
    for (const span of coverSince(sinceMs, resolutions.dayMs, kept())) {
      const query = { ...span, routerId }
      if (span.lengthMs === rowLengthMs) {
        for (const keyed of rowsIn(query, resolutions.dayMs).take())
          addCell(cellOf(groups, groupings[group].of(keyed)), keyed.cell)
      } else {
        for (const cell of statements[group].iterate(query))
          addStoredCell(cellOf(groups, cell.group), cell)
      }
    }
    return [...groups]
      .toSorted(([left], [right]) => (left < right ? -1 : 1))
      .map(([name, cell]) => toUsageRow(name, cell))
  }
}

/** `total`, because `sum` could overflow 64 bits, which makes the query fail. */
const sums = `
  sum(requests) AS requests, sum(errors) AS errors, sum(estimated) AS estimated,
  total(input_tokens) AS input, total(cache_read_tokens) AS cacheRead,
  total(cache_write_tokens) AS cacheWrite, total(output_tokens) AS output,
  total(reasoning_tokens) AS reasoning, total(cost_nano_usd) AS costNanoUsd,
  total(carbon_nanograms) AS carbonNanograms, total(latency_us) AS latencyUs,
  max(latency_us_max) AS latencyUsMax, total(first_token_us) AS firstTokenUs`

function defineMergedHistogram(db: Database): void {
  db.aggregate<Histogram>('merged_histogram', {
    start: emptyHistogram,
    step(merged: Histogram, bytes: unknown) {
      if (bytes instanceof Uint8Array) addEncoded(merged, bytes)
    },
    result: encodeHistogram,
  })
}

function cellOf(cells: Map<string, UsageCell>, name: string): UsageCell {
  const known = cells.get(name)
  if (known) return known
  const cell = emptyCell()
  cells.set(name, cell)
  return cell
}

function toUsageRow(group: string, cell: UsageCell): UsageRow {
  const { requests, errors, estimated, input, cacheRead, cacheWrite, output, reasoning } = cell
  return {
    group,
    requests,
    errors,
    estimated,
    tokens: { input, cacheRead, cacheWrite, output, reasoning },
    costUsd: toUsd(cell.costNanoUsd),
    carbonGrams: cell.carbonNanograms / 1e9,
    latencyMs: quantilesOf(cell.latency),
    firstTokenMs: quantilesOf(cell.firstToken),
  }
}

function quantilesOf(histogram: Histogram): DurationQuantiles | null {
  const p50 = quantileMs(histogram, 0.5)
  const p90 = quantileMs(histogram, 0.9)
  const p99 = quantileMs(histogram, 0.99)
  return p50 === null || p90 === null || p99 === null ? null : { p50, p90, p99 }
}

// ---- the charts ------------------------------------------------------------------------------

/** The sums of one model in one bucket; a `UsageCell` has these fields, too. */
interface BucketPart {
  startMs: number
  model: string
  sums: Pick<
    UsageCell,
    'requests' | 'errors' | 'costNanoUsd' | 'latencyUs' | 'latencyUsMax' | 'carbonNanograms'
  >
}

export function openBuckets(db: Database): Synchronous<Ledger>['buckets'] {
  const kept = openCompleteFrom(db)
  const rowsIn = openCountedRows(db)
  const cellsIn = db.prepare<
    SpanQuery & { bucketMs: number },
    BucketPart['sums'] & Omit<BucketPart, 'sums'>
  >(`
    SELECT start_ms - start_ms % CAST(:bucketMs AS INTEGER) AS startMs, model,
           sum(requests) AS requests, sum(errors) AS errors, total(cost_nano_usd) AS costNanoUsd,
           total(latency_us) AS latencyUs, max(latency_us_max) AS latencyUsMax,
           total(carbon_nanograms) AS carbonNanograms
    FROM usage_rollups WHERE ${inSpan} GROUP BY 1, 2`)

  return ({ routerId = null, sinceMs, bucketMs }) => {
    const spans = coverSince(sinceMs, longestWithin(bucketMs), kept())
    const parts = spans.flatMap((span): BucketPart[] => {
      const query = { ...span, routerId, bucketMs }
      if (span.lengthMs === rowLengthMs)
        return rowsIn(query, bucketMs)
          .take()
          .map(({ startMs, model, cell }) => ({ startMs, model, sums: cell }))
      return cellsIn
        .all(query)
        .map(({ startMs, model, ...cell }) => ({ startMs, model, sums: cell }))
    })
    return joinParts(parts)
  }
}

/** Oldest first. */
function joinParts(parts: readonly BucketPart[]): UsageBucket[] {
  const byStart = new Map<number, BucketPart[]>()
  for (const part of parts) {
    const ofStart = byStart.get(part.startMs)
    if (ofStart) ofStart.push(part)
    else byStart.set(part.startMs, [part])
  }
  return [...byStart]
    .toSorted(([left], [right]) => left - right)
    .map(([startMs, ofStart]) => toBucket(startMs, ofStart))
}

function toBucket(startMs: number, parts: readonly BucketPart[]): UsageBucket {
  const total = (name: keyof BucketPart['sums']) =>
    parts.reduce((sum, { sums: part }) => sum + part[name], 0)
  const answered = total('requests') - total('errors')
  const models: Record<string, number> = {}
  for (const { model, sums: part } of parts) {
    const answers = part.requests - part.errors
    if (model !== '' && answers > 0) models[model] = (models[model] ?? 0) + answers
  }
  const latencyUsMax = Math.max(...parts.map(({ sums: part }) => part.latencyUsMax))
  return {
    startMs,
    requests: total('requests'),
    errors: total('errors'),
    costUsd: toUsd(total('costNanoUsd')),
    latencyMsMean: answered > 0 ? total('latencyUs') / 1000 / answered : null,
    latencyMsMax: answered > 0 ? latencyUsMax / 1000 : null,
    carbonGrams: total('carbonNanograms') / 1e9,
    models,
  }
}
