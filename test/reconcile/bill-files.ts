/** Bills of the generated requests in each vendor's form. Like `vendor-billing.ts`, it imports nothing of the product. */
import type { TextFile } from './bill-text.ts'
import {
  anthropicReports,
  anthropicTables,
  openaiPages,
  openaiTables,
} from './openai-and-anthropic-bills.ts'
import {
  googleLines,
  googleTable,
  openrouterGenerations,
  openrouterTable,
} from './openrouter-and-google-bills.ts'
import { dayBills, map, totalOf, type VendorRequest } from './vendor-billing.ts'

export interface BillForm {
  name: string
  providerType: string
  hasWrites: boolean
  hasHourlyWrites: boolean
  /** Whether the form has costs of tools beside those of tokens. */
  hasTools: boolean
  hasBatches: boolean
  write: (requests: readonly VendorRequest[], timeZone: string) => TextFile[]
  billed: (name: string) => string
}

function ownTable(requests: readonly VendorRequest[], timeZone: string): TextFile[] {
  const rows = dayBills(requests, timeZone).map(({ day, model, isBatch, tokens, ...bill }) =>
    [
      day,
      model,
      bill.requests,
      tokens.input.toLocaleString('en-US'),
      tokens.cacheRead,
      tokens.write5m,
      tokens.write1h,
      tokens.output,
      `$${(totalOf(bill.nanoUsd) / 1e9).toLocaleString('en-US', { minimumFractionDigits: 6 })}`,
      isBatch ? 'batch' : 'standard',
    ]
      .map((cell) => `"${cell}"`)
      .join(';'),
  )
  return [
    {
      name: 'bill.csv',
      text: `date;model;requests;input_tokens;cache_read_tokens;cache_write_tokens;cache_write_1h_tokens;output_tokens;cost_usd;tier\r\n${rows.join('\r\n')}\r\n`,
    },
  ]
}

const base = { hasWrites: false, hasHourlyWrites: false, hasTools: false, hasBatches: true }
const writes = { ...base, hasWrites: true, hasHourlyWrites: true }

export const billForms: readonly BillForm[] = [
  {
    ...base,
    hasWrites: true,
    name: 'OpenAI API pages',
    providerType: 'openai',
    write: openaiPages,
    billed: (name) => `${name}-2026-04-23`,
  },
  {
    ...base,
    hasWrites: true,
    name: 'OpenAI CSV',
    providerType: 'openai',
    write: openaiTables,
    billed: (name) => `${name}-2026-04-23`,
  },
  {
    ...writes,
    hasTools: true,
    name: 'Anthropic reports',
    providerType: 'anthropic',
    write: anthropicReports,
    billed: (name) => `${name}-20250929`,
  },
  {
    ...writes,
    hasTools: true,
    name: 'Anthropic Console CSV',
    providerType: 'anthropic',
    write: anthropicTables,
    billed: (name) => `${name}-20250929`,
  },
  {
    ...base,
    hasBatches: false,
    name: 'OpenRouter CSV',
    providerType: 'openrouter',
    write: openrouterTable,
    billed: (name) => `${name}-20260411`,
  },
  {
    ...base,
    hasBatches: false,
    name: 'OpenRouter generations',
    providerType: 'openrouter',
    write: openrouterGenerations,
    billed: (name) => name,
  },
  {
    ...base,
    name: 'Google JSON lines',
    providerType: 'google',
    write: googleLines,
    billed: (name) => name.replaceAll('-', ' '),
  },
  {
    ...base,
    name: 'Google CSV',
    providerType: 'google',
    write: googleTable,
    billed: (name) => name.replaceAll('-', ' '),
  },
  { ...writes, name: 'own CSV', providerType: 'mistral', write: ownTable, billed: (name) => name },
]

/** The same bill with another cost of one model on one day. */
export function overbilled(
  requests: readonly VendorRequest[],
  isMeant: (request: VendorRequest) => boolean,
  factor: number,
): VendorRequest[] {
  return requests.map((request) =>
    isMeant(request)
      ? { ...request, nanoUsd: map((name) => request.nanoUsd[name] * factor) }
      : request,
  )
}
