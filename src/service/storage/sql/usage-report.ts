/** A report: the figures of a range of time, in buckets and groups, from the roll-ups and rows that cover it. */
import type {
  UsageFigures,
  UsageGroup,
  UsageReport,
  UsageReportQuery,
} from '../../../shared/requests/usage.ts'
import { quantileMs, type Histogram } from '../histogram.ts'
import type { Ledger } from '../storage.ts'
import {
  addCell,
  addRequest,
  addMergedCell,
  emptyCell,
  type CountedRequest,
  type MergedCell,
  type UsageCell,
} from '../usage-cell.ts'
import { openCountedRows, openNamedRows, type NamedBy } from './counted-rows.ts'
import { openCompleteFrom } from './complete-from.ts'
import { equalsIfGiven, providerIn, totalOf } from './fragments.ts'
import { toUsd } from './money.ts'
import { cellColumns, type CellKey } from './rollups.ts'
import type { Dialect, Sql } from './sql.ts'
import { coverRange, longestWithin, rowLengthMs, type Span } from './usage-spans.ts'

/** The group of a cell, in SQL and for cells summed in memory. */
const groupings: Record<
  UsageGroup,
  { sql: string | ((dialect: Dialect) => string); keyOf: (key: CellKey) => string }
> = {
  none: { sql: "''", keyOf: () => '' },
  router: { sql: 'router_id', keyOf: ({ routerId }) => routerId },
  model: { sql: 'model', keyOf: ({ model }) => model },
  provider: {
    sql: (dialect) => providerIn(dialect, 'model'),
    keyOf: ({ model }) => providerOf(model),
  },
  key: { sql: 'api_key_id', keyOf: ({ apiKeyId }) => apiKeyId },
  tag: { sql: 'tag', keyOf: ({ tag }) => tag },
  // The totals; the names are read from the rows.
  agent: { sql: "''", keyOf: () => '' },
  conversation: { sql: "''", keyOf: () => '' },
}

function providerOf(model: string): string {
  return model.slice(0, Math.max(0, model.indexOf(':')))
}

type FilterValues = Record<'routerId' | 'model' | 'providerId' | 'apiKeyId' | 'tag', string | null>
type CellQuery = Span & FilterValues & { bucketMs: number; offsetMs: number }
type GroupedCell = MergedCell & { startMs: number; group: string }

export function openUsageReport(sql: Sql): Ledger['report'] {
  const kept = openCompleteFrom(sql)
  const rowsIn = openCountedRows(sql)
  const namedRows = {
    agent: openNamedRows(sql, 'agent'),
    conversation: openNamedRows(sql, 'conversation'),
  }
  const statements = new Map<UsageGroup, ReturnType<typeof prepareCells>>()
  const cellsBy = (group: UsageGroup) => {
    const statement = statements.get(group) ?? prepareCells(sql, group)
    statements.set(group, statement)
    return statement
  }

  return async (query) => {
    const { group, bucketMs, offsetMs } = query
    const filter = filterValues(query)
    const edgeMs = commonDivisor(bucketMs, Math.abs(offsetMs))
    const sums = new ReportSums()
    for (const span of coverRange(query, longestWithin(edgeMs), await kept())) {
      if (span.lengthMs !== rowLengthMs) {
        for (const cell of await cellsBy(group).all({ ...span, ...filter, bucketMs, offsetMs }))
          sums.cellOf(cell.startMs, cell.group, (to) => addMergedCell(to, cell))
        continue
      }
      const rows = await rowsIn({ ...span, routerId: filter.routerId }, edgeMs)
      for (const keyed of rows.take()) {
        if (!isIn(keyed, filter)) continue
        const startMs = bucketStart(keyed.startMs, query)
        sums.cellOf(startMs, groupings[group].keyOf(keyed), (to) => addCell(to, keyed.cell))
      }
    }
    const report = sums.report()
    if (group !== 'agent' && group !== 'conversation') return report
    return withNames(report, await namedSums(group, query, filter))
  }

  async function namedSums(by: NamedBy, query: UsageReportQuery, filter: FilterValues) {
    const sums = new ReportSums()
    const { fromMs, toMs } = query
    await namedRows[by]({ fromMs, toMs }, ({ name, request, detail }) => {
      if (!isRowIn(request, filter)) return
      const startMs = bucketStart(request.startedAtMs, query)
      sums.cellOf(startMs, name, (to) => addRequest(to, request, detail))
    })
    return sums.report()
  }
}

/** The totals of one report with the groups of another, whose requests are part of the first. */
function withNames(all: UsageReport, named: UsageReport): UsageReport {
  const groups = new Map(named.points.map((point) => [point.startMs, point.groups]))
  return {
    ...all,
    groups: named.groups,
    points: all.points.map((point) => ({ ...point, groups: groups.get(point.startMs) ?? {} })),
  }
}

function isRowIn(request: CountedRequest, filter: FilterValues): boolean {
  const { startedAtMs: startMs, routerId, modelUsed, apiKeyId, tag } = request
  const key = {
    startMs,
    routerId,
    model: modelUsed ?? '',
    apiKeyId: apiKeyId ?? '',
    tag: tag ?? '',
  }
  return isIn(key, filter) && (filter.routerId === null || routerId === filter.routerId)
}

function prepareCells(sql: Sql, group: UsageGroup) {
  const { dialect } = sql
  const { sql: grouping } = groupings[group]
  const sums = Object.entries(cellColumns).map(
    ([field, column]) => `${totalOf(column)} AS "${field}"`,
  )
  return sql.prepare<CellQuery, GroupedCell>(`
    SELECT start_ms - (start_ms + CAST(:offsetMs AS BIGINT)) % CAST(:bucketMs AS BIGINT) AS "startMs",
           ${typeof grouping === 'string' ? grouping : grouping(dialect)} AS "group",
           ${sums.join(', ')}, max(latency_us_max) AS "latencyUsMax",
           ${dialect.histograms('latency_histogram')} AS latency,
           ${dialect.histograms('first_token_histogram')} AS "firstToken"
    FROM usage_rollups
    WHERE length_ms = :lengthMs AND start_ms >= :fromMs AND start_ms < :toMs
      AND ${equalsIfGiven('router_id', 'routerId')} AND ${equalsIfGiven('model', 'model')}
      AND ${equalsIfGiven(providerIn(dialect, 'model'), 'providerId')}
      AND ${equalsIfGiven('api_key_id', 'apiKeyId')} AND ${equalsIfGiven('tag', 'tag')}
    GROUP BY 1, 2`)
}

function filterValues(query: UsageReportQuery): FilterValues {
  const { routerId = null, model = null, providerId = null, apiKeyId = null, tag = null } = query
  return { routerId, model, providerId, apiKeyId, tag }
}

function isIn(key: CellKey, { model, providerId, apiKeyId, tag }: FilterValues): boolean {
  return (
    (model === null || key.model === model) &&
    (providerId === null || providerOf(key.model) === providerId) &&
    (apiKeyId === null || key.apiKeyId === apiKeyId) &&
    (tag === null || key.tag === tag)
  )
}

function bucketStart(atMs: number, { bucketMs, offsetMs }: UsageReportQuery): number {
  return atMs - ((atMs + offsetMs) % bucketMs)
}

/** The longest length of which both are multiples. */
function commonDivisor(left: number, right: number): number {
  return right === 0 ? left : commonDivisor(right, left % right)
}

/** Cells by bucket and group. */
class ReportSums {
  readonly #buckets = new Map<number, Map<string, UsageCell>>()

  cellOf(startMs: number, group: string, add: (cell: UsageCell) => void): void {
    const bucket = this.#buckets.get(startMs) ?? new Map<string, UsageCell>()
    this.#buckets.set(startMs, bucket)
    const cell = bucket.get(group) ?? emptyCell()
    bucket.set(group, cell)
    add(cell)
  }

  report(): UsageReport {
    const total = emptyCell()
    const groups = new Map<string, UsageCell>()
    const points = [...this.#buckets].map(([startMs, bucket]) => {
      const ofBucket = emptyCell()
      for (const [name, cell] of bucket) {
        const ofGroup = groups.get(name) ?? emptyCell()
        groups.set(name, ofGroup)
        for (const sum of [total, ofBucket, ofGroup]) addCell(sum, cell)
      }
      const figures = [...bucket].map(([name, cell]) => [name, toFigures(cell)] as const)
      return { startMs, total: toFigures(ofBucket), groups: Object.fromEntries(figures) }
    })
    return {
      total: toFigures(total),
      groups: [...groups]
        .map(([name, cell]) => ({ name, figures: toFigures(cell) }))
        .toSorted((a, b) => b.figures.requests - a.figures.requests || (a.name < b.name ? -1 : 1)),
      points: points.toSorted((a, b) => a.startMs - b.startMs),
    }
  }
}

function toFigures(cell: UsageCell): UsageFigures {
  const { requests, errors, limited, aborted, failed, fallbacks, estimated } = cell
  const { input, cacheRead, cacheWrite, output, reasoning } = cell
  const answered = requests - errors
  return {
    requests,
    answered,
    fallbacks,
    limited,
    refused: errors - limited - aborted - failed,
    aborted,
    failed,
    estimated,
    costUsd: toUsd(cell.costNanoUsd),
    carbonGrams: cell.carbonNanograms / 1e9,
    carbonLowGrams: cell.carbonLowNanograms / 1e9,
    carbonHighGrams: cell.carbonHighNanograms / 1e9,
    tokens: { input, cacheRead, cacheWrite, output, reasoning },
    latencyMs: toLatency(cell, answered),
    firstTokenMs: toFirstToken(cell.firstToken),
  }
}

function toLatency(
  { latency, latencyUs, latencyUsMax }: UsageCell,
  answered: number,
): UsageFigures['latencyMs'] {
  const [p50, p95, p99] = [0.5, 0.95, 0.99].map((share) => quantileMs(latency, share) ?? 0)
  if (answered === 0 || p50 === undefined || p95 === undefined || p99 === undefined) return null
  const max = latencyUsMax / 1000
  // A quantile is the middle of its bucket, which can lie above the largest value.
  const capped = (value: number) => Math.min(value, max)
  return {
    mean: latencyUs / 1000 / answered,
    p50: capped(p50),
    p95: capped(p95),
    p99: capped(p99),
    max,
  }
}

function toFirstToken(histogram: Histogram): UsageFigures['firstTokenMs'] {
  const [p50, p95, p99] = [0.5, 0.95, 0.99].map((share) => quantileMs(histogram, share) ?? null)
  return p50 == null || p95 == null || p99 == null ? null : { p50, p95, p99 }
}
