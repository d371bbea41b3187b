/**
 * A ledger row as it crosses to the worker: the values of its columns in a fixed order, and behind them
 * the tokens that the roll-ups count. An array of plain values is made and copied to the other thread for
 * a third of what JSON with names costs, and its values are the statement's parameters as they are.
 */
import type { RequestRecord } from '../../../shared/entities.ts'
import type { RequestDetail, TokenClasses } from '../../../shared/request-detail.ts'
import type { CountedRequest } from '../usage-cell.ts'
import { detailToText } from './detail-text.ts'

export interface LedgerRow {
  record: RequestRecord
  detail: RequestDetail
}

/** In the order of `RowValues`, which has five values more. */
export const rowColumns = [
  'id',
  'router_id',
  'api_key_id',
  'source',
  'started_at_ms',
  'status',
  'error_code',
  'model_used',
  'router_decision',
  'is_streamed',
  'attempts',
  'reported_prompt_tokens',
  'reported_completion_tokens',
  'estimated_prompt_tokens',
  'estimated_completion_tokens',
  'cost_nano_usd',
  'latency_ms',
  'first_token_ms',
  'carbon_grams',
  'cached_from',
  'execution_id',
  'step_id',
  'detail',
] as const

export type RowValues = readonly [
  id: string,
  routerId: string,
  apiKeyId: string | null,
  source: string,
  startedAtMs: number,
  status: number,
  errorCode: string | null,
  modelUsed: string | null,
  routerDecision: string,
  isStreamed: number,
  attempts: number,
  reportedPromptTokens: number | null,
  reportedCompletionTokens: number | null,
  estimatedPromptTokens: number | null,
  estimatedCompletionTokens: number | null,
  costNanoUsd: number,
  latencyMs: number,
  firstTokenMs: number | null,
  carbonGrams: number,
  cachedFrom: string | null,
  executionId: string | null,
  stepId: string | null,
  detail: string,
  input: number,
  cacheRead: number | null,
  cacheWrite: number | null,
  output: number,
  reasoning: number | null,
]

export function toRowValues({ record, detail }: LedgerRow): RowValues {
  const { tokens } = detail
  return [
    record.id,
    record.routerId,
    record.apiKeyId,
    record.source,
    record.startedAtMs,
    record.status,
    record.errorCode,
    record.modelUsed,
    record.routerDecision,
    Number(record.isStreamed),
    record.attempts,
    record.reportedPromptTokens,
    record.reportedCompletionTokens,
    record.estimatedPromptTokens,
    record.estimatedCompletionTokens,
    record.costNanoUsd,
    record.latencyMs,
    record.firstTokenMs,
    record.carbonGrams,
    record.cachedFrom,
    record.executionId,
    record.stepId,
    detailToText(detail),
    tokens.input,
    tokens.cacheRead,
    tokens.cacheWrite,
    tokens.output,
    tokens.reasoning,
  ]
}

/** What of a row becomes columns. */
export function columnValues(row: RowValues): readonly unknown[] {
  return row.slice(0, rowColumns.length)
}

/** What the roll-ups count of a row. */
export function toCounted(row: RowValues): { request: CountedRequest; tokens: TokenClasses } {
  return {
    request: {
      routerId: row[1],
      apiKeyId: row[2],
      startedAtMs: row[4],
      status: row[5],
      modelUsed: row[7],
      reportedPromptTokens: row[11],
      reportedCompletionTokens: row[12],
      estimatedPromptTokens: row[13],
      estimatedCompletionTokens: row[14],
      costNanoUsd: row[15],
      latencyMs: row[16],
      firstTokenMs: row[17],
      carbonGrams: row[18],
    },
    tokens: {
      input: row[23],
      cacheRead: row[24],
      cacheWrite: row[25],
      output: row[26],
      reasoning: row[27],
    },
  }
}
