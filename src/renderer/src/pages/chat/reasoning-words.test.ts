import { expect, test } from 'vitest'
import { reasoningWords } from './reasoning-words.ts'

const tokens = { input: 100, cacheRead: null, cacheWrite: null, output: 500, reasoning: 1_500 }
const price = {
  inputUsdPerMtok: 1,
  outputUsdPerMtok: 4,
  cacheReadUsdPerMtok: null,
  cacheWriteUsdPerMtok: null,
  source: 'user',
  asOf: null,
}

test('reasoning has its tokens and its share of what the answer cost', () => {
  const words = reasoningWords([{ record: { costNanoUsd: 8_100_000 }, detail: { tokens, price } }])

  expect(words).toBe('1,500 tokens · $0.006, 74 % of the cost')
})

test('reasoning of a free answer has its tokens only, and uncounted reasoning no figure', () => {
  const record = { costNanoUsd: 0 }
  expect(reasoningWords([{ record, detail: { tokens, price } }])).toBe('1,500 tokens')
  const uncounted = { ...tokens, reasoning: null }
  expect(reasoningWords([{ record, detail: { tokens: uncounted, price } }])).toBe('')
})

test('an answer with calls of tools has the reasoning of all its requests', () => {
  const request = { record: { costNanoUsd: 8_000_000 }, detail: { tokens, price } }
  expect(reasoningWords([request, request])).toBe('3,000 tokens · $0.012, 75 % of the cost')
  const uncounted = { ...request, detail: { tokens: { ...tokens, reasoning: null }, price } }
  expect(reasoningWords([request, uncounted])).toBe('')
})
