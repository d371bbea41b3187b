import type { Database } from 'better-sqlite3'
import type { TokenClasses } from '../../../shared/request-detail.ts'
import { CellGroup } from './rollups.ts'
import type { CountedRequest } from '../usage-cell.ts'

/** A row's part in the sums; the classes as columns, null where the row has no detail. */
interface CountedRow extends CountedRequest {
  input: number | null
  cacheRead: number | null
  cacheWrite: number | null
  output: number | null
  reasoning: number | null
}

/** A detail's values have a place, in rows of older versions a name. */
const ofDetail = (place: number, name: string) =>
  `coalesce(detail ->> '$[${place}]', detail ->> '$.tokens.${name}')`

const columns = `
  started_at_ms AS startedAtMs, router_id AS routerId, model_used AS modelUsed,
  api_key_id AS apiKeyId, status, reported_prompt_tokens AS reportedPromptTokens,
  reported_completion_tokens AS reportedCompletionTokens,
  estimated_prompt_tokens AS estimatedPromptTokens,
  estimated_completion_tokens AS estimatedCompletionTokens, cost_nano_usd AS costNanoUsd,
  latency_ms AS latencyMs, first_token_ms AS firstTokenMs, carbon_grams AS carbonGrams,
  ${ofDetail(2, 'input')} AS input, ${ofDetail(3, 'cacheRead')} AS cacheRead,
  ${ofDetail(4, 'cacheWrite')} AS cacheWrite, ${ofDetail(5, 'output')} AS output,
  ${ofDetail(6, 'reasoning')} AS reasoning`

export interface RowQuery {
  fromMs: number
  /** Infinity: all since `fromMs`. */
  toMs: number
  routerId: string | null
}

/** The rows themselves, summed up in cells of a length, for what no roll-up answers. */
export function openCountedRows(db: Database): (query: RowQuery, lengthMs: number) => CellGroup {
  const within = 'started_at_ms >= :fromMs AND started_at_ms < :toMs'
  const ofAll = db.prepare<RowQuery, CountedRow>(`SELECT ${columns} FROM requests WHERE ${within}`)
  const ofRouter = db.prepare<RowQuery, CountedRow>(
    `SELECT ${columns} FROM requests WHERE router_id = :routerId AND ${within}`,
  )

  return (query, lengthMs) => {
    const cells = new CellGroup(lengthMs)
    const rows = (query.routerId === null ? ofAll : ofRouter).iterate(query)
    for (const row of rows) cells.addRequest(row, tokensOf(row))
    return cells
  }
}

function tokensOf(row: CountedRow): TokenClasses | null {
  const { input, cacheRead, cacheWrite, output, reasoning } = row
  if (input === null || output === null) return null
  return { input, cacheRead, cacheWrite, output, reasoning }
}
