import type { Database } from 'better-sqlite3'
import { carbonInDetail, tokenNames, tokensInDetail } from './detail-text.ts'
import { selectList } from './ledger-row.ts'
import { CellGroup } from './rollups.ts'
import type { CountedDetail, CountedRequest } from '../usage-cell.ts'

/** The fields of a row that totals include; token classes and carbon bounds are null when the row has no detail. */
interface CountedRow extends CountedRequest {
  input: number | null
  cacheRead: number | null
  cacheWrite: number | null
  output: number | null
  reasoning: number | null
  lowGrams: number | null
  highGrams: number | null
}

/** The columns of these fields. */
const columns = [
  selectList([
    'startedAtMs',
    'routerId',
    'modelUsed',
    'apiKeyId',
    'status',
    'reportedPromptTokens',
    'reportedCompletionTokens',
    'estimatedPromptTokens',
    'estimatedCompletionTokens',
    'costNanoUsd',
    'latencyMs',
    'firstTokenMs',
    'carbonGrams',
    'fallbackFrom',
    'tag',
  ]),
  ...tokenNames.map((name) => `${tokensInDetail(name)} AS ${name}`),
  ...(['lowGrams', 'highGrams'] as const).map((name) => `${carbonInDetail(name)} AS ${name}`),
].join(', ')

interface RowRange {
  fromMs: number
  /** Infinity: all requests since `fromMs`. */
  toMs: number
}

export interface RowQuery extends RowRange {
  routerId: string | null
}

/** Sums single rows into cells of a length, for ranges that no roll-up covers. */
export function openCountedRows(db: Database): (query: RowQuery, lengthMs: number) => CellGroup {
  const within = 'started_at_ms >= :fromMs AND started_at_ms < :toMs'
  const ofAll = db.prepare<RowQuery, CountedRow>(`SELECT ${columns} FROM requests WHERE ${within}`)
  const ofRouter = db.prepare<RowQuery, CountedRow>(
    `SELECT ${columns} FROM requests WHERE router_id = :routerId AND ${within}`,
  )

  return (query, lengthMs) => {
    const cells = new CellGroup(lengthMs)
    const rows = (query.routerId === null ? ofAll : ofRouter).iterate(query)
    for (const row of rows) cells.addRequest(row, detailOf(row))
    return cells
  }
}

/** A row of an agent's step. */
export interface AgentRow {
  agent: string
  request: CountedRequest
  detail: CountedDetail
}

/** The steps of agents in a range of time. */
export function openAgentRows(db: Database): (range: RowRange) => Generator<AgentRow> {
  const select = db.prepare<RowRange, CountedRow & { agent: string | null }>(`
    SELECT ${columns}, (SELECT agent FROM executions WHERE id = execution_id) AS agent
    FROM requests INDEXED BY requests_of_agents
    WHERE execution_id IS NOT NULL AND started_at_ms >= :fromMs AND started_at_ms < :toMs`)
  return function* (range) {
    for (const { agent, ...request } of select.iterate(range))
      if (agent !== null) yield { agent, request, detail: detailOf(request) }
  }
}

function detailOf(row: CountedRow): CountedDetail {
  const { input, cacheRead, cacheWrite, output, reasoning, lowGrams, highGrams } = row
  const hasTokens = input !== null && output !== null
  const hasBounds = lowGrams !== null && highGrams !== null
  return {
    tokens: hasTokens ? { input, cacheRead, cacheWrite, output, reasoning } : null,
    carbon: hasBounds ? { lowGrams, highGrams } : null,
  }
}
