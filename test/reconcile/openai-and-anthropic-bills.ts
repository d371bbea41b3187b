/** Generated bills in the forms of OpenAI and Anthropic. */
import { dollars, pages, seconds, spans, type TextFile } from './bill-text.ts'
import {
  dayBills,
  totalOf,
  type DayBill,
  type Tokens,
  type VendorRequest,
} from './vendor-billing.ts'

// ---- OpenAI ----------------------------------------------------------------------------------

function openaiUsage({ tokens, ...bill }: DayBill) {
  return {
    object: 'organization.usage.completions.result',
    input_tokens: totalOf({ ...tokens, output: 0 }),
    input_cached_tokens: tokens.cacheRead,
    input_cache_write_tokens: tokens.write5m,
    output_tokens: tokens.output,
    input_audio_tokens: bill.audio.tokens,
    output_audio_tokens: 0,
    output_image_tokens: bill.image.tokens,
    num_model_requests: bill.requests,
    project_id: null,
    user_id: null,
    api_key_id: null,
    model: bill.model,
    batch: bill.tier === 'batch',
    service_tier: bill.tier === 'standard' || bill.tier === 'batch' ? 'default' : bill.tier,
  }
}

const openaiItems = [
  ['input', 'input'],
  ['cacheRead', 'cached input'],
  ['write5m', 'cache write'],
  ['output', 'output'],
] as const

function openaiCosts({ model, tier, nanoUsd, audio, image }: DayBill) {
  const items = [
    ...openaiItems.map(([name, words]) => ({
      line_item: `${model}, ${tier === 'standard' ? '' : `${tier} `}${words}`,
      nanoUsd: nanoUsd[name],
    })),
    { line_item: `${model} audio, input`, nanoUsd: audio.nanoUsd },
    { line_item: `${model} image, output`, nanoUsd: image.nanoUsd },
  ]
  return items
    .filter((item) => item.nanoUsd > 0)
    .map((item) => ({ line_item: item.line_item, usd: dollars(item.nanoUsd) }))
}

/** A day's credit, if the vendor gave one. */
function openaiCredit(creditNanoUsd: number) {
  return creditNanoUsd === 0
    ? []
    : [{ line_item: 'Promotional credit', usd: dollars(-creditNanoUsd) }]
}

export function openaiPages(
  requests: readonly VendorRequest[],
  timeZone: string,
  creditNanoUsd = 0,
): TextFile[] {
  const bills = dayBills(requests, timeZone)
  const bucket = ({ startMs, endMs }: { startMs: number; endMs: number }, results: unknown[]) => ({
    object: 'bucket',
    start_time: seconds(startMs),
    end_time: seconds(endMs),
    results,
  })
  const usage = spans(bills, (bill) => [openaiUsage(bill)])
  const costs = spans(bills, openaiCosts)
  return [
    { name: 'usage.json', text: pages(usage.map((day) => bucket(day, day.results))) },
    {
      name: 'costs.json',
      text: pages(
        costs.map((day) =>
          bucket(
            day,
            [...day.results, ...openaiCredit(creditNanoUsd)].map(({ line_item, usd }) => ({
              object: 'organization.costs.result',
              amount: { value: Number(usd), currency: 'usd' },
              line_item,
              project_id: null,
            })),
          ),
        ),
      ),
    },
  ]
}

export function openaiTables(
  requests: readonly VendorRequest[],
  timeZone: string,
  creditNanoUsd = 0,
): TextFile[] {
  const bills = dayBills(requests, timeZone)
  const times = ({ startMs, endMs }: Pick<DayBill, 'startMs' | 'endMs'>) => [
    seconds(startMs),
    seconds(endMs),
    new Date(startMs).toISOString(),
    new Date(endMs).toISOString(),
  ]
  const usage = bills.map((bill) => {
    const row = openaiUsage(bill)
    const batch = String(row.batch).toUpperCase()
    const counts = [row.input_tokens, row.output_tokens, row.input_cached_tokens]
    return [
      ...times(bill),
      'proj_1',
      `${bill.requests}.0`,
      'user-1',
      'key_1',
      bill.model,
      batch,
      row.service_tier,
      ...counts.map((count) => `${count}.0`),
      `${row.input_cache_write_tokens}.0`,
      `${row.input_audio_tokens}.0`,
      `${row.output_image_tokens}.0`,
    ].join(',')
  })
  const costs = spans(bills, openaiCosts).flatMap((day) =>
    [...day.results, ...openaiCredit(creditNanoUsd)].map(({ line_item, usd }) =>
      [...times(day), usd, 'usd', `"${line_item}"`, 'proj_1', 'org-1', '"Acme, Inc."'].join(','),
    ),
  )
  const time = 'start_time,end_time,start_time_iso,end_time_iso'
  return [
    {
      name: 'completions_usage.csv',
      text: `${time},project_id,num_model_requests,user_id,api_key_id,model,batch,service_tier,input_tokens,output_tokens,input_cached_tokens,input_cache_write_tokens,input_audio_tokens,output_image_tokens\r\n${usage.join('\r\n')}\r\n`,
    },
    {
      name: 'cost.csv',
      text: `\uFEFF${time},amount_value,amount_currency,line_item,project_id,organization_id,organization_name\n${costs.join('\n')}\n`,
    },
  ]
}

// ---- Anthropic -------------------------------------------------------------------------------

const anthropicTypes = [
  ['input', 'uncached_input_tokens', 'input_no_cache'],
  ['cacheRead', 'cache_read_input_tokens', 'input_cache_read'],
  ['write5m', 'cache_creation.ephemeral_5m_input_tokens', 'input_cache_write_5m'],
  ['write1h', 'cache_creation.ephemeral_1h_input_tokens', 'input_cache_write_1h'],
  ['output', 'output_tokens', 'output'],
] as const satisfies readonly (readonly [keyof Tokens, string, string])[]

/** The vendor's tool: a search of $0.01, of which the ledger knows nothing. */
export const searchesPerDay = 7

const search = {
  currency: 'USD',
  amount: `${searchesPerDay}.0`,
  description: 'Web Search Usage',
  cost_type: 'web_search',
  model: null,
  service_tier: null,
  token_type: null,
}

export function anthropicReports(requests: readonly VendorRequest[], timeZone: string): TextFile[] {
  const bills = dayBills(requests, timeZone)
  const bucket = (day: { startMs: number; endMs: number }, results: unknown[]) => ({
    starting_at: new Date(day.startMs).toISOString(),
    ending_at: new Date(day.endMs).toISOString(),
    results,
  })
  const usage = spans(bills, ({ tokens, model, tier }) => [
    {
      uncached_input_tokens: tokens.input,
      cache_read_input_tokens: tokens.cacheRead,
      cache_creation: {
        ephemeral_5m_input_tokens: tokens.write5m,
        ephemeral_1h_input_tokens: tokens.write1h,
      },
      output_tokens: tokens.output,
      server_tool_use: { web_search_requests: 0 },
      api_key_id: null,
      workspace_id: null,
      model,
      service_tier: tier,
      context_window: '0-200k',
    },
  ])
  const costs = spans(bills, ({ model, tier, nanoUsd }) =>
    anthropicTypes
      .filter(([name]) => nanoUsd[name] > 0)
      .map(([name, type]) => ({
        currency: 'USD',
        amount: (nanoUsd[name] / 1e7).toFixed(10),
        workspace_id: null,
        description: `${model} ${type}`,
        cost_type: 'tokens',
        context_window: '0-200k',
        model,
        service_tier: tier,
        token_type: type,
      })),
  )
  return [
    {
      name: 'usage_report.json',
      text: JSON.stringify({ data: usage.map((day) => bucket(day, day.results)), has_more: false }),
    },
    {
      name: 'cost_report.json',
      text: JSON.stringify({
        data: costs.map((day) => bucket(day, [...day.results, search])),
        has_more: false,
      }),
    },
  ]
}

/** `claude-sonnet-4-5-20250929` as the Console writes it: “Claude Sonnet 4.5”. */
function displayName(model: string): string {
  const [, family = '', major = '', minor] = /claude-(\w+)-(\d+)(?:-(\d))?(?=-|$)/.exec(model) ?? []
  const name = family.slice(0, 1).toUpperCase() + family.slice(1)
  return `Claude ${name} ${major}${minor ? `.${minor}` : ''}`
}

export function anthropicTables(requests: readonly VendorRequest[], timeZone: string): TextFile[] {
  const bills = dayBills(requests, timeZone)
  const usage = bills.map(({ day, model, tier, tokens }) =>
    [
      day,
      model,
      '"Build, test"',
      'Default',
      tier,
      '≤ 200k',
      tokens.input,
      tokens.write5m,
      tokens.write1h,
      tokens.cacheRead,
      tokens.output,
      0,
      'global',
      '',
    ].join(','),
  )
  const costs = bills.flatMap(({ day, model, tier, nanoUsd }) =>
    anthropicTypes
      .filter(([name]) => nanoUsd[name] > 0)
      .map(([name, , type]) => {
        const usd = dollars(nanoUsd[name], 2)
        const kind = tier === 'batch' ? 'batch' : 'message'
        return `${day},${displayName(model)},Default,key,${kind},≤ 200k,${type},${usd},${usd},token,global,`
      }),
  )
  const days = [...new Set(bills.map(({ day }) => day))]
  const searches = days.map(
    (day) => `${day},,Default,key,message,,,${(searchesPerDay / 100).toFixed(2)},0.07,web_search,,`,
  )
  return [
    {
      name: 'claude_api_tokens.csv',
      text: `usage_date_utc,model_version,api_key,workspace,usage_type,context_window,usage_input_tokens_no_cache,usage_input_tokens_cache_write_5m,usage_input_tokens_cache_write_1h,usage_input_tokens_cache_read,usage_output_tokens,web_search_count,inference_geo,speed\n${usage.join('\n')}\n`,
    },
    {
      name: 'claude_api_cost.csv',
      text: `usage_date_utc,model,workspace,api_key,usage_type,context_window,token_type,cost_usd,list_price_usd,cost_type,inference_geo,speed\n${[...costs, ...searches].join('\n')}\n`,
    },
  ]
}
