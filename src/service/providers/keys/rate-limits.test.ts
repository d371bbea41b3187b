import { expect, test } from 'vitest'
import { readRateLimit } from './rate-limits.ts'

const nowMs = Date.parse('2026-11-22T10:00:00Z')

test.each([
  [
    'OpenAI and Groq',
    {
      'x-ratelimit-limit-requests': '100',
      'x-ratelimit-remaining-requests': '80',
      'x-ratelimit-limit-tokens': '1000',
      'x-ratelimit-remaining-tokens': '100',
      'x-ratelimit-reset-tokens': '6m0s',
    },
    { remaining: 0.1, usedUpUntilMs: null },
  ],
  [
    'a used-up limit with a duration',
    {
      'x-ratelimit-limit-requests': '100',
      'x-ratelimit-remaining-requests': '0',
      'x-ratelimit-reset-requests': '1m2.5s',
    },
    { remaining: 0, usedUpUntilMs: nowMs + 62_500 },
  ],
  [
    'milliseconds',
    { 'x-ratelimit-remaining-tokens': '0', 'x-ratelimit-reset-tokens': '120ms' },
    { remaining: 0, usedUpUntilMs: nowMs + 120 },
  ],
  [
    'Anthropic, whose reset is a date',
    {
      'anthropic-ratelimit-requests-limit': '50',
      'anthropic-ratelimit-requests-remaining': '49',
      'anthropic-ratelimit-input-tokens-limit': '1000',
      'anthropic-ratelimit-input-tokens-remaining': '0',
      'anthropic-ratelimit-input-tokens-reset': '2026-11-22T10:00:30Z',
    },
    { remaining: 0, usedUpUntilMs: nowMs + 30_000 },
  ],
  [
    'Unix seconds',
    {
      'x-ratelimit-limit': '10',
      'x-ratelimit-remaining': '0',
      'x-ratelimit-reset': String(nowMs / 1_000 + 5),
    },
    { remaining: 0, usedUpUntilMs: nowMs + 5_000 },
  ],
  [
    'OpenRouter, whose reset is in Unix milliseconds',
    {
      'x-ratelimit-limit': '20',
      'x-ratelimit-remaining': '0',
      'x-ratelimit-reset': String(nowMs + 5_000),
    },
    { remaining: 0, usedUpUntilMs: nowMs + 5_000 },
  ],
  [
    'seconds from now',
    { 'x-ratelimit-remaining-tokens-minute': '0', 'x-ratelimit-reset-tokens-minute': '12.5' },
    { remaining: 0, usedUpUntilMs: nowMs + 12_500 },
  ],
  [
    'a used-up limit without a reset',
    { 'x-ratelimit-remaining-requests': '0' },
    { remaining: 0, usedUpUntilMs: null },
  ],
  [
    'a remaining number alone',
    { 'x-ratelimit-remaining-requests': '7' },
    { remaining: 1, usedUpUntilMs: null },
  ],
])('reads %s', (_what, headers, limit) => {
  expect(readRateLimit(headers, nowMs)).toEqual(limit)
})

test.each([
  [{}],
  [{ 'x-ratelimit-limit-requests': '100' }],
  [{ 'x-ratelimit-remaining-requests': 'many' }],
  [{ 'x-ratelimit-remaining-requests': '' }],
])('%j states no limit', (headers) => {
  expect(readRateLimit(headers, nowMs)).toBeNull()
})

test('a reset that cannot be read is not stated', () => {
  const headers = { 'x-ratelimit-remaining-requests': '0', 'x-ratelimit-reset-requests': 'soon' }

  expect(readRateLimit(headers, nowMs)).toEqual({ remaining: 0, usedUpUntilMs: null })
})
