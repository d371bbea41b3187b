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
import { dayBills, map, totalOf, type Tier, type VendorRequest } from './vendor-billing.ts'

export interface BillForm {
  name: string
  providerType: string
  hasWrites: boolean
  hasHourlyWrites: boolean
  /** Whether the form has costs of tools beside those of tokens. */
  hasTools: boolean
  tiers: readonly Tier[]
  /** Whether it has costs of audio and images. */
  hasParts: boolean
  hasCredits: boolean
  /** Whether it has each request with its moment and its hidden tokens. */
  hasRequests: boolean
  /** @param creditNanoUsd  a credit of each day */
  write: (
    requests: readonly VendorRequest[],
    timeZone: string,
    creditNanoUsd?: number,
  ) => TextFile[]
  billed: (name: string) => string
}

function ownTable(
  requests: readonly VendorRequest[],
  timeZone: string,
  creditNanoUsd = 0,
): TextFile[] {
  const bills = dayBills(requests, timeZone)
  const rows = bills.map(({ day, model, tier, tokens, ...bill }) =>
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
      tier,
    ]
      .map((cell) => `"${cell}"`)
      .join(';'),
  )
  const days = creditNanoUsd === 0 ? [] : new Set(bills.map(({ day }) => day))
  for (const day of days) rows.push(`${day};;;;;;;;-${creditNanoUsd / 1e9};standard`)
  return [
    {
      name: 'bill.csv',
      text: `date;model;requests;input_tokens;cache_read_tokens;cache_write_tokens;cache_write_1h_tokens;output_tokens;cost_usd;tier\r\n${rows.join('\r\n')}\r\n`,
    },
  ]
}

const base = {
  hasWrites: false,
  hasHourlyWrites: false,
  hasTools: false,
  hasParts: false,
  hasCredits: false,
  hasRequests: false,
}

const openai = {
  ...base,
  providerType: 'openai',
  hasWrites: true,
  hasParts: true,
  hasCredits: true,
  tiers: ['batch', 'flex', 'priority'],
  billed: (name: string) => `${name}-2026-04-23`,
} as const

const anthropic = {
  ...base,
  providerType: 'anthropic',
  hasWrites: true,
  hasHourlyWrites: true,
  hasTools: true,
  tiers: ['batch'],
  billed: (name: string) => `${name}-20250929`,
} as const

const openrouter = { ...base, providerType: 'openrouter', hasRequests: true, tiers: [] } as const

const google = {
  ...base,
  providerType: 'google',
  hasParts: true,
  hasCredits: true,
  tiers: ['batch', 'flex', 'priority'],
  billed: (name: string) => name.replaceAll('-', ' '),
} as const

export const billForms: readonly BillForm[] = [
  { ...openai, name: 'OpenAI API pages', write: openaiPages },
  { ...openai, name: 'OpenAI CSV', write: openaiTables },
  { ...anthropic, name: 'Anthropic reports', write: anthropicReports },
  { ...anthropic, name: 'Anthropic Console CSV', write: anthropicTables },
  {
    ...openrouter,
    name: 'OpenRouter CSV',
    write: openrouterTable,
    billed: (name) => `${name}-20260411`,
  },
  {
    ...openrouter,
    name: 'OpenRouter generations',
    write: openrouterGenerations,
    billed: (name) => name,
  },
  { ...google, name: 'Google JSON lines', write: googleLines },
  { ...google, name: 'Google CSV', write: googleTable },
  {
    ...base,
    name: 'own CSV',
    providerType: 'mistral',
    hasWrites: true,
    hasHourlyWrites: true,
    hasCredits: true,
    tiers: ['batch', 'flex', 'priority'],
    write: ownTable,
    billed: (name) => name,
  },
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
