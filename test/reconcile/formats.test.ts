/** Bills as people get them: each vendor's documented example, and what spreadsheets do to tables. */
import { describe, expect, it } from 'vitest'
import { readAndSum } from '../../src/service/reconcile/reconcile-task.ts'

function read(text: string | Uint8Array, timeZone = 'UTC') {
  const bytes = typeof text === 'string' ? new TextEncoder().encode(text) : text
  return readAndSum([{ name: 'bill', bytes }], timeZone)
}

function readAll(texts: readonly string[]) {
  const files = texts.map((text, index) => ({
    name: `bill-${index}`,
    bytes: new TextEncoder().encode(text),
  }))
  return readAndSum(files, 'UTC')
}

const own = (rows: string) => `date,model,input_tokens,output_tokens,cost_usd\n${rows}\n`

describe('vendors’ examples', () => {
  it('reads OpenAI’s costs by line item, also of audio, images and tools', () => {
    const item = (line_item: string | null, value: number | string) => ({
      object: 'organization.costs.result',
      amount: { value, currency: 'usd' },
      line_item,
    })
    const results = [
      item('gpt-5-2025-08-07, input', 1.5),
      item('o3-mini, cached input', '0.25'),
      item('gpt-image-1 image, output', 2),
      item('gpt-4o-audio-preview audio, input', 3),
      item('web search tool calls', 0.5),
      item('gpt-4o', 4),
      item(null, 9),
    ]
    const bucket = { object: 'bucket', start_time: 1_793_491_200, end_time: 1_793_577_600, results }
    const { theirs, problems } = read(JSON.stringify({ object: 'page', data: [bucket] }))
    expect(theirs.sums.map(({ day, name, costs }) => [day, name, costs])).toEqual([
      ['2026-11-01', 'gpt-5-2025-08-07', { input: 1.5e9 }],
      ['2026-11-01', 'o3-mini', { cacheRead: 0.25e9 }],
      ['2026-11-01', 'gpt-image-1', { image: 2e9 }],
      ['2026-11-01', 'gpt-4o-audio-preview', { audio: 3e9 }],
      ['2026-11-01', null, { webSearch: 0.5e9 }],
      ['2026-11-01', 'gpt-4o', { all: 4e9 }],
    ])
    expect(problems).toEqual([
      {
        file: 'bill',
        line: 1,
        reason: 'The row names no model. Group the costs by line item.',
      },
    ])
  })

  it('reads Anthropic’s amounts as cents, and both times of cache writes', () => {
    const usage = {
      uncached_input_tokens: 1500,
      cache_creation: { ephemeral_1h_input_tokens: 1000, ephemeral_5m_input_tokens: 500 },
      cache_read_input_tokens: 200,
      output_tokens: 500,
      model: 'claude-sonnet-4-20250514',
      service_tier: 'standard',
    }
    const cost = {
      amount: '123.45',
      currency: 'USD',
      cost_type: 'tokens',
      token_type: 'cache_creation.ephemeral_1h_input_tokens',
      model: 'claude-sonnet-4-20250514',
      service_tier: 'standard',
    }
    const page = (result: object) =>
      JSON.stringify({
        data: [
          {
            starting_at: '2026-11-01T00:00:00Z',
            ending_at: '2026-11-02T00:00:00Z',
            results: [result],
          },
        ],
        has_more: false,
        next_page: null,
      })
    const { theirs } = readAll([page(usage), page(cost)])
    expect(theirs.sums).toMatchObject([
      {
        tokens: { input: 1500, cacheRead: 200, cacheWrite: 500, cacheWrite1h: 1000, output: 500 },
        costs: { cacheWrite1h: 1.2345e9 },
      },
    ])
  })

  it('reads OpenRouter’s export by day and its generations', () => {
    const byDay = `Date,Slug,Usage,BYOK Usage,Requests,Prompt Tokens,Completion Tokens,Reasoning Tokens
"2026-11-12 00:00:00","anthropic/claude-opus-4.7","430.07","0","4115","70965665","3009973","0"`
    const generation = JSON.stringify({
      data: {
        id: 'gen-1',
        total_cost: 0.0015,
        created_at: '2026-11-15T23:33:19.433273+00:00',
        model: 'sao10k/l3-stheno-8b',
        native_tokens_prompt: 10,
        native_tokens_completion: 25,
        native_tokens_reasoning: 5,
        native_tokens_cached: 3,
        tokens_prompt: 11,
      },
    })
    const { theirs, duplicates } = readAll([byDay, generation, generation])
    expect(theirs.sums).toMatchObject([
      { day: '2026-11-12', requests: 4115, costs: { all: 430.07e9 } },
      {
        day: '2026-11-15',
        requests: 1,
        tokens: { input: 7, cacheRead: 3, output: 25, reasoning: 5 },
        costs: { all: 1.5e6 },
      },
    ])
    expect(duplicates).toBe(1)
  })

  it.each([
    [
      'Generate content input token count gemini 2.5 flash short input text',
      'gemini-2.5-flash',
      'input',
      'standard',
    ],
    [
      'Generate content cached input token count gemini 3.6 flash text',
      'gemini-3.6-flash',
      'cacheRead',
      'standard',
    ],
    [
      'Generate content input token count gemini 3.7 flash image flex caching',
      'gemini-3.7-flash',
      'cacheRead',
      'flex',
    ],
    [
      'Generate content output token count gemini 3.1 flash lite preview text',
      'gemini-3.1-flash-lite-preview',
      'output',
      'standard',
    ],
    ['Gemini 2.5 Pro Thinking Text Output - Predictions', 'gemini-2.5-pro', 'output', 'standard'],
  ] as const)('reads Google’s SKU “%s”', (sku, name, token, tier) => {
    const row = {
      service: { description: 'Gemini API' },
      sku: { description: sku },
      usage_start_time: '2026-11-01 07:00:00 UTC',
      usage_end_time: '2026-11-01 08:00:00 UTC',
      cost: 0.9,
      currency: 'EUR',
      currency_conversion_rate: 0.9,
      usage: { amount: 1000, unit: 'count' },
      credits: [{ name: 'Free trial', amount: -0.45 }],
    }
    const { theirs } = read(JSON.stringify(row))
    expect(theirs.sums).toMatchObject([
      { name, tier, tokens: { [token]: 1000 }, costs: { [token]: 1e9 } },
      { name: null, costs: { credit: -0.5e9 } },
    ])
  })
})

describe('tables', () => {
  it('has a byte order mark, CRLF, quoted separators and line breaks, and thousands separators', () => {
    const text =
      '\uFEFFDate,Model,Note,Input Tokens,Output Tokens,Cost USD\r\n' +
      '2026-11-01,m,"a, ""b""\r\nc","1,234,567",10,"$1,234.50"\r\n' +
      '2026-11-02,m,,1,2,x\r\n'
    const { theirs, problems } = read(text)
    expect(theirs.sums).toMatchObject([
      { day: '2026-11-01', tokens: { input: 1_234_567 }, costs: { all: 1234.5e9 } },
    ])
    expect(problems).toEqual([
      { file: 'bill', line: 4, reason: '"cost_usd" is "x", which is no amount in dollars.' },
    ])
  })

  it('may be UTF-16, as spreadsheets save it', () => {
    const text = own('2026-11-01,m,1,2,3')
    const bytes = Buffer.concat([Buffer.from([0xff, 0xfe]), Buffer.from(text, 'utf16le')])
    expect(read(bytes).theirs.sums).toMatchObject([{ tokens: { input: 1, output: 2 } }])
  })

  it.each([
    ['1.234,50', '"cost_usd" is "1.234,50". Export numbers with a point before decimals.'],
    ['12 EUR', '"cost_usd" is "12 EUR", which is no amount in dollars.'],
    ['Infinity', '"cost_usd" is "Infinity", which is no amount in dollars.'],
  ])('refuses the amount %s', (amount, reason) => {
    expect(read(own(`2026-11-01,m,1,2,"${amount}"`)).problems).toMatchObject([{ line: 2, reason }])
  })

  it('refuses other currencies, rows without a model and days that do not exist', () => {
    const text = `date,model,cost_usd,currency
2026-11-01,m,1,EUR
2026-11-01,,1,USD
2026-02-30,m,1,USD
2026-11-01,m,1
`
    const reasons = read(text).problems.map(({ line, reason }) => `${line}: ${reason}`)
    expect(reasons).toEqual([
      '2: The amount is in "EUR". Modelport compares US dollars; export the bill in them.',
      '3: The row names no model. Fill in the column "model".',
      '4: "date" is "2026-02-30", which is no day.',
      '5: The row has 3 columns, and the header has 4.',
    ])
  })

  it.each(['01.11.2026', '11/1/2026', '2026/11/01', '2026-11-1', '1 Nov 2026'])(
    'refuses the day %s, which may be another one',
    (day) => {
      expect(read(own(`${day},m,1,2,3`)).problems).toEqual([
        { file: 'bill', line: 2, reason: `"date" is "${day}". Write days as 2026-11-01.` },
      ])
    },
  )

  it('adds what the vendor billed for the user’s own key at OpenRouter, and names Claude as the catalogue does', () => {
    const header =
      'generation_id,created_at,cost_total,byok_usage_inference,tokens_prompt,tokens_completion,model_permaslug,variant'
    const row =
      'gen-1,2026-11-10 10:00:00.000,0.1125,2.25,100,10,anthropic/claude-4.5-sonnet-20250929,'
    expect(read(`${header}\n${row}\n`).theirs.sums).toMatchObject([
      { name: 'anthropic/claude-sonnet-4.5-20250929', costs: { all: 2.3625e9 } },
    ])
    const activity = {
      date: '2026-11-10',
      model: 'openai/gpt-5',
      model_permaslug: 'openai/gpt-5-2025-08-07',
      usage: 0,
      byok_usage_inference: 2.25,
      requests: 1,
      prompt_tokens: 100,
      completion_tokens: 10,
      reasoning_tokens: 0,
    }
    expect(read(JSON.stringify({ data: [activity] })).theirs.sums).toMatchObject([
      { name: 'openai/gpt-5', costs: { all: 2.25e9 } },
    ])
  })

  it('takes a negative amount as a credit', () => {
    expect(read(own('2026-11-01,,,,-5')).theirs.sums).toMatchObject([
      { name: null, costs: { credit: -5e9 } },
    ])
  })

  it('counts a file that is given twice once', () => {
    const text = own('2026-11-01,m,1,2,3\n2026-11-01,m,1,2,3')
    const { theirs, duplicates } = readAll([text, text])
    expect(duplicates).toBe(2)
    expect(theirs.sums).toMatchObject([{ costs: { all: 6e9 } }])
  })
})

describe('time zones', () => {
  it('lists spans that cover two days of the chosen zone', () => {
    const bucket = {
      start_time: 1_793_491_200,
      end_time: 1_793_577_600,
      results: [{ object: 'organization.usage.completions.result', input_tokens: 1, model: 'm' }],
    }
    const text = JSON.stringify({ data: [bucket] })
    expect(read(text).problems).toEqual([])
    expect(read(text, 'Asia/Tokyo').problems).toMatchObject([
      { reason: expect.stringContaining('several days in Asia/Tokyo') },
    ])
  })

  it('gives moments to the days of the zone, on the days when clocks change', () => {
    const rows = ['2026-11-01T06:59:00Z', '2026-11-01T07:00:00Z', '2026-11-02T07:59:00Z']
    const text = `time,model,cost_usd\n${rows.map((time) => `${time},m,1`).join('\n')}\n`
    const days = read(text, 'America/Los_Angeles').theirs.sums.map(({ day, costs }) => [
      day,
      costs.all,
    ])
    expect(days).toEqual([
      ['2026-10-31', 1e9],
      ['2026-11-01', 2e9],
    ])
  })
})
