/** Generated bills in the forms of OpenRouter and Google. */
import { dollars, spans, type TextFile } from './bill-text.ts'
import { dayBills, totalOf, wholeCost, type VendorRequest } from './vendor-billing.ts'

// ---- OpenRouter ------------------------------------------------------------------------------

export function openrouterTable(requests: readonly VendorRequest[]): TextFile[] {
  const rows = requests.map(({ endMs, model, tokens, reasoning, ...request }, index) =>
    [
      `gen-${index}`,
      new Date(endMs).toISOString().replace('T', ' ').replace('Z', ''),
      dollars(wholeCost(request)),
      0,
      0,
      0,
      0,
      totalOf({ ...tokens, output: 0 }),
      tokens.output,
      reasoning,
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
  const lines = requests.map(({ endMs, model, tokens, reasoning, ...request }, index) =>
    JSON.stringify({
      data: {
        id: `gen-${index}`,
        total_cost: wholeCost(request) / 1e9,
        created_at: new Date(endMs).toISOString().replace('Z', '+00:00'),
        model: model.billed,
        tokens_prompt: 1,
        tokens_completion: 1,
        native_tokens_prompt: totalOf({ ...tokens, output: 0 }),
        native_tokens_completion: tokens.output,
        native_tokens_cached: tokens.cacheRead,
        native_tokens_reasoning: reasoning,
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

function googleRows(
  requests: readonly VendorRequest[],
  { timeZone, creditNanoUsd }: { timeZone: string; creditNanoUsd: number },
) {
  return spans(dayBills(requests, timeZone), ({ model, tier, tokens, nanoUsd, audio, image }) => {
    const end = tier === 'standard' ? '' : ` ${tier}`
    const counted = {
      ...tokens,
      input: tokens.input - audio.tokens,
      output: tokens.output - image.tokens,
    }
    const skus = [
      ...googleSkus.map(([name, words, last]) => ({
        words: `${words} ${model} ${last}`,
        tokens: counted[name],
        nanoUsd: nanoUsd[name],
      })),
      { words: `input token count ${model} short input audio`, ...audio },
      { words: `output token count ${model} short output image`, ...image },
    ]
    return skus
      .filter((sku) => sku.tokens > 0)
      .map((sku) => ({
        sku: `Generate content ${sku.words}${end}`,
        tokens: sku.tokens,
        usd: sku.nanoUsd / 1e9,
      }))
  }).flatMap(({ startMs, endMs, results }) =>
    results.map((row, index) => ({
      ...row,
      startMs,
      endMs,
      creditUsd: index === 0 ? -creditNanoUsd / 1e9 : 0,
    })),
  )
}

const utc = (atMs: number) => `${new Date(atMs).toISOString().slice(0, 19).replace('T', ' ')} UTC`

/** Amounts in another currency, with its rate. */
export function googleLines(
  requests: readonly VendorRequest[],
  timeZone: string,
  creditNanoUsd = 0,
): TextFile[] {
  const rate = 0.9
  const rows = googleRows(requests, { timeZone, creditNanoUsd }).map((row) =>
    JSON.stringify({
      billing_account_id: '0',
      service: { id: '1', description: 'Gemini API' },
      sku: { id: '2', description: row.sku },
      usage_start_time: utc(row.startMs),
      usage_end_time: utc(row.endMs),
      cost: row.usd * rate,
      currency: 'EUR',
      currency_conversion_rate: rate,
      usage: { amount: row.tokens, unit: 'count' },
      credits: row.creditUsd === 0 ? [] : [{ name: 'Trial', amount: row.creditUsd * rate }],
    }),
  )
  const other = { service: { description: 'Cloud Storage' }, sku: { description: 'Standard' } }
  const last = { ...other, usage_start_time: utc(0), cost: 3, currency: 'EUR' }
  return [{ name: 'billing.jsonl', text: [...rows, JSON.stringify(last)].join('\n') }]
}

export function googleTable(
  requests: readonly VendorRequest[],
  timeZone: string,
  creditNanoUsd = 0,
): TextFile[] {
  const rows = googleRows(requests, { timeZone, creditNanoUsd }).map((row) =>
    [
      'Gemini API',
      row.sku,
      utc(row.startMs),
      utc(row.endMs),
      row.tokens,
      'count',
      row.usd.toFixed(9),
      'USD',
      row.creditUsd.toFixed(9),
    ].join(','),
  )
  return [
    {
      name: 'billing.csv',
      text: `service.description,sku.description,usage_start_time,usage_end_time,usage.amount,usage.unit,cost,currency,credits.amount\n${rows.join('\n')}\n`,
    },
  ]
}
