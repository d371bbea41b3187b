import type { TokenClasses } from '../../../shared/requests/detail.ts'
import { carbonInDetail, tokenNames, tokensInDetail } from './detail-text.ts'
import { selectList } from './ledger-row.ts'
import { CellGroup } from './rollups.ts'
import type { Dialect, Sql } from './sql.ts'
import type { CountedDetail, CountedRequest } from '../usage-cell.ts'

/** The fields of a row that totals include. */
interface CountedRow extends CountedRequest, TokenClasses {
  lowGrams: number | null
  highGrams: number | null
}

const countedFields = [
  'startedAtMs',
  'routerId',
  'modelUsed',
  'apiKeyId',
  'status',
  'reportedPromptTokens',
  'estimatedPromptTokens',
  'costNanoUsd',
  'latencyMs',
  'firstTokenMs',
  'carbonGrams',
  'fallbackFrom',
  'tag',
] as const

/** The columns of these fields. */
function columnsOf(dialect: Dialect): string {
  const bounds = ['lowGrams', 'highGrams'] as const
  return [
    selectList(countedFields),
    ...tokenNames.map((name) => `${tokensInDetail(dialect, name)} AS "${name}"`),
    ...bounds.map((name) => `${carbonInDetail(dialect, name)} AS "${name}"`),
  ].join(', ')
}

interface RowRange {
  fromMs: number
  toMs: number
}

export interface RowQuery extends RowRange {
  routerId: string | null
}

/** Sums single rows into cells of a length, for ranges that no roll-up covers. */
export function openCountedRows(
  sql: Sql,
): (query: RowQuery, lengthMs: number) => Promise<CellGroup> {
  const columns = columnsOf(sql.dialect)
  const within = 'started_at_ms >= :fromMs AND started_at_ms < :toMs'
  const ofAll = sql.prepare<RowQuery, CountedRow>(`SELECT ${columns} FROM requests WHERE ${within}`)
  const ofRouter = sql.prepare<RowQuery, CountedRow>(
    `SELECT ${columns} FROM requests WHERE router_id = :routerId AND ${within}`,
  )

  return async (query, lengthMs) => {
    const cells = new CellGroup(lengthMs)
    const select = query.routerId === null ? ofAll : ofRouter
    await select.each((row) => cells.addRequest(row, detailOf(row)), query)
    return cells
  }
}

/** What only rows name, and no roll-up. */
export type NamedBy = 'agent' | 'conversation'

/** A row of an agent's step, or of an answer in a conversation. */
export interface NamedRow {
  /** The agent, or the id of the conversation. */
  name: string
  request: CountedRequest
  detail: CountedDetail
}

/** The steps of agents, or the answers of conversations, in a range of time. */
export function openNamedRows(
  sql: Sql,
  by: NamedBy,
): (range: RowRange, visit: (row: NamedRow) => void) => Promise<void> {
  const { name: named, rows } = namings[by]
  const select = sql.prepare<RowRange, CountedRow & { name: string | null }>(`
    SELECT ${columnsOf(sql.dialect)}, (${named}) AS name
    FROM requests ${rows(sql.dialect)} AND started_at_ms >= :fromMs AND started_at_ms < :toMs`)
  return (range, visit) =>
    select.each(({ name, ...request }) => {
      if (name !== null) visit({ name, request, detail: detailOf(request) })
    }, range)
}

const namings: Record<NamedBy, { name: string; rows(dialect: Dialect): string }> = {
  agent: {
    name: 'SELECT agent FROM executions WHERE executions.id = requests.execution_id',
    rows: ({ withIndex }) => `${withIndex('requests_of_agents')} WHERE execution_id IS NOT NULL`,
  },
  // An answer has the id of its request.
  conversation: {
    name: 'SELECT conversation_id FROM messages WHERE messages.id = requests.id',
    rows: () => 'WHERE id IN (SELECT id FROM messages)',
  },
}

function detailOf(row: CountedRow): CountedDetail {
  const { input, cacheRead, cacheWrite, output, reasoning, lowGrams, highGrams } = row
  const hasBounds = lowGrams !== null && highGrams !== null
  return {
    tokens: { input, cacheRead, cacheWrite, output, reasoning },
    carbon: hasBounds ? { lowGrams, highGrams } : null,
  }
}
