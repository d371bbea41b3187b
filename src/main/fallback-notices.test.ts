import { expect, test, vi } from 'vitest'
import { fallbackNotices } from './fallback-notices.ts'

vi.mock('electron', () => ({ Notification: null }))

const fallback = {
  fallbackFrom: 'openai:gpt-5',
  fallbackReason: 'rate_limit',
  modelUsed: 'anthropic:claude-sonnet-5',
  source: 'api',
} as const

test('names the model that answered, and why the first choice did not', () => {
  expect(fallbackNotices(() => 0)(fallback)).toEqual({
    title: 'openai does not answer',
    body: 'anthropic:claude-sonnet-5 answered instead of openai:gpt-5 (rate limit reached).',
  })
})

test('comes once per provider and hour', () => {
  let nowMs = 0
  const notice = fallbackNotices(() => nowMs)
  const isShown = (fallbackFrom = 'openai:gpt-5') => notice({ ...fallback, fallbackFrom }) !== null
  expect(isShown()).toBe(true)
  expect(isShown('openai:gpt-5-mini')).toBe(false)
  expect(isShown('google:gemini-3')).toBe(true)
  nowMs = 3_599_999
  expect(isShown()).toBe(false)
  nowMs = 3_600_000
  expect(isShown()).toBe(true)
})

test('is not for answers of the first choice, nor for the chat window', () => {
  const notice = fallbackNotices(() => 0)
  expect(notice({ ...fallback, fallbackFrom: null, fallbackReason: null })).toBeNull()
  expect(notice({ ...fallback, source: 'chat' })).toBeNull()
})
