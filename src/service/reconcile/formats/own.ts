/**
 * Modelport's own CSV, for vendors without a reader: docs/reconcile.md. Needed are `date` or `time` and `model`; any of
 * `cost_usd`, `requests`, `input_tokens` (without cached ones), `cache_read_tokens`, `cache_write_tokens`,
 * `cache_write_1h_tokens`, `output_tokens`, `tier` and `id`.
 */
import { billTiers } from '../../../shared/requests/reconciliation.ts'
import { BillUnreadable, emptyEntry, readEach, type BillEntry, type BillFormat } from '../bill.ts'
import {
  amountOf,
  countOf,
  knownCountOf,
  modelOf,
  requireUsd,
  tableRow,
  textOf,
  timeOf,
  type Fields,
} from '../fields.ts'

const figures = ['cost_usd', 'input_tokens', 'output_tokens']

export const ownCsv: BillFormat = {
  name: 'Modelport CSV',
  types: [],
  fits: ({ table }) =>
    table !== null &&
    table.header.includes('model') &&
    (table.header.includes('date') || table.header.includes('time')) &&
    figures.some((name) => table.header.includes(name)),
  read: ({ table }) =>
    readEach(table?.rows ?? [], ({ line, cells }) => ({
      ...entryOf(tableRow(table?.header ?? [], { line, cells })),
      identity: cells.join('|'),
    })),
}

function entryOf(fields: Fields): BillEntry {
  const amount = amountOf(fields, ['cost_usd'])
  requireUsd(fields, 'currency')
  const isCredit = amount !== null && amount.nanoUsd < 0
  const tier = textOf(fields, 'tier') ?? 'standard'
  const known = billTiers.find((one) => one === tier)
  if (known === undefined) {
    throw new BillUnreadable(`"tier" is "${tier.slice(0, 60)}". Use ${billTiers.join(', ')}.`)
  }
  return emptyEntry({
    line: fields.line,
    at: timeOf(fields, 'date', 'time'),
    identity: '',
    isNumbered: textOf(fields, 'id') !== null,
    model: isCredit ? null : modelOf(fields, ['model'], 'Fill in the column "model".'),
    tier: known,
    requests: knownCountOf(fields, 'requests'),
    tokens: tokensOf(fields),
    costs: amount === null ? {} : { [isCredit ? 'credit' : 'all']: amount.nanoUsd },
    decimals: amount?.decimals ?? null,
  })
}

/** None where the row has no count at all: it then has only a cost. */
function tokensOf(fields: Fields): BillEntry['tokens'] {
  const names = ['input', 'cache_read', 'cache_write', 'cache_write_1h', 'output']
  const isCounted = names.some((name) => knownCountOf(fields, `${name}_tokens`) !== null)
  if (!isCounted) return {}
  return {
    input: countOf(fields, 'input_tokens'),
    cacheRead: countOf(fields, 'cache_read_tokens'),
    cacheWrite: countOf(fields, 'cache_write_tokens'),
    cacheWrite1h: countOf(fields, 'cache_write_1h_tokens'),
    output: countOf(fields, 'output_tokens'),
  }
}
