/**
 * OpenAI's Usage and Costs APIs, as pages of JSON, and the dashboard's exports of both as CSV, which have the same fields.
 * All times are UTC. Sources, read 2026-11-28:
 * - platform.openai.com/docs/api-reference/usage, in OpenAI's OpenAPI document 2.3.0 (`UsageCompletionsResult`,
 *   `CostsResult`): `input_tokens` includes cached and cache-write tokens, text, audio and images; amounts are dollars.
 * - help.openai.com/en/articles/8554956: exports of “Cost” and “Activity”, with the columns `start_time`, `end_time`,
 *   `start_time_iso`, `num_model_requests`, `model`, `batch`, `service_tier`, `input_tokens`, … and `amount_value`,
 *   `amount_currency`, `line_item`.
 * - Line items of bills that people published: `gpt-5-2025-08-07, input`, `o3-mini, cached input`,
 *   `gpt-image-1 text, output`, `web search tool calls`. The form of `, cache write` is not documented; it is read by its
 *   words.
 */
import type { BillClass, BillTier } from '../../../shared/requests/reconciliation.ts'
import { emptyEntry, readEach, type BillEntry, type BillFormat, type JsonValue } from '../bill.ts'
import {
  amountOf,
  countOf,
  jsonRow,
  knownCountOf,
  modelOf,
  requireUsd,
  tableRow,
  textOf,
  timeOf,
  type Fields,
} from '../fields.ts'
import { bucketsOf, isPage } from '../pages.ts'

const types = ['openai']

export const openaiPages: BillFormat = {
  name: 'OpenAI usage and costs API',
  types,
  fits: ({ values }) => isPage(values, ({ start_time }) => typeof start_time === 'number'),
  read: ({ values }) => readEach(resultsOf(values ?? []), ({ fields }) => entryOf(fields)),
}

export const openaiCsv: BillFormat = {
  name: 'OpenAI export',
  types,
  fits: ({ table }) =>
    table !== null &&
    table.header.includes('start_time') &&
    (table.header.includes('num_model_requests') || table.header.includes('amount_value')),
  read: ({ table }) =>
    readEach(table?.rows ?? [], (row) => entryOf(tableRow(table?.header ?? [], row))),
}

function resultsOf(values: readonly JsonValue[]) {
  return bucketsOf(values).flatMap(({ line, bucket, results }) =>
    results.map((value) => {
      const result = jsonRow(line, value)
      const get = (name: string) =>
        name === 'start_time' || name === 'end_time' ? bucket.get(name) : result.get(name)
      return { line, fields: { line, get } }
    }),
  )
}

function entryOf(fields: Fields): BillEntry | null {
  const isCost = fields.get('amount') !== undefined || fields.get('amount_value') !== undefined
  const entry = isCost ? costOf(fields) : usageOf(fields)
  if (entry === null) return null
  const until = textOf(fields, 'end_time', 'end_time_iso')
  const untilMs = until === null ? null : timeOf(fields, 'end_time', 'end_time_iso')
  return { ...entry, untilMs: typeof untilMs === 'number' ? untilMs : null }
}

const groups = ['project_id', 'user_id', 'api_key_id', 'organization_id', 'model', 'line_item']

function base(fields: Fields, kind: string) {
  const at = timeOf(fields, 'start_time', 'start_time_iso')
  const names = ['end_time', ...groups, 'batch', 'service_tier', 'object']
  const identity = [kind, at, ...names.map((name) => textOf(fields, name))].join('|')
  return { line: fields.line, at, identity }
}

/** Null for spans without use, and for what is not counted in tokens. */
function usageOf(fields: Fields): BillEntry | null {
  const all = knownCountOf(fields, 'input_tokens')
  const output = countOf(fields, 'output_tokens')
  const requests = knownCountOf(fields, 'num_model_requests')
  if (all === null || all + output + (requests ?? 0) === 0) return null
  const cacheRead = Math.min(all, countOf(fields, 'input_cached_tokens'))
  const cacheWrite = Math.min(all - cacheRead, countOf(fields, 'input_cache_write_tokens'))
  const parts = {
    audio: countOf(fields, 'input_audio_tokens'),
    audioOutput: countOf(fields, 'output_audio_tokens'),
    image: countOf(fields, 'output_image_tokens'),
  }
  return emptyEntry({
    ...base(fields, 'usage'),
    model: modelOf(fields, ['model'], 'Group the usage by model.'),
    tier: tierOf(fields),
    requests,
    tokens: { input: all - cacheRead - cacheWrite, cacheRead, cacheWrite, output, ...parts },
  })
}

function tierOf(fields: Fields): BillTier {
  const batch = fields.get('batch')
  if (batch === true || /^true$/i.test(String(batch))) return 'batch'
  const tier = textOf(fields, 'service_tier')
  return tier === 'flex' || tier === 'priority' || tier === 'batch' ? tier : 'standard'
}

function costOf(fields: Fields): BillEntry | null {
  const amount = amountOf(fields, ['amount.value', 'amount_value'])
  if (amount === null) return null
  requireUsd(fields, 'amount.currency', 'amount_currency')
  const { nanoUsd, decimals } = amount
  const item = modelOf(fields, ['line_item'], 'Group the costs by line item.')
  const read = readLineItem(item)
  const name = nanoUsd < 0 ? 'credit' : read.name
  return emptyEntry({
    ...base(fields, 'cost'),
    ...read,
    costs: { [name]: nanoUsd },
    decimals,
  })
}

/** `gpt-5-2025-08-07, cached input`; without a comma, it is a model or a tool. */
function readLineItem(item: string) {
  const comma = item.lastIndexOf(',')
  const [, model = '', kind = ''] =
    /^(\S+)(?:\s+(text|image|audio))?$/.exec(comma < 0 ? item : item.slice(0, comma).trim()) ?? []
  const words = `${kind} ${comma < 0 ? '' : item.slice(comma + 1)}`.toLowerCase()
  const tier = tierIn(words)
  const isModel = model !== '' && (comma >= 0 || /\d/.test(model))
  if (!isModel) return { model: null, tier, name: toolOf(item), label: item }
  return { model, tier, name: comma < 0 ? ('all' as const) : classOf(words), label: item }
}

function tierIn(words: string): BillTier {
  return (['batch', 'flex', 'priority'] as const).find((tier) => words.includes(tier)) ?? 'standard'
}

function classOf(words: string): BillClass {
  if (words.includes('audio')) return 'audio'
  if (words.includes('image')) return 'image'
  if (/cache.?writ|writ\w* .*cache/.test(words)) return 'cacheWrite'
  if (words.includes('cached')) return 'cacheRead'
  if (words.includes('input')) return 'input'
  return words.includes('output') ? 'output' : 'other'
}

function toolOf(item: string): BillClass {
  if (/web.?search/i.test(item)) return 'webSearch'
  if (/code.?interpreter/i.test(item)) return 'codeExecution'
  return /storage/i.test(item) ? 'storage' : 'other'
}
