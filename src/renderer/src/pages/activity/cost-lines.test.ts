import { expect, test } from 'vitest'
import type { RequestDetail } from '../../../../shared/requests/detail.ts'
import { costBreakdown, lineText, priceSourceText } from './cost-lines.ts'

const price: NonNullable<RequestDetail['price']> = {
  inputUsdPerMtok: 3,
  outputUsdPerMtok: 15,
  cacheReadUsdPerMtok: 0.3,
  cacheWriteUsdPerMtok: null,
  source: 'example',
  asOf: '2026-09-23',
}
const tokens = { input: 1_000, cacheRead: 2_000, cacheWrite: 100, output: 400, reasoning: 50 }

test('each class of tokens is multiplied by its price, and the sum is the cost', () => {
  const costUsd = 0.003 + 0.0006 + 0.0003 + 0.006 + 0.00075
  const { lines, restUsd } = costBreakdown({ tokens, price }, costUsd)
  expect(lines.map(({ name, usdPerMtok }) => [name, usdPerMtok])).toEqual([
    ['Input', 3],
    ['Read from cache', 0.3],
    ['Written to cache', 3],
    ['Output', 15],
    ['Reasoning', 15],
  ])
  expect(restUsd).toBe(0)
})

test('what other tries cost is a line of its own', () => {
  const { restUsd } = costBreakdown({ tokens: { ...tokens, cacheRead: null }, price }, 0.02)
  expect(restUsd).toBeCloseTo(0.02 - 0.01005, 9)
})

test('without a price the tokens are shown and no cost is invented', () => {
  const [line] = costBreakdown({ tokens, price: null }, 0).lines
  expect(line && lineText(line)).toBe('1,000')
  expect(line?.costUsd).toBeNull()
})

test('the source of a price is named with its date', () => {
  expect(priceSourceText(price)).toBe('Price from example, as of Sep 23, 2026.')
  expect(priceSourceText({ ...price, source: 'user', asOf: null })).toBe('Your own price.')
})
