/** The sums of the charts and usage tables, from roll-ups, and from rows only at the edges. */
import { quantileMs, type Histogram } from '../histogram.ts'
import type { DurationQuantiles, Ledger, UsageRow } from '../storage.ts'
import { openCountedRows } from './counted-rows.ts'
import { equalsIfGiven, totalOf } from './fragments.ts'
import { openCompleteFrom } from './complete-from.ts'
import { toUsd } from './money.ts'
import { resolutions, type KeyedCell } from './rollups.ts'
import type { Dialect, Sql } from './sql.ts'
import {
  addCell,
  addMergedCell,
  emptyCell,
  type MergedCell,
  type UsageCell,
} from '../usage-cell.ts'
import { coverSince, rowLengthMs, type Span } from './usage-spans.ts'

/** A query of one span of time. */
interface SpanQuery extends Span {
  routerId: string | null
}

const inSpan = `
  length_ms = :lengthMs AND start_ms >= :fromMs AND start_ms < :toMs
  AND ${equalsIfGiven('router_id', 'routerId')}`

// ---- the usage table -------------------------------------------------------------------------

type UsageGroup = Parameters<Ledger['usage']>[0]['group']

/** The group of a cell, in SQL and for cells summed in memory. */
const groupings: Record<UsageGroup, { sql: string; keyOf: (keyed: KeyedCell) => string | number }> =
  {
    router: { sql: 'router_id', keyOf: ({ routerId }) => routerId },
    model: { sql: 'model', keyOf: ({ model }) => model },
    key: { sql: 'api_key_id', keyOf: ({ apiKeyId }) => apiKeyId },
    day: {
      sql: `start_ms - start_ms % ${resolutions.dayMs}`,
      keyOf: ({ startMs }) => startMs - (startMs % resolutions.dayMs),
    },
  }

/** The UTC day of a group's start, or the group's name. */
function nameOf(group: string | number): string {
  return typeof group === 'number' ? new Date(group).toISOString().slice(0, 10) : group
}

export function openUsage(sql: Sql): Ledger['usage'] {
  const kept = openCompleteFrom(sql)
  const rowsIn = openCountedRows(sql)
  const cellsBy = ({ sql: group }: { sql: string }) =>
    sql.prepare<SpanQuery, MergedCell & { group: string | number }>(`
      SELECT ${group} AS "group", ${sumsIn(sql.dialect)} FROM usage_rollups WHERE ${inSpan} GROUP BY 1`)
  const statements = {
    router: cellsBy(groupings.router),
    model: cellsBy(groupings.model),
    key: cellsBy(groupings.key),
    day: cellsBy(groupings.day),
  }

  return async ({ routerId = null, sinceMs, group }) => {
    const groups = new Map<string, UsageCell>()
    for (const span of coverSince(sinceMs, resolutions.dayMs, await kept())) {
      const query = { ...span, routerId }
      if (span.lengthMs === rowLengthMs) {
        for (const keyed of (await rowsIn(query, resolutions.dayMs)).take())
          addCell(cellOf(groups, nameOf(groupings[group].keyOf(keyed))), keyed.cell)
      } else {
        for (const cell of await statements[group].all(query))
          addMergedCell(cellOf(groups, nameOf(cell.group)), cell)
      }
    }
    return [...groups]
      .toSorted(([left], [right]) => (left < right ? -1 : 1))
      .map(([name, cell]) => toUsageRow(name, cell))
  }
}

function sumsIn({ histograms }: Dialect): string {
  return `
    sum(requests) AS requests, sum(errors) AS errors, sum(estimated) AS estimated,
    ${totalOf('input_tokens')} AS input, ${totalOf('cache_read_tokens')} AS "cacheRead",
    ${totalOf('cache_write_tokens')} AS "cacheWrite", ${totalOf('output_tokens')} AS output,
    ${totalOf('reasoning_tokens')} AS reasoning, ${totalOf('cost_nano_usd')} AS "costNanoUsd",
    ${totalOf('carbon_nanograms')} AS "carbonNanograms", ${totalOf('latency_us')} AS "latencyUs",
    max(latency_us_max) AS "latencyUsMax", ${totalOf('first_token_us')} AS "firstTokenUs",
    ${histograms('latency_histogram')} AS latency,
    ${histograms('first_token_histogram')} AS "firstToken"`
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
