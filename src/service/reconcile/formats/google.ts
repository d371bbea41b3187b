/**
 * Rows of Cloud Billing's export for the Gemini API and Vertex AI: JSON lines of the BigQuery table, or CSV of a query whose
 * columns are named `service_description`, `sku_description`, `usage_start_time`, `usage_end_time`, `usage_amount`,
 * `usage_unit`, `cost`, `currency`, `currency_conversion_rate` and `credits_amount`. Times are UTC. Sources, read 2026-11-28:
 * - docs.cloud.google.com/billing/docs/how-to/export-data-bigquery-tables/standard-usage: the fields, and that `cost`
 *   divided by `currency_conversion_rate` is US dollars.
 * - SKUs that people published: `Generate content input token count gemini 2.5 flash short input text`,
 *   `Generate content cached input token count gemini 3.6 flash text`, `… gemini 3.7 flash image flex caching`,
 *   `Gemini 2.5 Pro Thinking Text Output - Predictions`.
 */
import type { BillTier } from '../../../shared/requests/reconciliation.ts'
import {
  BillUnreadable,
  emptyEntry,
  readEach,
  type BillEntry,
  type BillFormat,
  type CostName,
  type TokenName,
} from '../bill.ts'
import {
  amountOf,
  jsonRow,
  knownCountOf,
  requireUsd,
  tableRow,
  textOf,
  timeOf,
  type Fields,
} from '../fields.ts'
import { dataOf, isObject } from '../pages.ts'

const types = ['google', 'google-vertex']

export const googleBilling: BillFormat = {
  name: 'Google Cloud billing export',
  types,
  fits: ({ table, values }) => {
    if (table !== null) {
      return table.header.includes('sku_description') && table.header.includes('usage_start_time')
    }
    const found = values && dataOf(values)[0]?.item
    return isObject(found) && 'sku' in found && 'usage_start_time' in found
  },
  read: ({ table, values }) =>
    table === null
      ? readEach(dataOf(values ?? []), ({ line, item }) => entriesOf(jsonRow(line, item), item))
      : readEach(table.rows, (row) => entriesOf(tableRow(table.header, row), row.cells)),
}

/** Rows of other services are no problem: a billing account has many. */
function entriesOf(fields: Fields, row: unknown): BillEntry[] {
  const service = textOf(fields, 'service.description', 'service_description')
  const sku = textOf(fields, 'sku.description', 'sku_description')
  if (service === null || sku === null) {
    throw new BillUnreadable('"service_description" or "sku_description" is empty.')
  }
  if (!/gemini|generative language|vertex ai/i.test(service)) return []
  const until = textOf(fields, 'usage_end_time') === null ? null : timeOf(fields, 'usage_end_time')
  const base = {
    line: fields.line,
    at: timeOf(fields, 'usage_start_time'),
    untilMs: typeof until === 'number' ? until : null,
    identity: JSON.stringify(row),
    label: sku,
  }
  const { nanoUsd, decimals } = dollarsOf(fields)
  const { model, name, token, tier } = readSku(sku)
  const count = token === null ? 0 : (amountInTokens(fields) ?? 0)
  const entry = emptyEntry({
    ...base,
    model,
    tier,
    tokens: token === null ? {} : { [token]: count, ...partOf(name, token, count) },
    costs: { [name]: nanoUsd },
    decimals,
  })
  const credit = creditOf(fields)
  if (credit === 0) return [entry]
  const costs = { credit }
  return [entry, emptyEntry({ ...base, identity: `${base.identity}|credit`, costs, decimals })]
}

/** The part of the tokens that has a price of its own. */
function partOf(name: CostName, token: TokenName, count: number): BillEntry['tokens'] {
  if (name === 'image') return { image: count }
  if (name !== 'audio') return {}
  return token === 'output' ? { audioOutput: count } : { audio: count }
}

function dollarsOf(fields: Fields): { nanoUsd: number; decimals: number } {
  const amount = amountOf(fields, ['cost'])
  if (amount === null) throw new BillUnreadable('"cost" is empty.')
  const rate = rateOf(fields)
  if (rate === null) requireUsd(fields, 'currency')
  return { nanoUsd: amount.nanoUsd / (rate ?? 1), decimals: amount.decimals }
}

/** Units of the local currency for a dollar; null without the field. */
function rateOf(fields: Fields): number | null {
  const text = textOf(fields, 'currency_conversion_rate')
  if (text === null) return null
  const rate = Number(text)
  if (Number.isFinite(rate) && rate > 0) return rate
  throw new BillUnreadable(
    `"currency_conversion_rate" is "${text.slice(0, 60)}", which is no rate.`,
  )
}

/** The sum of the row's credits, which are negative. */
function creditOf(fields: Fields): number {
  const credits = fields.get('credits')
  const rate = rateOf(fields) ?? 1
  const amounts = Array.isArray(credits)
    ? credits.map((credit) => amountOf(jsonRow(fields.line, credit), ['amount']))
    : [amountOf(fields, ['credits_amount'])]
  return amounts.reduce((sum, amount) => sum + (amount?.nanoUsd ?? 0) / rate, 0)
}

function amountInTokens(fields: Fields): number | null {
  const unit = textOf(fields, 'usage.unit', 'usage_unit')
  if (unit !== null && !/count|token|requests?/i.test(unit)) return null
  return knownCountOf(fields, 'usage.amount', 'usage_amount')
}

interface Sku {
  model: string | null
  name: CostName
  /** Null for what is not counted in tokens. */
  token: TokenName | null
  tier: BillTier
}

/** Words that are part of a model's name after “gemini 2.5”. */
const nameWords = new Set(
  'pro flash lite ultra nano preview exp experimental live tts native audio'.split(' '),
)

function readSku(sku: string): Sku {
  const words = sku.toLowerCase()
  const tier = (['batch', 'flex', 'priority'] as const).find((one) => words.includes(one))
  const base = { model: modelIn(words), tier: tier ?? ('standard' as const) }
  if (base.model === null || /storage|hour/.test(words)) {
    return { ...base, name: toolOf(words), token: null }
  }
  const isOutput = /output token|text output|output text|thinking/.test(words)
  const token = isOutput ? 'output' : /cach/.test(words) ? 'cacheRead' : 'input'
  if (/\baudio\b/.test(words)) return { ...base, name: 'audio', token }
  if (isOutput && /\bimage\b/.test(words)) return { ...base, name: 'image', token }
  if (!/input|output|predictions|token/.test(words)) return { ...base, name: 'other', token: null }
  return { ...base, name: token, token }
}

function toolOf(words: string): CostName {
  if (/storage|hour/.test(words)) return 'storage'
  return /search|grounding/.test(words) ? 'webSearch' : 'other'
}

/** `gemini-2.5-flash-lite` of “… gemini 2.5 flash lite short input text”; `gemini-embedding-001` is written so already. */
function modelIn(words: string): string | null {
  const embedding = /gemini-embedding-\S+/.exec(words)
  if (embedding) return embedding[0]
  const [, version = '', rest = ''] = /gemini[ -](\d+(?:\.\d+)?)[ -](.*)$/.exec(words) ?? []
  if (version === '') return null
  const names: string[] = []
  for (const word of rest.split(/[ -]+/)) {
    if (!nameWords.has(word) || (word === 'audio' && names.at(-1) !== 'native')) break
    names.push(word)
  }
  return ['gemini', version, ...names].join('-')
}
