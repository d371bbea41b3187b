/** One row per finished request; the roll-ups count each as it is stored. */
import type { Database } from 'better-sqlite3'
import { detailFromText } from './detail-text.ts'
import {
  columnNames,
  columnValues,
  selectList,
  toCounted,
  toRecord,
  type RecordRow,
  type RowValues,
} from './ledger-row.ts'
import {
  isStorageFault,
  toFailure,
  type AppendFailure,
  type StoredLedger,
  type Synchronous,
} from './protocol.ts'
import { openPrune } from './retention.ts'
import type { Rollups } from './rollups.ts'
import { openCosts } from './costs.ts'
import { openRequestSearch } from './request-search.ts'
import { openBuckets, openUsage } from './usage.ts'
import { openUsageReport } from './usage-report.ts'

type DetailedRow = RecordRow & { detail: string | null }

const recordList = selectList()

/** @param rollups  counts the appended rows; apply it in the same transaction */
export function openLedger(db: Database, rollups: Rollups): Synchronous<StoredLedger> {
  return {
    appendAll: openAppend(db, rollups),
    ...openRows(db),
    buckets: openBuckets(db),
    costsByDay: openCosts(db, rollups),
    usage: openUsage(db),
    report: openUsageReport(db),
    ...openRequestSearch(db),
    prune: openPrune(db),
  }
}

function openAppend(db: Database, rollups: Rollups): Synchronous<StoredLedger>['appendAll'] {
  const insert = db.prepare(`
    INSERT INTO requests (${columnNames.join(', ')})
    VALUES (${columnNames.map(() => '?').join(', ')})`)
  const append = (row: RowValues) => {
    // Binding by name would take more than twice as long.
    insert.run(...columnValues(row))
    const { request, detail } = toCounted(row)
    rollups.add(request, detail)
  }

  return (rows: readonly RowValues[]) => {
    const failures: AppendFailure[] = []
    for (const [index, row] of rows.entries()) {
      try {
        append(row)
      } catch (error) {
        // A full disk affects all rows; an error in this row affects only the row.
        if (isStorageFault(error) || !db.inTransaction) throw error
        failures.push({ index, failure: toFailure(error) })
      }
    }
    return failures
  }
}

function openRows(
  db: Database,
): Pick<Synchronous<StoredLedger>, 'get' | 'list' | 'endsOfKey' | 'ofExecution' | 'page'> {
  const select = db.prepare<[string], DetailedRow>(
    `SELECT ${recordList}, detail FROM requests WHERE id = ?`,
  )
  const newest = db.prepare<[number], RecordRow>(
    `SELECT ${recordList} FROM requests ORDER BY started_at_ms DESC, rowid DESC LIMIT ?`,
  )
  const newestOfRouter = db.prepare<[string, number], RecordRow>(`
    SELECT ${recordList} FROM requests WHERE router_id = ?
    ORDER BY started_at_ms DESC, rowid DESC LIMIT ?`)

  const ofKey = (order: 'ASC' | 'DESC') =>
    db.prepare<[string, number], DetailedRow>(`
      SELECT ${recordList}, detail FROM requests WHERE api_key_id = ? AND started_at_ms >= ?
      ORDER BY started_at_ms ${order}, rowid ${order} LIMIT 1`)
  const firstOfKey = ofKey('ASC')
  const lastOfKey = ofKey('DESC')
  const stepsOf = db.prepare<[string], RecordRow>(
    `SELECT ${recordList} FROM requests WHERE execution_id = ? ORDER BY started_at_ms, rowid`,
  )
  const pageOfRouter = db.prepare<[string, number, number, string, number], DetailedRow>(`
    SELECT ${recordList}, detail FROM requests
    WHERE router_id = ? AND started_at_ms >= ? AND (started_at_ms, id) < (?, ?)
    ORDER BY started_at_ms DESC, id DESC LIMIT ?`)

  return {
    get(id: string) {
      const row = select.get(id)
      return row === undefined ? null : toDetailed(row)
    },
    page({ routerId, sinceMs, before, limit }: Parameters<StoredLedger['page']>[0]) {
      const { startedAtMs, id } = before ?? { startedAtMs: Number.MAX_SAFE_INTEGER, id: '' }
      return pageOfRouter.all(routerId, sinceMs, startedAtMs, id, limit).map(toDetailed)
    },
    list({ routerId, limit }: { routerId?: string | undefined; limit: number }) {
      const rows = routerId === undefined ? newest.all(limit) : newestOfRouter.all(routerId, limit)
      return rows.map(toRecord)
    },
    endsOfKey({ apiKeyId, sinceMs }: Parameters<StoredLedger['endsOfKey']>[0]) {
      const first = firstOfKey.get(apiKeyId, sinceMs)
      const last = lastOfKey.get(apiKeyId, sinceMs)
      return first && last ? { first: toDetailed(first), last: toDetailed(last) } : null
    },
    ofExecution: (id: string) => stepsOf.all(id).map(toRecord),
  }
}

function toDetailed({ detail, ...figures }: DetailedRow) {
  return { record: toRecord(figures), detail: detail === null ? null : detailFromText(detail) }
}
