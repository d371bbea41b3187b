/**
 * The columns of the ledger's table `requests`, defined once in `columnOf`. The insert, the select, the row
 * sent to the worker and its parsing all derive from it.
 *
 * A row is sent to the worker as an array of values in the columns' order, followed by the token classes and the
 * carbon bounds that the roll-ups count. Building an array of plain values and copying it to the other thread costs a third of
 * JSON with names, and the insert uses its values as parameters unchanged.
 */
import type { RequestRecord } from '../../../shared/entities.ts'
import type { RequestDetail, TokenClasses } from '../../../shared/requests/detail.ts'
import type { CountedDetail, CountedRequest } from '../usage-cell.ts'
import { detailToText, tokenNames } from './detail-text.ts'
import type { Column, Value } from './sql.ts'

export interface LedgerRow {
  record: RequestRecord
  detail: RequestDetail
}

type Field = keyof RequestRecord

/**
 * Column and SQL type of each field, and a function that reads its value from a record. One function for each
 * field is faster than reading fields by name in a loop. A new column also needs a migration.
 */
const columnOf: {
  [Name in Field]: readonly [string, Column['type'], (record: RequestRecord) => Value]
} = {
  id: ['id', 'TEXT', (record) => record.id],
  routerId: ['router_id', 'TEXT', (record) => record.routerId],
  apiKeyId: ['api_key_id', 'TEXT', (record) => record.apiKeyId],
  source: ['source', 'TEXT', (record) => record.source],
  startedAtMs: ['started_at_ms', 'INTEGER', (record) => record.startedAtMs],
  status: ['status', 'INTEGER', (record) => record.status],
  errorCode: ['error_code', 'TEXT', (record) => record.errorCode],
  modelUsed: ['model_used', 'TEXT', (record) => record.modelUsed],
  routerDecision: ['router_decision', 'TEXT', (record) => record.routerDecision],
  isStreamed: ['is_streamed', 'INTEGER', (record) => Number(record.isStreamed)],
  attempts: ['attempts', 'INTEGER', (record) => record.attempts],
  reportedPromptTokens: [
    'reported_prompt_tokens',
    'INTEGER',
    (record) => record.reportedPromptTokens,
  ],
  reportedCompletionTokens: [
    'reported_completion_tokens',
    'INTEGER',
    (record) => record.reportedCompletionTokens,
  ],
  estimatedPromptTokens: [
    'estimated_prompt_tokens',
    'INTEGER',
    (record) => record.estimatedPromptTokens,
  ],
  estimatedCompletionTokens: [
    'estimated_completion_tokens',
    'INTEGER',
    (record) => record.estimatedCompletionTokens,
  ],
  costNanoUsd: ['cost_nano_usd', 'INTEGER', (record) => record.costNanoUsd],
  latencyMs: ['latency_ms', 'REAL', (record) => record.latencyMs],
  firstTokenMs: ['first_token_ms', 'REAL', (record) => record.firstTokenMs],
  carbonGrams: ['carbon_grams', 'REAL', (record) => record.carbonGrams],
  cachedFrom: ['cached_from', 'TEXT', (record) => record.cachedFrom],
  executionId: ['execution_id', 'TEXT', (record) => record.executionId],
  stepId: ['step_id', 'TEXT', (record) => record.stepId],
  fallbackFrom: ['fallback_from', 'TEXT', (record) => record.fallbackFrom],
  fallbackReason: ['fallback_reason', 'TEXT', (record) => record.fallbackReason],
  tag: ['tag', 'TEXT', (record) => record.tag],
  sessionId: ['session_id', 'TEXT', (record) => record.sessionId],
  agentId: ['agent_id', 'TEXT', (record) => record.agentId],
  sessionStep: ['session_step', 'TEXT', (record) => record.sessionStep],
}

// The keys of `columnOf` in their written order; `Object.keys` loses their type.
const fields = Object.keys(columnOf) as Field[]

/** The columns of the fields, in the order of a row. */
const recordColumns = fields.map((field) => {
  const [name, type, read] = columnOf[field]
  return { field, name, type, read }
})

/** Each field's index in a row. */
const place = Object.fromEntries(fields.map((field, index) => [field, index])) as Record<
  Field,
  number
>
const detailPlace = fields.length
const tokensPlace = detailPlace + 1
const carbonPlace = tokensPlace + tokenNames.length

/** All columns with a value, in the order of `columnValues`. */
export const ledgerColumns: readonly Column[] = [
  ...recordColumns.map(({ name, type }) => ({ name, type })),
  { name: 'detail', type: 'TEXT' },
]

/** Names of a row's values, in their order. */
export const rowColumns: readonly string[] = [
  ...ledgerColumns.map(({ name }) => name),
  ...tokenNames.map((name) => `${name} tokens`),
  'low carbon grams',
  'high carbon grams',
]

/** The values of `ledgerColumns`, then the token classes and the carbon bounds. */
export type RowValues = readonly Value[]

export function toRowValues({ record, detail }: LedgerRow): RowValues {
  const values = recordColumns.map(({ read }) => read(record))
  const { input, cacheRead, cacheWrite, output, reasoning } = detail.tokens
  values.push(detailToText(detail), input, cacheRead, cacheWrite, output, reasoning)
  values.push(detail.carbon?.lowGrams ?? null, detail.carbon?.highGrams ?? null)
  return values
}

/** The values that are stored. */
export function columnValues(row: RowValues): RowValues {
  return row.slice(0, tokensPlace)
}

/** When the request of a row began, Unix ms. */
export function startedAtMsOf(row: RowValues): number {
  return Number(row[place.startedAtMs])
}

/** The values of a row that the roll-ups count. */
export function toCounted(row: RowValues): { request: CountedRequest; detail: CountedDetail } {
  // Checked boundary: `toRowValues` put each field at the index read here.
  const valueOf = <Name extends Field>(field: Name) => row[place[field]] as RequestRecord[Name]
  return {
    request: {
      routerId: valueOf('routerId'),
      apiKeyId: valueOf('apiKeyId'),
      startedAtMs: valueOf('startedAtMs'),
      status: valueOf('status'),
      modelUsed: valueOf('modelUsed'),
      reportedPromptTokens: valueOf('reportedPromptTokens'),
      estimatedPromptTokens: valueOf('estimatedPromptTokens'),
      costNanoUsd: valueOf('costNanoUsd'),
      latencyMs: valueOf('latencyMs'),
      firstTokenMs: valueOf('firstTokenMs'),
      carbonGrams: valueOf('carbonGrams'),
      fallbackFrom: valueOf('fallbackFrom'),
      tag: valueOf('tag'),
    },
    detail: { tokens: tokensOf(row), carbon: carbonOf(row) },
  }
}

function tokensOf(row: RowValues): TokenClasses {
  // Checked boundary, as above; in the order in which `toRowValues` adds them.
  const [input, cacheRead, cacheWrite, output, reasoning] = row.slice(tokensPlace) as [
    number,
    number | null,
    number | null,
    number,
    number | null,
  ]
  return { input, cacheRead, cacheWrite, output, reasoning }
}

function carbonOf(row: RowValues): CountedDetail['carbon'] {
  // Checked boundary, as above.
  const [lowGrams, highGrams] = row.slice(carbonPlace) as [number | null, number | null]
  return lowGrams === null || highGrams === null ? null : { lowGrams, highGrams }
}

/** A select list of the columns of some fields, each named after its field. */
export function selectList(names: readonly Field[] = fields): string {
  const isAsked = new Set<Field>(names)
  return recordColumns
    .filter(({ field }) => isAsked.has(field))
    .map(({ name, field }) => `${name} AS "${field}"`)
    .join(', ')
}

/** A row of `selectList()`. */
export type RecordRow = Omit<RequestRecord, 'isStreamed'> & { isStreamed: number }

export function toRecord(row: RecordRow): RequestRecord {
  return { ...row, isStreamed: row.isStreamed === 1 }
}
