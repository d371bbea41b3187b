import { expect, test } from 'vitest'
import { readUsage } from './usage.ts'

const counts = { prompt_tokens: 2006, completion_tokens: 300, total_tokens: 2306 }

/** Usage as each family of upstreams sends it. */
const cases: [upstream: string, sent: object, cached: number, written: number | undefined][] = [
  [
    'OpenAI before GPT-5.6',
    { ...counts, prompt_tokens_details: { cached_tokens: 1920 } },
    1920,
    undefined,
  ],
  [
    'OpenAI and OpenRouter',
    { ...counts, prompt_tokens_details: { cached_tokens: 1000, cache_write_tokens: 400 } },
    1000,
    400,
  ],
  [
    'LiteLLM',
    { ...counts, cache_read_input_tokens: 1000, cache_creation_input_tokens: 400 },
    1000,
    400,
  ],
  [
    'DeepSeek',
    { ...counts, prompt_cache_hit_tokens: 1920, prompt_cache_miss_tokens: 86 },
    1920,
    undefined,
  ],
  ['Moonshot', { ...counts, cached_tokens: 1920 }, 1920, undefined],
]

test.each(cases)('reads cached tokens as %s reports them', (_upstream, sent, cached, written) => {
  expect(readUsage(sent)).toEqual({
    ...sent,
    prompt_tokens_details: {
      cached_tokens: cached,
      ...(written === undefined ? {} : { cache_write_tokens: written }),
    },
  })
})

test('leaves out token classes that were not reported', () => {
  expect(readUsage(counts)).toEqual(counts)
  const empty = { prompt_tokens_details: null, completion_tokens_details: {} }
  expect(readUsage({ ...counts, ...empty })).toEqual(counts)
})

test('keeps reasoning inside completion_tokens when the upstream counts it there', () => {
  const completion_tokens_details = { reasoning_tokens: 200 }
  const sent = { ...counts, completion_tokens_details }
  expect(readUsage(sent)).toEqual(sent)
})

test('adds reasoning that only the total includes to completion_tokens, as xAI sends it', () => {
  const sent = {
    prompt_tokens: 10_120,
    completion_tokens: 1_499,
    total_tokens: 14_428,
    completion_tokens_details: { reasoning_tokens: 2_809 },
  }
  expect(readUsage(sent)).toEqual({ ...sent, completion_tokens: 4_308 })
})

test('counts output that only the total includes as reasoning, as Google sends it', () => {
  expect(readUsage({ prompt_tokens: 20, completion_tokens: 198, total_tokens: 623 })).toEqual({
    prompt_tokens: 20,
    completion_tokens: 603,
    total_tokens: 623,
    completion_tokens_details: { reasoning_tokens: 405 },
  })
})

test.each([
  undefined,
  null,
  'usage',
  {},
  { prompt_tokens: 1 },
  { prompt_tokens: 1, completion_tokens: null },
  { prompt_tokens: -1, completion_tokens: 1 },
  { prompt_tokens: 1.5, completion_tokens: 1 },
  { prompt_tokens: 1e300, completion_tokens: 1 },
])('treats %j as not reported', (sent) => {
  expect(readUsage(sent)).toBeNull()
})

test.each(['prompt_tokens', 'completion_tokens'])(
  'treats counts above 100 million, which no model reaches, as not reported: %s',
  (name) => {
    expect(readUsage({ ...counts, [name]: 100_000_001 })).toBeNull()
    expect(readUsage({ ...counts, [name]: 9_007_199_254_740_000 })).toBeNull()
    expect(readUsage({ ...counts, [name]: 100_000_000 })).not.toBeNull()
  },
)
