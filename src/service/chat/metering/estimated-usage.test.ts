import { expect, test } from 'vitest'
import { candidate } from '../../../../test/routing/sample-candidates.ts'
import { estimateTokens } from '../admission/request-needs.ts'
import { estimatedUsage } from './estimated-usage.ts'

const one = candidate({ modelId: 'p:one' })
const noLimit = () => null
const lastAnswer = { modelId: 'p:one', promptTokens: 9_000, cachedTokens: 8_000, ageMs: 0 }

test('what the vendor is expected to have in its cache counts as read', () => {
  const prompt = { promptTokens: 10_000, lastAnswer, writesCache: () => true }

  expect(estimatedUsage({ prompt, outputLimitOf: noLimit }, one, 40)).toMatchObject({
    prompt_tokens: 10_000,
    completion_tokens: estimateTokens(40),
    prompt_tokens_details: { cached_tokens: 8_000, cache_write_tokens: 2_000 },
  })
})

test('a model that did not answer before has nothing, and neither has a first request', () => {
  const others = { promptTokens: 10_000, lastAnswer: { ...lastAnswer, modelId: 'p:two' } }

  for (const prompt of [others, { promptTokens: 10_000 }]) {
    const usage = estimatedUsage({ prompt, outputLimitOf: noLimit }, one, 40)
    expect(usage).not.toHaveProperty('prompt_tokens_details')
  }
})

test('an answer is never longer than the limit that was sent', () => {
  const prompt = { promptTokens: 10 }

  expect(estimatedUsage({ prompt, outputLimitOf: () => 3 }, one, 4_000).completion_tokens).toBe(3)
})
