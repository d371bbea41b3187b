/** One row per finished request; the roll-ups count each as it is stored. */
import type { Database } from 'better-sqlite3'
import type { RequestRecord } from '../../../shared/entities.ts'
import { detailFromText } from './detail-text.ts'
import { columnValues, rowColumns, toCounted, type RowValues } from './ledger-row.ts'
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
import { openBuckets, openUsage } from './usage.ts'

interface RequestRow extends Omit<RequestRecord, 'isStreamed'> {
  isStreamed: number
}

interface DetailedRow extends RequestRow {
  detail: string | null
}

const requestColumns = `
  id, router_id AS routerId, api_key_id AS apiKeyId, source, started_at_ms AS startedAtMs, status,
  error_code AS errorCode, model_used AS modelUsed, router_decision AS routerDecision,
  is_streamed AS isStreamed, attempts, reported_prompt_tokens AS reportedPromptTokens,
  reported_completion_tokens AS reportedCompletionTokens,
  estimated_prompt_tokens AS estimatedPromptTokens,
  estimated_completion_tokens AS estimatedCompletionTokens, cost_nano_usd AS costNanoUsd,
  latency_ms AS latencyMs, first_token_ms AS firstTokenMs, carbon_grams AS carbonGrams,
  cached_from AS cachedFrom, execution_id AS executionId, step_id AS stepId`

/** @param rollups  counts what is appended; to be applied in the same transaction */
export function openLedger(db: Database, rollups: Rollups): Synchronous<StoredLedger> {
  return {
    appendAll: openAppend(db, rollups),
    ...openRows(db),
    buckets: openBuckets(db),
    costsByDay: openCosts(db, rollups),
    usage: openUsage(db),
    prune: openPrune(db),
  }
}

function openAppend(db: Database, rollups: Rollups): Synchronous<StoredLedger>['appendAll'] {
  const insert = db.prepare(`
    INSERT INTO requests (${rowColumns.join(', ')})
    VALUES (${rowColumns.map(() => '?').join(', ')})`)
  const append = (row: RowValues) => {
    // By name, binding would take more than twice as long.
    insert.run(...columnValues(row))
    const { request, tokens } = toCounted(row)
    rollups.add(request, tokens)
  }

  return (rows: readonly RowValues[]) => {
    const failures: AppendFailure[] = []
    for (const [index, row] of rows.entries()) {
      try {
        append(row)
      } catch (error) {
        // A full disk concerns all rows; a fault of this row, only itself.
        if (isStorageFault(error) || !db.inTransaction) throw error
        failures.push({ index, failure: toFailure(error) })
      }
    }
    return failures
  }
}

function openRows(
  db: Database,
): Pick<Synchronous<StoredLedger>, 'get' | 'list' | 'ofExecution' | 'page'> {
  const select = db.prepare<[string], DetailedRow>(
    `SELECT ${requestColumns}, detail FROM requests WHERE id = ?`,
  )
  const newest = db.prepare<[number], RequestRow>(
    `SELECT ${requestColumns} FROM requests ORDER BY started_at_ms DESC, rowid DESC LIMIT ?`,
  )
  const newestOfRouter = db.prepare<[string, number], RequestRow>(`
    SELECT ${requestColumns} FROM requests WHERE router_id = ?
    ORDER BY started_at_ms DESC, rowid DESC LIMIT ?`)

  const stepsOf = db.prepare<[string], RequestRow>(
    `SELECT ${requestColumns} FROM requests WHERE execution_id = ? ORDER BY started_at_ms, rowid`,
  )
  const pageOfRouter = db.prepare<[string, number, number, string, number], DetailedRow>(`
    SELECT ${requestColumns}, detail FROM requests
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
    ofExecution: (id: string) => stepsOf.all(id).map(toRecord),
  }
}

function toDetailed({ detail, ...figures }: DetailedRow) {
  return { record: toRecord(figures), detail: detail === null ? null : detailFromText(detail) }
}

function toRecord(row: RequestRow): RequestRecord {
  return { ...row, isStreamed: row.isStreamed === 1 }
}
