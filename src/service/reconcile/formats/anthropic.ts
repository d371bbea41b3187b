/**
 * Anthropic's usage and cost reports as JSON, and the Console's two exports as CSV. All days are UTC. Sources, read
 * 2026-11-28:
 * - platform.claude.com/docs/en/api/admin/usage_report/retrieve_messages and …/cost_report/retrieve: `amount` is in cents,
 *   as a decimal text. Costs of priority tier are not in the cost report.
 * - The Console's exports, as people published them: tokens with `usage_date_utc`, `model_version`, `usage_type`,
 *   `usage_input_tokens_no_cache`, `…_cache_write_5m`, `…_cache_write_1h`, `…_cache_read`, `usage_output_tokens`,
 *   `web_search_count`; costs with `model` (“Claude Haiku 4.5”), `token_type` (`input_no_cache`, `input_cache_read`,
 *   `input_cache_write_5m`, `input_cache_write_1h`, `output`), `cost_usd` and `cost_type`.
 */
import type { BillClass, BillTier } from '../../../shared/requests/reconciliation.ts'
import { BillUnreadable, emptyEntry, readEach, type BillEntry, type BillFormat } from '../bill.ts'
import {
  amountOf,
  countOf,
  jsonRow,
  modelOf,
  requireUsd,
  tableRow,
  textOf,
  timeOf,
  type Fields,
} from '../fields.ts'
import { bucketsOf, isPage } from '../pages.ts'

const types = ['anthropic']

export const anthropicReports: BillFormat = {
  name: 'Anthropic usage and cost report',
  types,
  fits: ({ values }) => isPage(values, ({ starting_at }) => typeof starting_at === 'string'),
  read({ values }) {
    const rows = bucketsOf(values ?? []).flatMap(({ line, bucket, results }) =>
      results.map((value) => ({ line, bucket, fields: jsonRow(line, value) })),
    )
    return readEach(rows, ({ bucket, fields }) => {
      const at = timeOf(bucket, 'starting_at')
      const until = timeOf(bucket, 'ending_at')
      const entry = fields.get('amount') === undefined ? usageOf(fields) : costOf(fields)
      if (entry === null) return null
      const identity = `${at}|${until}|${entry.identity}`
      return { ...entry, at, untilMs: typeof until === 'number' ? until : null, identity }
    })
  },
}

export const anthropicCsv: BillFormat = {
  name: 'Anthropic Console export',
  types,
  fits: ({ table }) =>
    table !== null &&
    table.header.includes('usage_date_utc') &&
    (table.header.includes('cost_usd') || table.header.includes('usage_output_tokens')),
  read({ table }) {
    const header = table?.header ?? []
    const isCost = header.includes('cost_usd')
    return readEach(table?.rows ?? [], (row) => {
      const fields = tableRow(header, row)
      const entry = isCost ? costOfRow(fields) : usageOfRow(fields)
      return entry && { ...entry, identity: row.cells.join('|') }
    })
  },
}

const groups = [
  'api_key_id',
  'workspace_id',
  'model',
  'service_tier',
  'context_window',
  'inference_geo',
  'speed',
  'cost_type',
  'token_type',
  'description',
]

function entryOf(fields: Fields, rest: Partial<BillEntry>): BillEntry {
  const identity = groups.map((name) => textOf(fields, name)).join('|')
  return emptyEntry({ line: fields.line, at: 0, identity, ...rest })
}

function usageOf(fields: Fields): BillEntry | null {
  const tokens = {
    input: countOf(fields, 'uncached_input_tokens'),
    cacheRead: countOf(fields, 'cache_read_input_tokens'),
    cacheWrite: countOf(fields, 'cache_creation.ephemeral_5m_input_tokens'),
    cacheWrite1h: countOf(fields, 'cache_creation.ephemeral_1h_input_tokens'),
    output: countOf(fields, 'output_tokens'),
  }
  if (Object.values(tokens).every((count) => count === 0)) return null
  const model = modelOf(fields, ['model'], 'Group the report by model.')
  return entryOf(fields, { model, tier: tierOf(textOf(fields, 'service_tier')), tokens })
}

function costOf(fields: Fields): BillEntry | null {
  const amount = amountOf(fields, ['amount'], 0.01)
  if (amount === null) return null
  requireUsd(fields, 'currency')
  const type = textOf(fields, 'cost_type')
  if (type === null && textOf(fields, 'model') === null) {
    throw new BillUnreadable('The cost names no model. Group the report by description.')
  }
  const label = textOf(fields, 'description')
  const { nanoUsd, decimals } = amount
  if (nanoUsd < 0) return entryOf(fields, { costs: { credit: nanoUsd }, decimals, label })
  if (type !== null && type !== 'tokens') {
    return entryOf(fields, { costs: { [toolOf(type)]: nanoUsd }, decimals, label: label ?? type })
  }
  const model = modelOf(fields, ['model'], 'Group the report by description.')
  const name = classOf(textOf(fields, 'token_type'))
  const tier = tierOf(textOf(fields, 'service_tier'))
  return entryOf(fields, { model, tier, costs: { [name]: nanoUsd }, decimals, label })
}

function usageOfRow(fields: Fields): BillEntry | null {
  const tokens = {
    input: countOf(fields, 'usage_input_tokens_no_cache'),
    cacheRead: countOf(fields, 'usage_input_tokens_cache_read'),
    cacheWrite: countOf(
      fields,
      'usage_input_tokens_cache_write_5m',
      'usage_input_tokens_cache_write',
    ),
    cacheWrite1h: countOf(fields, 'usage_input_tokens_cache_write_1h'),
    output: countOf(fields, 'usage_output_tokens'),
  }
  const at = timeOf(fields, 'usage_date_utc')
  if (Object.values(tokens).every((count) => count === 0)) return null
  const model = modelOf(fields, ['model_version'], 'Export the usage of all models.')
  return entryOf(fields, { at, model, tier: tierOf(textOf(fields, 'usage_type')), tokens })
}

function costOfRow(fields: Fields): BillEntry | null {
  const amount = amountOf(fields, ['cost_usd'])
  if (amount === null) return null
  const at = timeOf(fields, 'usage_date_utc')
  const type = textOf(fields, 'cost_type') ?? 'token'
  const { nanoUsd, decimals } = amount
  if (nanoUsd < 0) return entryOf(fields, { at, costs: { credit: nanoUsd }, decimals, label: type })
  if (!type.startsWith('token')) {
    return entryOf(fields, { at, costs: { [toolOf(type)]: nanoUsd }, decimals, label: type })
  }
  const model = idOf(modelOf(fields, ['model'], 'Export the costs of all models.'))
  const name = classOf(textOf(fields, 'token_type'))
  const tier = tierOf(textOf(fields, 'usage_type'))
  return entryOf(fields, { at, model, tier, costs: { [name]: nanoUsd }, decimals, label: null })
}

/** “Claude Sonnet 3.7” as `claude-3-7-sonnet`: since version 4, the family comes first in ids, too. */
function idOf(name: string): string {
  return name.replace(/^Claude (Opus|Sonnet|Haiku) (3(?:\.\d)?)$/i, 'claude-$2-$1')
}

function tierOf(tier: string | null): BillTier {
  if (tier === 'batch') return 'batch'
  if (tier?.startsWith('flex')) return 'flex'
  return tier?.startsWith('priority') ? 'priority' : 'standard'
}

/** Both exports' names: `cache_creation.ephemeral_1h_input_tokens`, `input_cache_write_1h`. */
function classOf(type: string | null): BillClass | 'all' {
  if (type === null) return 'all'
  if (/cache_(creation|write).*1h/.test(type)) return 'cacheWrite1h'
  if (/cache_(creation|write)/.test(type)) return 'cacheWrite'
  if (type.includes('cache_read')) return 'cacheRead'
  if (type.includes('output')) return 'output'
  if (type.includes('input')) return 'input'
  throw new BillUnreadable(`"token_type" is "${type.slice(0, 60)}", which Modelport does not know.`)
}

function toolOf(type: string): BillClass {
  if (type.includes('web_search')) return 'webSearch'
  return type.includes('code_execution') ? 'codeExecution' : 'other'
}
