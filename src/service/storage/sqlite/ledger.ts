/** One row per finished request, and what the charts and the usage tables sum up from them. */
import type { Database } from 'better-sqlite3'
import {
  requestDetailSchema,
  type RequestDetail,
  type RequestRecord,
  type UsageBucket,
  type UsageQuery,
} from '../../../shared/entities.ts'
import type { DayCost, Ledger, UsageRow } from '../storage.ts'
import { readJson } from './json-column.ts'
import { toUsd } from './money.ts'
import type { Synchronous } from './protocol.ts'

interface RequestRow extends Omit<RequestRecord, 'isStreamed'> {
  isStreamed: number
}

interface DetailedRow extends RequestRow {
  detail: string | null
}

/** The requests of one bucket that one model answered, or that none did. */
interface BucketRow {
  startMs: number
  modelUsed: string | null
  requests: number
  errors: number
  costNanoUsd: number
  latencyMsSum: number
  latencyMsMax: number | null
  carbonGrams: number
}

interface UsageGroupRow extends Omit<UsageRow, 'costUsd'> {
  costNanoUsd: number
}

const requestColumns = `
  id, router_id AS routerId, api_key_id AS apiKeyId, source, started_at_ms AS startedAtMs, status,
  error_code AS errorCode, model_used AS modelUsed, router_decision AS routerDecision,
  is_streamed AS isStreamed, attempts, reported_prompt_tokens AS reportedPromptTokens,
  reported_completion_tokens AS reportedCompletionTokens,
  estimated_prompt_tokens AS estimatedPromptTokens,
  estimated_completion_tokens AS estimatedCompletionTokens, cost_nano_usd AS costNanoUsd,
  latency_ms AS latencyMs, first_token_ms AS firstTokenMs, carbon_grams AS carbonGrams,
  cached_from AS cachedFrom`

export function openLedger(db: Database): Synchronous<Ledger> {
  return {
    ...openRows(db),
    buckets: openBuckets(db),
    costsByDay: openCosts(db),
    usage: openUsage(db),
  }
}

function openRows(db: Database): Pick<Synchronous<Ledger>, 'append' | 'get' | 'list'> {
  const insert = db.prepare<DetailedRow>(`
    INSERT INTO requests (
      id, router_id, api_key_id, source, started_at_ms, status, error_code, model_used,
      router_decision, is_streamed, attempts, reported_prompt_tokens, reported_completion_tokens,
      estimated_prompt_tokens, estimated_completion_tokens, cost_nano_usd, latency_ms,
      first_token_ms, carbon_grams, cached_from, detail
    ) VALUES (
      :id, :routerId, :apiKeyId, :source, :startedAtMs, :status, :errorCode, :modelUsed,
      :routerDecision, :isStreamed, :attempts, :reportedPromptTokens, :reportedCompletionTokens,
      :estimatedPromptTokens, :estimatedCompletionTokens, :costNanoUsd, :latencyMs,
      :firstTokenMs, :carbonGrams, :cachedFrom, :detail
    )`)
  const select = db.prepare<[string], DetailedRow>(
    `SELECT ${requestColumns}, detail FROM requests WHERE id = ?`,
  )
  const newest = db.prepare<[number], RequestRow>(
    `SELECT ${requestColumns} FROM requests ORDER BY started_at_ms DESC, rowid DESC LIMIT ?`,
  )
  const newestOfRouter = db.prepare<[string, number], RequestRow>(`
    SELECT ${requestColumns} FROM requests WHERE router_id = ?
    ORDER BY started_at_ms DESC, rowid DESC LIMIT ?`)

  return {
    append(record: RequestRecord, detail: RequestDetail) {
      const isStreamed = Number(record.isStreamed)
      insert.run({ ...record, isStreamed, detail: JSON.stringify(detail) })
    },
    get(id: string) {
      const row = select.get(id)
      if (row === undefined) return null
      const { detail, ...figures } = row
      return {
        record: toRecord(figures),
        detail: detail === null ? null : readJson(detail, requestDetailSchema),
      }
    },
    list({ routerId, limit }: { routerId?: string | undefined; limit: number }) {
      const rows = routerId === undefined ? newest.all(limit) : newestOfRouter.all(routerId, limit)
      return rows.map(toRecord)
    },
  }
}

function toRecord(row: RequestRow): RequestRecord {
  return { ...row, isStreamed: row.isStreamed === 1 }
}

/** A request with a status from 400 up is an error, the others were answered. */
function openBuckets(db: Database): (query: UsageQuery) => UsageBucket[] {
  const sum = (where: string) =>
    db.prepare<UsageQuery, BucketRow>(`
      SELECT started_at_ms - started_at_ms % CAST(:bucketMs AS INTEGER) AS startMs,
             iif(status < 400, model_used, NULL) AS modelUsed,
             count(*) AS requests,
             sum(status >= 400) AS errors,
             sum(cost_nano_usd) AS costNanoUsd,
             sum(iif(status < 400, latency_ms, 0)) AS latencyMsSum,
             max(iif(status < 400, latency_ms, NULL)) AS latencyMsMax,
             sum(carbon_grams) AS carbonGrams
      FROM requests WHERE ${where} GROUP BY 1, 2 ORDER BY 1`)
  const ofAll = sum('started_at_ms >= :sinceMs')
  const ofRouter = sum('router_id = :routerId AND started_at_ms >= :sinceMs')

  return (query) => joinModels((query.routerId === undefined ? ofAll : ofRouter).all(query))
}

function joinModels(rows: readonly BucketRow[]): UsageBucket[] {
  const byStart = new Map<number, BucketRow[]>()
  for (const row of rows) byStart.set(row.startMs, [...(byStart.get(row.startMs) ?? []), row])
  return [...byStart].map(([startMs, parts]) => {
    const total = (pick: (part: BucketRow) => number) =>
      parts.reduce((sum, part) => sum + pick(part), 0)
    const requests = total((part) => part.requests)
    const errors = total((part) => part.errors)
    const maxima = parts.flatMap((part) => part.latencyMsMax ?? [])
    return {
      startMs,
      requests,
      errors,
      costUsd: toUsd(total((part) => part.costNanoUsd)),
      latencyMsMean:
        requests > errors ? total((part) => part.latencyMsSum) / (requests - errors) : null,
      latencyMsMax: maxima.length > 0 ? Math.max(...maxima) : null,
      carbonGrams: total((part) => part.carbonGrams),
      models: Object.fromEntries(
        parts.flatMap((part) => (part.modelUsed === null ? [] : [[part.modelUsed, part.requests]])),
      ),
    }
  })
}

function openCosts(db: Database): Synchronous<Ledger>['costsByDay'] {
  const sum = (column: string) =>
    db.prepare<{ id: string; sinceMs: number }, DayCost>(`
      SELECT started_at_ms - started_at_ms % 86400000 AS dayStartMs,
             sum(cost_nano_usd) AS costNanoUsd
      FROM requests WHERE ${column} = :id AND started_at_ms >= :sinceMs GROUP BY 1 ORDER BY 1`)
  const statements = { router: sum('router_id'), key: sum('api_key_id') }

  return ({ owner, id, sinceMs }) => statements[owner].all({ id, sinceMs })
}

type UsageGroup = Parameters<Ledger['usage']>[0]['group']

function openUsage(db: Database): Synchronous<Ledger>['usage'] {
  const sum = (group: string) =>
    db.prepare<{ sinceMs: number; routerId: string | null }, UsageGroupRow>(`
      SELECT ${group} AS "group",
             count(*) AS requests,
             sum(status >= 400) AS errors,
             sum(coalesce(reported_prompt_tokens, estimated_prompt_tokens, 0)) AS promptTokens,
             sum(coalesce(reported_completion_tokens, estimated_completion_tokens, 0))
               AS completionTokens,
             sum(cost_nano_usd) AS costNanoUsd,
             sum(carbon_grams) AS carbonGrams
      FROM requests
      WHERE started_at_ms >= :sinceMs AND (:routerId IS NULL OR router_id = :routerId)
      GROUP BY 1 ORDER BY 1`)
  const statements: Record<UsageGroup, ReturnType<typeof sum>> = {
    router: sum('router_id'),
    model: sum("coalesce(model_used, '')"),
    key: sum("coalesce(api_key_id, '')"),
    day: sum("date(started_at_ms / 1000, 'unixepoch')"),
  }

  return ({ routerId = null, sinceMs, group }) =>
    statements[group].all({ sinceMs, routerId }).map(({ costNanoUsd, ...row }) => ({
      ...row,
      costUsd: toUsd(costNanoUsd),
    }))
}
