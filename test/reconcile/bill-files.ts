/** Bills of the generated requests in each vendor's form. Like `vendor-billing.ts`, it imports nothing of the product. */
import {
  dayBills,
  map,
  totalOf,
  type DayBill,
  type Tokens,
  type VendorRequest,
} from './vendor-billing.ts'

export interface TextFile {
  name: string
  text: string
}

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

const dollars = (nanoUsd: number, digits = 12) => (nanoUsd / 1e9).toFixed(digits)
const seconds = (atMs: number) => atMs / 1000
const pages = (data: unknown[], more: object = {}) =>
  JSON.stringify({ object: 'page', data, has_more: false, next_page: null, ...more }, null, 1)

function spans<Result>(bills: readonly DayBill[], resultsOf: (bill: DayBill) => Result[]) {
  const days = new Map<string, { startMs: number; endMs: number; results: Result[] }>()
  for (const bill of bills) {
    const { startMs, endMs } = bill
    const day = days.get(bill.day) ?? { startMs, endMs, results: [] }
    days.set(bill.day, day)
    day.results.push(...resultsOf(bill))
  }
  return [...days.values()]
}

// ---- OpenAI ----------------------------------------------------------------------------------

function openaiUsage({ tokens, ...bill }: DayBill) {
  return {
    object: 'organization.usage.completions.result',
    input_tokens: totalOf({ ...tokens, output: 0 }),
    input_cached_tokens: tokens.cacheRead,
    input_cache_write_tokens: tokens.write5m,
    output_tokens: tokens.output,
    input_audio_tokens: 0,
    output_audio_tokens: 0,
    num_model_requests: bill.requests,
    project_id: null,
    user_id: null,
    api_key_id: null,
    model: bill.model,
    batch: bill.isBatch,
    service_tier: 'default',
  }
}

const openaiItems = [
  ['input', 'input'],
  ['cacheRead', 'cached input'],
  ['write5m', 'cache write'],
  ['output', 'output'],
] as const

function openaiCosts({ model, isBatch, nanoUsd }: DayBill) {
  return openaiItems
    .filter(([name]) => nanoUsd[name] > 0)
    .map(([name, words]) => ({
      line_item: `${model}, ${isBatch ? 'batch ' : ''}${words}`,
      usd: dollars(nanoUsd[name]),
    }))
}

function openaiPages(requests: readonly VendorRequest[], timeZone: string): TextFile[] {
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
            day.results.map(({ line_item, usd }) => ({
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

function openaiTables(requests: readonly VendorRequest[], timeZone: string): TextFile[] {
  const bills = dayBills(requests, timeZone)
  const times = ({ startMs, endMs }: DayBill) => [
    seconds(startMs),
    seconds(endMs),
    new Date(startMs).toISOString(),
    new Date(endMs).toISOString(),
  ]
  const usage = bills.map((bill) => {
    const row = openaiUsage(bill)
    const batch = String(bill.isBatch).toUpperCase()
    const counts = [row.input_tokens, row.output_tokens, row.input_cached_tokens]
    return [
      ...times(bill),
      'proj_1',
      `${bill.requests}.0`,
      'user-1',
      'key_1',
      bill.model,
      batch,
      'default',
      ...counts.map((count) => `${count}.0`),
      `${row.input_cache_write_tokens}.0`,
    ].join(',')
  })
  const costs = bills.flatMap((bill) =>
    openaiCosts(bill).map(({ line_item, usd }) =>
      [...times(bill), usd, 'usd', `"${line_item}"`, 'proj_1', 'org-1', '"Acme, Inc."'].join(','),
    ),
  )
  const time = 'start_time,end_time,start_time_iso,end_time_iso'
  return [
    {
      name: 'completions_usage.csv',
      text: `${time},project_id,num_model_requests,user_id,api_key_id,model,batch,service_tier,input_tokens,output_tokens,input_cached_tokens,input_cache_write_tokens\r\n${usage.join('\r\n')}\r\n`,
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

function anthropicReports(requests: readonly VendorRequest[], timeZone: string): TextFile[] {
  const bills = dayBills(requests, timeZone)
  const bucket = (day: { startMs: number; endMs: number }, results: unknown[]) => ({
    starting_at: new Date(day.startMs).toISOString(),
    ending_at: new Date(day.endMs).toISOString(),
    results,
  })
  const usage = spans(bills, ({ tokens, model, isBatch }) => [
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
      service_tier: isBatch ? 'batch' : 'standard',
      context_window: '0-200k',
    },
  ])
  const costs = spans(bills, ({ model, isBatch, nanoUsd }) =>
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
        service_tier: isBatch ? 'batch' : 'standard',
        token_type: type,
      })),
  )
  const search = {
    currency: 'USD',
    amount: `${searchesPerDay}.0`,
    description: 'Web Search Usage',
    cost_type: 'web_search',
    model: null,
    service_tier: null,
    token_type: null,
  }
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

function anthropicTables(requests: readonly VendorRequest[], timeZone: string): TextFile[] {
  const bills = dayBills(requests, timeZone)
  const usage = bills.map(({ day, model, isBatch, tokens }) =>
    [
      day,
      model,
      '"Build, test"',
      'Default',
      isBatch ? 'batch' : 'standard',
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
  const costs = bills.flatMap(({ day, model, isBatch, nanoUsd }) =>
    anthropicTypes
      .filter(([name]) => nanoUsd[name] > 0)
      .map(([name, , type]) => {
        const usd = dollars(nanoUsd[name], 2)
        const kind = isBatch ? 'batch' : 'message'
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

// ---- OpenRouter ------------------------------------------------------------------------------

function openrouterTable(requests: readonly VendorRequest[]): TextFile[] {
  const rows = requests.map(({ endMs, model, tokens, nanoUsd }, index) =>
    [
      `gen-${index}`,
      new Date(endMs).toISOString().replace('T', ' ').replace('Z', ''),
      dollars(totalOf(nanoUsd)),
      0,
      0,
      0,
      0,
      totalOf({ ...tokens, output: 0 }),
      tokens.output,
      0,
      tokens.cacheRead,
      model.billed,
      'Acme',
      '',
    ].join(','),
  )
  return [
    {
      name: 'openrouter_activity.csv',
      text: `generation_id,created_at,cost_total,cost_web_search,cost_cache,cost_file_processing,byok_usage_inference,tokens_prompt,tokens_completion,tokens_reasoning,tokens_cached,model_permaslug,provider_name,variant\n${rows.join('\n')}\n`,
    },
  ]
}

function openrouterGenerations(requests: readonly VendorRequest[]): TextFile[] {
  const lines = requests.map(({ endMs, model, tokens, nanoUsd }, index) =>
    JSON.stringify({
      data: {
        id: `gen-${index}`,
        total_cost: totalOf(nanoUsd) / 1e9,
        created_at: new Date(endMs).toISOString().replace('Z', '+00:00'),
        model: model.billed,
        tokens_prompt: 1,
        tokens_completion: 1,
        native_tokens_prompt: totalOf({ ...tokens, output: 0 }),
        native_tokens_completion: tokens.output,
        native_tokens_cached: tokens.cacheRead,
        native_tokens_reasoning: 0,
      },
    }),
  )
  return [{ name: 'generations.jsonl', text: lines.join('\n') }]
}

// ---- Google ----------------------------------------------------------------------------------

const googleSkus = [
  ['input', 'input token count', 'short input text'],
  ['cacheRead', 'cached input token count', 'text'],
  ['output', 'output token count', 'short output text'],
] as const

function googleRows(requests: readonly VendorRequest[], timeZone: string) {
  return dayBills(requests, timeZone).flatMap((bill) =>
    googleSkus
      .filter(([name]) => bill.tokens[name] > 0)
      .map(([name, words, end]) => ({
        sku: `Generate content ${words} ${bill.model} ${end}${bill.isBatch ? ' batch' : ''}`,
        startMs: bill.startMs,
        endMs: bill.endMs,
        tokens: bill.tokens[name],
        // In another currency, with its rate.
        cost: (bill.nanoUsd[name] / 1e9) * 0.9,
        credit: 0,
      })),
  )
}

const utc = (atMs: number) => `${new Date(atMs).toISOString().slice(0, 19).replace('T', ' ')} UTC`

function googleLines(requests: readonly VendorRequest[], timeZone: string): TextFile[] {
  const rows = googleRows(requests, timeZone).map((row) =>
    JSON.stringify({
      billing_account_id: '0',
      service: { id: '1', description: 'Gemini API' },
      sku: { id: '2', description: row.sku },
      usage_start_time: utc(row.startMs),
      usage_end_time: utc(row.endMs),
      cost: row.cost,
      currency: 'EUR',
      currency_conversion_rate: 0.9,
      usage: { amount: row.tokens, unit: 'count' },
      credits: [],
    }),
  )
  const other = { service: { description: 'Cloud Storage' }, sku: { description: 'Standard' } }
  const last = { ...other, usage_start_time: utc(0), cost: 3, currency: 'EUR' }
  return [{ name: 'billing.jsonl', text: [...rows, JSON.stringify(last)].join('\n') }]
}

function googleTable(requests: readonly VendorRequest[], timeZone: string): TextFile[] {
  const rows = googleRows(requests, timeZone).map((row) =>
    [
      'Gemini API',
      row.sku,
      utc(row.startMs),
      utc(row.endMs),
      row.tokens,
      'count',
      (row.cost / 0.9).toFixed(9),
      'USD',
    ].join(','),
  )
  return [
    {
      name: 'billing.csv',
      text: `service.description,sku.description,usage_start_time,usage_end_time,usage.amount,usage.unit,cost,currency\n${rows.join('\n')}\n`,
    },
  ]
}

// ---- our own ---------------------------------------------------------------------------------

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
