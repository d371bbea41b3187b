import { expect, test } from 'vitest'
import { billedTokens, tokenClasses } from './token-classes.ts'

const usage = { prompt_tokens: 1_000, completion_tokens: 100, total_tokens: 1_100 }

test('takes cached tokens out of the input and reasoning out of the output', () => {
  const classes = tokenClasses({
    ...usage,
    prompt_tokens_details: { cached_tokens: 600, cache_write_tokens: 300 },
    completion_tokens_details: { reasoning_tokens: 60 },
  })
  expect(classes).toEqual({
    input: 100,
    cacheRead: 600,
    cacheWrite: 300,
    output: 40,
    reasoning: 60,
  })
})

test('leaves classes that were not reported unknown', () => {
  expect(tokenClasses(usage)).toEqual({
    input: 1_000,
    cacheRead: null,
    cacheWrite: null,
    output: 100,
    reasoning: null,
  })
})

test.each([
  [600, 600, 600],
  [2_000, 2_000, 2_000],
  [0, 1_001, 101],
])('adds up to the wire’s total, whatever the parts are (%d, %d, %d)', (read, write, reasoning) => {
  const { input, cacheRead, cacheWrite, output, ...rest } = tokenClasses({
    ...usage,
    prompt_tokens_details: { cached_tokens: read, cache_write_tokens: write },
    completion_tokens_details: { reasoning_tokens: reasoning },
  })
  expect(Math.min(input, output)).toBeGreaterThanOrEqual(0)
  expect(input + (cacheRead ?? 0) + (cacheWrite ?? 0)).toBe(usage.prompt_tokens)
  expect(output + (rest.reasoning ?? 0)).toBe(usage.completion_tokens)
})

test('bills reasoning as output, and each cached token once', () => {
  const billed = billedTokens({
    ...usage,
    prompt_tokens_details: {
      cached_tokens: 600,
      cache_write_tokens: 300,
      cache_write_1h_tokens: 200,
    },
    completion_tokens_details: { reasoning_tokens: 60 },
  })
  expect(billed).toEqual({
    inputTokens: 100,
    cacheReadTokens: 600,
    cacheWriteTokens: 300,
    cacheWrite1hTokens: 200,
    outputTokens: 100,
  })
})
