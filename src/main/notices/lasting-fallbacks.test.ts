import { expect, test } from 'vitest'
import { lastingFallbacks } from './lasting-fallbacks.ts'

const fallback = { fallbackFrom: 'openai:gpt-5', modelUsed: 'google:gemini-3', status: 200 }
const answer = { fallbackFrom: null, modelUsed: 'openai:gpt-5', status: 200 }

function start() {
  const clock = { nowMs: 0 }
  return { clock, take: lastingFallbacks(() => clock.nowMs) }
}

test('a fall-over lasts when it repeats a minute after the first', () => {
  const { clock, take } = start()

  expect(take(fallback)).toBeNull()
  clock.nowMs = 59_999
  expect(take(fallback)).toBeNull()
  clock.nowMs = 60_000
  expect(take(fallback)).toBe('openai')
})

test('an answer of the provider ends its fall-over', () => {
  const { clock, take } = start()

  take(fallback)
  take(answer)
  clock.nowMs = 60_000
  expect(take(fallback)).toBeNull()
})

test('a failed request of the provider does not end its fall-over', () => {
  const { clock, take } = start()

  take(fallback)
  take({ ...answer, status: 503 })
  clock.nowMs = 60_000
  expect(take(fallback)).toBe('openai')
})

test('other providers have their own minute', () => {
  const { clock, take } = start()

  take(fallback)
  clock.nowMs = 60_000
  expect(take({ ...fallback, fallbackFrom: 'mistral:large' })).toBeNull()
})
