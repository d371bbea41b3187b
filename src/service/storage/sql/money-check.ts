/** Compares the ledger's rows with their totals. Each hour is read in one snapshot, so rows stored meanwhile differ in nothing. */
import { mostFindingRequests, type MoneyEvidence } from '../../../shared/requests/finding.ts'
import type { MoneyCheck, MoneyDifference, MoneyQuery } from '../money-check.ts'
import { emptyCell, type UsageCell } from '../usage-cell.ts'
import { openCompleteFrom } from './complete-from.ts'
import { openCountedRows } from './counted-rows.ts'
import { priceInDetail } from './detail-text.ts'
import { totalOf } from './fragments.ts'
import { cellColumns, CellGroup, resolutions, type CellKey, type KeyedCell } from './rollups.ts'
import type { Sql } from './sql.ts'

const { minuteMs, hourMs, dayMs } = resolutions

interface Range {
  fromMs: number
  toMs: number
}

// Checked boundary: the keys of `cellColumns`.
const figures = Object.keys(cellColumns) as (keyof typeof cellColumns)[]
type Sums = Record<(typeof figures)[number], number>

/** @param snapshot  runs work on one state of the database */
export function openMoneyCheck(
  sql: Sql,
  snapshot: <Result>(work: () => Promise<Result>) => Promise<Result>,
): (query: MoneyQuery) => Promise<MoneyCheck> {
  const checkHour = openHourCheck(sql)
  const checkDay = openDayCheck(sql)
  const checkAnswered = openAnsweredCheck(sql)
  return async ({ hours, days, mostRows, answeredIds }) => {
    const differences: MoneyDifference[] = await snapshot(() => checkAnswered(answeredIds))
    let rows = 0
    let checked = 0
    for (const fromMs of hours) {
      if (rows >= mostRows) break
      const hour = await snapshot(() => checkHour(fromMs))
      differences.push(...hour.differences)
      rows += hour.rows
      checked += 1
    }
    for (const fromMs of days) differences.push(...(await snapshot(() => checkDay(fromMs))))
    return { differences, hours: checked }
  }
}

/** Minutes and the hour against the rows, as far as each is kept. */
function openHourCheck(sql: Sql) {
  const completeFrom = openCompleteFrom(sql)
  const countedRows = openCountedRows(sql)
  const totals = openTotals(sql)
  const unpriced = openUnpriced(sql)
  return async (fromMs: number): Promise<{ differences: MoneyDifference[]; rows: number }> => {
    const range = { fromMs, toMs: fromMs + hourMs }
    const kept = await completeFrom()
    if (fromMs < kept.rowsMs) return { differences: [], rows: 0 }
    const minutes = (await countedRows({ ...range, routerId: null }, minuteMs)).take()
    const hour = regroup(minutes, hourMs)
    const differences = [
      ...(fromMs < kept.minutesMs
        ? []
        : compare({ ...range, lengthMs: minuteMs }, minutes, await totals(range, minuteMs))),
      ...(fromMs < kept.hoursMs
        ? []
        : compare({ ...range, lengthMs: hourMs }, hour, await totals(range, hourMs))),
      ...(await unpriced(range)),
    ]
    return { differences, rows: hour.reduce((sum, { cell }) => sum + cell.requests, 0) }
  }
}

/** The day against its hours, which are compared with the rows; without kept hours, against the rows. */
function openDayCheck(sql: Sql) {
  const completeFrom = openCompleteFrom(sql)
  const countedRows = openCountedRows(sql)
  const totals = openTotals(sql)
  return async (fromMs: number): Promise<MoneyDifference[]> => {
    const range = { fromMs, toMs: fromMs + dayMs }
    const kept = await completeFrom()
    const hasHours = fromMs >= kept.hoursMs
    if (!hasHours && fromMs < kept.rowsMs) return []
    const counted = hasHours
      ? regroup(await totals(range, hourMs), dayMs)
      : (await countedRows({ ...range, routerId: null }, dayMs)).take()
    return compare({ ...range, lengthMs: dayMs }, counted, await totals(range, dayMs))
  }
}

function openTotals(sql: Sql): (range: Range, lengthMs: number) => Promise<KeyedCell[]> {
  const sums = figures.map((field) => `${totalOf(cellColumns[field])} AS "${field}"`)
  const select = sql.prepare<Range & { lengthMs: number }, CellKey & Sums>(`
    SELECT start_ms AS "startMs", router_id AS "routerId", model, api_key_id AS "apiKeyId", tag,
           ${sums.join(', ')}
    FROM usage_rollups WHERE length_ms = :lengthMs AND start_ms >= :fromMs AND start_ms < :toMs
    GROUP BY start_ms, router_id, model, api_key_id, tag`)
  return async (range, lengthMs) => {
    const rows = await select.all({ ...range, lengthMs })
    return rows.map(({ startMs, routerId, model, apiKeyId, tag, ...cell }) => ({
      startMs,
      routerId,
      model,
      apiKeyId,
      tag,
      cell: { ...emptyCell(), ...cell },
    }))
  }
}

function regroup(cells: readonly KeyedCell[], lengthMs: number): KeyedCell[] {
  const group = new CellGroup(lengthMs)
  for (const cell of cells) group.addCell(cell)
  return group.take()
}

/** One difference for all cells of a range: the first figure that differs, and the number of such cells. */
function compare(
  { fromMs, toMs, lengthMs }: Range & { lengthMs: number },
  counted: readonly KeyedCell[],
  stored: readonly KeyedCell[],
): MoneyDifference[] {
  const cells = new Map<string, { key: CellKey; counted?: UsageCell; stored?: UsageCell }>()
  const noteAs = (side: 'counted' | 'stored', all: readonly KeyedCell[]) => {
    for (const { cell, ...key } of all) {
      const { startMs, routerId, model, apiKeyId, tag } = key
      const name = JSON.stringify([startMs, routerId, model, apiKeyId, tag])
      cells.set(name, { ...(cells.get(name) ?? { key }), [side]: cell })
    }
  }
  noteAs('counted', counted)
  noteAs('stored', stored)
  const none = emptyCell()
  const differing = [...cells.values()].flatMap(({ key, ...sides }) => {
    const { counted: rows = none, stored: totals = none } = sides
    const figure = orderOfFigures.find((field) => rows[field] !== totals[field])
    return figure === undefined
      ? []
      : [{ key, figure, counted: rows[figure], stored: totals[figure] }]
  })
  const [first] = differing
  if (first === undefined) return []
  const { routerId, model, apiKeyId } = first.key
  const evidence: MoneyEvidence = {
    check: 'totals',
    fromMs,
    toMs,
    lengthMs,
    routerId,
    model,
    apiKeyId,
    cells: differing.length,
    figure: cellColumns[first.figure],
    counted: first.counted,
    stored: first.stored,
  }
  return [{ evidence, requestIds: [] }]
}

/** Money and the number of requests say the most. */
const orderOfFigures = [...new Set<keyof Sums>(['requests', 'costNanoUsd', ...figures])]

function openUnpriced(sql: Sql): (range: Range) => Promise<MoneyDifference[]> {
  const select = sql.prepare<Range, { id: string; model: string }>(`
    SELECT id, model_used AS model FROM requests
    WHERE started_at_ms >= :fromMs AND started_at_ms < :toMs AND status < 400
      AND model_used IS NOT NULL AND cached_from IS NULL AND ${priceInDetail(sql.dialect)} IS NULL
    ORDER BY model_used, started_at_ms DESC`)
  return async (range) => {
    const byModel = new Map<string, string[]>()
    await select.each(({ id, model }) => {
      const ids = byModel.get(model)
      if (ids) ids.push(id)
      else byModel.set(model, [id])
    }, range)
    return [...byModel].map(([model, ids]) => ({
      evidence: { check: 'price', ...range, model, requests: ids.length },
      requestIds: ids.slice(0, mostFindingRequests),
    }))
  }
}

function openAnsweredCheck(sql: Sql): (ids: readonly string[]) => Promise<MoneyDifference[]> {
  const select = sql.prepare<{ ids: string }, { id: string; rows: number }>(`
    SELECT id, count(*) AS rows FROM requests WHERE id IN (${sql.dialect.jsonList(':ids')}) GROUP BY id`)
  return async (ids) => {
    if (ids.length === 0) return []
    const found = new Map(
      (await select.all({ ids: JSON.stringify(ids) })).map(({ id, rows }) => [id, rows]),
    )
    const missing = ids.filter((id) => !found.has(id))
    const doubled = ids.filter((id) => (found.get(id) ?? 0) > 1)
    if (missing.length + doubled.length === 0) return []
    return [
      {
        evidence: { check: 'rows', missing: missing.length, doubled: doubled.length },
        requestIds: [...missing, ...doubled].slice(0, mostFindingRequests),
      },
    ]
  }
}
