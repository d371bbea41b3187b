/** When a price of the bill may be taken over, and what lines are called. */
import { expect, test } from 'vitest'
import type { VendorModel } from './vendor-billing.ts'
import type { Model } from '../../src/shared/entities.ts'
import type { ModelSpan } from '../../src/service/storage/storage.ts'
import { compareSpans, tenRequests, toModel } from './run-reconcile.ts'

const known: VendorModel = {
  name: 'gemini-2.5-pro',
  billed: 'gemini-2.5-pro',
  prices: { input: 1.25, cacheRead: 0.125, write5m: 1.25, write1h: 1.25, output: 10 },
}
const days = ['2026-11-10', '2026-11-11', '2026-11-12']
const tokensOf = (nth: number) => ({
  input: 3_000_000 + nth * 100_000,
  output: 100_000 + nth * 5_000,
})

/** A ledger and a bill of three days. @param usd  the ledger's and the bill's price of a million tokens, in and out */
function compare(
  usd: { ours: [number, number]; theirs: [number, number] },
  more: ModelSpan[] = [],
) {
  const costOf = (nth: number, [input, output]: [number, number]) =>
    (tokensOf(nth).input * input + tokensOf(nth).output * output) / 1e6
  const rows = days.map((day, nth) => {
    const { input, output } = tokensOf(nth)
    return `${day},${known.name},10,${input},${output},${costOf(nth, usd.theirs).toFixed(6)}`
  })
  const text = ['date,model,requests,input_tokens,output_tokens,cost_usd', ...rows].join('\n')
  const spans = [
    ...days.map((day, nth) =>
      tenRequests(day, `vendor:${known.name}`, { ...tokensOf(nth), usd: costOf(nth, usd.ours) }),
    ),
    ...more,
  ]
  const model: Model = {
    ...toModel(known),
    priceTiers: [
      { ...toModel(known), fromPromptTokens: 200_001, inputUsdPerMtok: 2.5, outputUsdPerMtok: 15 },
    ],
  }
  return compareSpans([{ name: 'own.csv', text }], spans, { models: [model] })
}

test('a listed price that rose can be corrected; one of long prompts cannot', async () => {
  const listed = await compare({ ours: [1.25, 10], theirs: [1.375, 11] })
  expect(listed.prices).toMatchObject([{ inputUsdPerMtok: 1.375, outputUsdPerMtok: 11 }])

  const long = await compare({ ours: [2.5, 15], theirs: [2.75, 16.5] })
  expect(long.lines[0]?.causes).toMatchObject([{ kind: 'price' }])
  expect(long.prices).toEqual([])
})

test('a model that is no longer in Modelport keeps its name', async () => {
  const gone = ['gone-a', 'gone-b'].map((name) =>
    tenRequests(days[0] ?? '', `vendor:${name}`, { input: 1, output: 1, usd: 1 }),
  )
  const { lines } = await compare({ ours: [1.25, 10], theirs: [1.25, 10] }, gone)
  expect(lines.map(({ model }) => model)).toEqual(expect.arrayContaining(['gone-a', 'gone-b']))
})
