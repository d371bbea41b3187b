/** One row per finished request; the roll-ups count each as it is stored. */
import type { Ledger } from '../storage.ts'
import { openCosts } from './costs.ts'
import { detailFromText } from './detail-text.ts'
import {
  columnValues,
  ledgerColumns,
  selectList,
  toCounted,
  toRecord,
  type RecordRow,
  type RowValues,
} from './ledger-row.ts'
import { openModelSpans } from './model-spans.ts'
import { openSessions } from './sessions.ts'
import { openRequestSearch } from './request-search.ts'
import { openPrune, type RowRemoval } from './retention.ts'
import { CellGroup, resolutions, type Rollups } from './rollups.ts'
import type { RefusedRow, Sql } from './sql.ts'
import { openUsage } from './usage.ts'
import { openUsageReport } from './usage-report.ts'

export interface LedgerStore extends Omit<Ledger, 'append'> {
  /**
   * Stores rows and counts them in the roll-ups, in the caller's transaction.
   * @returns the rows that could not be stored, which are not counted; the others are stored
   */
  appendAll(rows: readonly RowValues[]): Promise<RefusedRow[]>
}

type DetailedRow = RecordRow & { detail: string }

const recordList = selectList()

/** @param parts  what the engines do differently */
export function openLedger(
  sql: Sql,
  { rollups, removal }: { rollups: Rollups; removal: RowRemoval },
): LedgerStore {
  return {
    appendAll: openAppend(sql, rollups),
    ...openRows(sql),
    newestOfKeys: openNewestOfKeys(sql),
    costsByDay: openCosts(sql),
    usage: openUsage(sql),
    report: openUsageReport(sql),
    modelSpans: openModelSpans(sql),
    ...openRequestSearch(sql),
    ...openSessions(sql),
    prune: openPrune(sql, removal),
  }
}

function openAppend(sql: Sql, rollups: Rollups): LedgerStore['appendAll'] {
  const insertAll = sql.prepareInsertAll('requests', ledgerColumns)
  return async (rows) => {
    const refused = await insertAll(rows.map(columnValues))
    const refusedIndexes = new Set(refused.map(({ index }) => index))
    const minutes = new CellGroup(resolutions.minuteMs)
    for (const [index, row] of rows.entries()) {
      if (refusedIndexes.has(index)) continue
      const { request, detail } = toCounted(row)
      minutes.addRequest(request, detail)
    }
    await rollups.add(minutes)
    return refused
  }
}

function openRows(
  sql: Sql,
): Pick<LedgerStore, 'get' | 'list' | 'endsOfKey' | 'ofExecution' | 'page'> {
  const { insertOrder } = sql.dialect
  const select = sql.prepare<[string], DetailedRow>(
    `SELECT ${recordList}, detail FROM requests WHERE id = ?`,
  )
  const newest = sql.prepare<[number], RecordRow>(
    `SELECT ${recordList} FROM requests ORDER BY started_at_ms DESC, ${insertOrder} DESC LIMIT ?`,
  )
  const newestOfRouter = sql.prepare<[string, number], RecordRow>(`
    SELECT ${recordList} FROM requests WHERE router_id = ?
    ORDER BY started_at_ms DESC, ${insertOrder} DESC LIMIT ?`)

  const ofKey = (order: 'ASC' | 'DESC') =>
    sql.prepare<[string, number], DetailedRow>(`
      SELECT ${recordList}, detail FROM requests WHERE api_key_id = ? AND started_at_ms >= ?
      ORDER BY started_at_ms ${order}, ${insertOrder} ${order} LIMIT 1`)
  const firstOfKey = ofKey('ASC')
  const lastOfKey = ofKey('DESC')
  const stepsOf = sql.prepare<[string], RecordRow>(
    `SELECT ${recordList} FROM requests WHERE execution_id = ? ORDER BY started_at_ms, ${insertOrder}`,
  )
  const pageOfRouter = sql.prepare<[string, number, number, string, number], DetailedRow>(`
    SELECT ${recordList}, detail FROM requests
    WHERE router_id = ? AND started_at_ms >= ? AND (started_at_ms, id) < (?, ?)
    ORDER BY started_at_ms DESC, id DESC LIMIT ?`)

  return {
    async get(id: string) {
      const row = await select.get(id)
      return row === undefined ? null : toDetailed(row)
    },
    async page({ routerId, sinceMs, before, limit }) {
      const { startedAtMs, id } = before ?? { startedAtMs: Number.MAX_SAFE_INTEGER, id: '' }
      const rows = await pageOfRouter.all(routerId, sinceMs, startedAtMs, id, limit)
      return rows.map(toDetailed)
    },
    async list({ routerId, limit }) {
      const rows = routerId === undefined ? newest.all(limit) : newestOfRouter.all(routerId, limit)
      return (await rows).map(toRecord)
    },
    async endsOfKey({ apiKeyId, sinceMs }) {
      const first = await firstOfKey.get(apiKeyId, sinceMs)
      const last = await lastOfKey.get(apiKeyId, sinceMs)
      return first && last ? { first: toDetailed(first), last: toDetailed(last) } : null
    },
    ofExecution: async (id) => (await stepsOf.all(id)).map(toRecord),
  }
}

function openNewestOfKeys(sql: Sql): LedgerStore['newestOfKeys'] {
  const newest = sql.prepare<[number], { apiKeyId: string; startedAtMs: number }>(`
    SELECT api_key_id AS "apiKeyId", max(started_at_ms) AS "startedAtMs" FROM requests
    WHERE started_at_ms >= ? AND api_key_id IS NOT NULL GROUP BY api_key_id`)
  return async (sinceMs) => {
    const rows = await newest.all(sinceMs)
    return Object.fromEntries(rows.map(({ apiKeyId, startedAtMs }) => [apiKeyId, startedAtMs]))
  }
}

function toDetailed({ detail, ...figures }: DetailedRow) {
  return { record: toRecord(figures), detail: detailFromText(detail) }
}
