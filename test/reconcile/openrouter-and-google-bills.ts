/** Generated bills in the forms of OpenRouter and Google. */
import { dollars, type TextFile } from './bill-text.ts'
import { dayBills, totalOf, type VendorRequest } from './vendor-billing.ts'

// ---- OpenRouter ------------------------------------------------------------------------------

export function openrouterTable(requests: readonly VendorRequest[]): TextFile[] {
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

export function openrouterGenerations(requests: readonly VendorRequest[]): TextFile[] {
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

export function googleLines(requests: readonly VendorRequest[], timeZone: string): TextFile[] {
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

export function googleTable(requests: readonly VendorRequest[], timeZone: string): TextFile[] {
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
