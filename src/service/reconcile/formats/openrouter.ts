/**
 * OpenRouter's activity as CSV, and its generations or its activity as JSON. All times are UTC; amounts are dollars.
 * Sources, read 2026-11-28:
 * - openrouter.ai/docs/api/api-reference/generations/get-generation and …/analytics/get-user-activity: `total_cost`,
 *   `native_tokens_prompt` (with cached ones), `native_tokens_completion` (with reasoning), `native_tokens_cached`,
 *   `native_tokens_reasoning`; `date`, `model_permaslug`, `usage`, `requests`, `prompt_tokens`, `completion_tokens`.
 * - The exports of openrouter.ai/activity, as people published them: `generation_id`, `created_at`, `cost_total`,
 *   `cost_web_search`, `cost_cache`, `cost_file_processing`, `byok_usage_inference`, `tokens_prompt`,
 *   `tokens_completion`, `tokens_reasoning`, `tokens_cached`, `model_permaslug`, `variant`; by day `Date`, `Slug`, `Usage`,
 *   `BYOK Usage`, `Requests`, `Prompt Tokens`, `Completion Tokens`, `Reasoning Tokens`.
 */
import { emptyEntry, readEach, type BillEntry, type BillFormat } from '../bill.ts'
import {
  amountOf,
  countOf,
  jsonRow,
  knownCountOf,
  modelOf,
  tableRow,
  textOf,
  timeOf,
  type Fields,
} from '../fields.ts'
import { dataOf, isObject } from '../pages.ts'

const types = ['openrouter']
const byRequest = ['generation_id', 'cost_total', 'model_permaslug']
const byDay = ['date', 'slug', 'usage', 'prompt_tokens']

export const openrouterCsv: BillFormat = {
  name: 'OpenRouter activity export',
  types,
  fits: ({ table }) =>
    table !== null &&
    [byRequest, byDay].some((names) => names.every((name) => table.header.includes(name))),
  read({ table }) {
    const header = table?.header ?? []
    const read = header.includes('generation_id') ? requestOf : dayOf
    return readEach(table?.rows ?? [], (row) => read(tableRow(header, row)))
  },
}

export const openrouterJson: BillFormat = {
  name: 'OpenRouter generations and activity API',
  types,
  fits: ({ values }) => {
    const found = values && dataOf(values).find(({ item }) => isObject(item))?.item
    return isObject(found) && (isGeneration(found) || 'model_permaslug' in found)
  },
  read: ({ values }) =>
    readEach(dataOf(values ?? []), ({ line, item }) => {
      const fields = jsonRow(line, item)
      return isObject(item) && isGeneration(item) ? requestOf(fields) : dayOf(fields)
    }),
}

function isGeneration(item: Record<string, unknown>): boolean {
  return 'total_cost' in item && ('native_tokens_prompt' in item || 'tokens_prompt' in item)
}

function requestOf(fields: Fields): BillEntry | null {
  const amount = amountOf(fields, ['cost_total', 'total_cost'])
  const id = textOf(fields, 'generation_id', 'id') ?? `line ${fields.line}`
  const search = amountOf(fields, ['cost_web_search'])
  const files = amountOf(fields, ['cost_file_processing'])
  const others = (search?.nanoUsd ?? 0) + (files?.nanoUsd ?? 0)
  return emptyEntry({
    line: fields.line,
    at: timeOf(fields, 'created_at'),
    identity: id,
    isNumbered: true,
    model: modelWithVariant(fields),
    requests: 1,
    tokens: tokensOf(fields, ['native_tokens_', 'tokens_'], ''),
    costs: {
      all: (amount?.nanoUsd ?? 0) - others + ofOwnKey(fields),
      ...(search?.nanoUsd ? { webSearch: search.nanoUsd } : {}),
      ...(files?.nanoUsd ? { other: files.nanoUsd } : {}),
    },
    label: files?.nanoUsd ? 'file processing' : null,
    decimals: amount?.decimals ?? null,
  })
}

function dayOf(fields: Fields): BillEntry {
  const amount = amountOf(fields, ['usage'])
  const at = timeOf(fields, 'date')
  const model = slugOf(
    modelOf(fields, ['model', 'slug', 'model_permaslug'], 'Group the export by model.'),
  )
  const names = ['provider_name', 'endpoint_id', 'api_key_hash', 'workspace_id']
  return emptyEntry({
    line: fields.line,
    // “2026-05-12 00:00:00” is the day.
    at: typeof at === 'number' ? new Date(at).toISOString().slice(0, 10) : at,
    identity: [at, model, ...names.map((name) => textOf(fields, name))].join('|'),
    model,
    requests: knownCountOf(fields, 'requests'),
    tokens: tokensOf(fields, [''], '_tokens'),
    costs: amount === null ? {} : { all: amount.nanoUsd + ofOwnKey(fields) },
    decimals: amount?.decimals ?? null,
  })
}

/** What the vendor bills for a key of the user's own, beside OpenRouter's fee. In nano-dollars. */
function ofOwnKey(fields: Fields): number {
  return amountOf(fields, ['byok_usage_inference', 'byok_usage'])?.nanoUsd ?? 0
}

/** Permanent names of Claude have the version first: `anthropic/claude-4.5-sonnet-20250929` is `anthropic/claude-sonnet-4.5`. */
function slugOf(model: string): string {
  return model.replace(
    /^(anthropic\/claude)-(\d+(?:\.\d+)?)-(opus|sonnet|haiku)(?=-\d{8}|:|$)/,
    '$1-$3-$2',
  )
}

/** `openai/gpt-4o` with the variant `free` is `openai/gpt-4o:free`. */
function modelWithVariant(fields: Fields): string {
  const model = slugOf(modelOf(fields, ['model', 'model_permaslug'], 'Export all columns.'))
  const variant = textOf(fields, 'variant')
  return variant === null || variant === 'standard' || model.includes(':')
    ? model
    : `${model}:${variant}`
}

/** The first of the forms of the names that has a prompt's tokens. */
function tokensOf(fields: Fields, before: readonly string[], after: string) {
  const start =
    before.find((one) => knownCountOf(fields, `${one}prompt${after}`) !== null) ?? before[0]
  const count = (name: string) => countOf(fields, `${start}${name}${after}`)
  const prompt = count('prompt')
  const cacheRead = Math.min(prompt, count('cached'))
  const output = count('completion')
  const reasoning = count('reasoning')
  return { input: prompt - cacheRead, cacheRead, output, reasoning }
}
