import { expect, test } from 'vitest'
import { nearestEffort } from './efforts.ts'

const wanted = ['none', 'minimal', 'low', 'medium', 'high', 'xhigh'] as const

test.each([
  ['o3', 'low low low medium high high'],
  ['o4-mini-2025-04-16', 'low low low medium high high'],
  ['gpt-5', 'minimal minimal low medium high high'],
  ['gpt-5-mini-2025-08-07', 'minimal minimal low medium high high'],
  ['gpt-5-codex', 'low low low medium high high'],
  ['gpt-5-pro', 'high high high high high high'],
  ['gpt-5.1', 'none low low medium high high'],
  ['gpt-5.1-codex', 'low low low medium high high'],
  ['gpt-5.1-codex-max', 'low low low medium high xhigh'],
  ['gpt-5.1-chat-latest', 'medium medium medium medium medium medium'],
  ['gpt-5.2', 'none low low medium high xhigh'],
  ['gpt-5.2-pro', 'medium medium medium medium high xhigh'],
  ['gpt-5.4-mini', 'none low low medium high xhigh'],
  ['gpt-6.1-sol', 'none low low medium high xhigh'],
  ['openai/gpt-oss-120b', 'low low low medium high high'],
  ['my-deployment', 'none minimal low medium high xhigh'],
])('%s takes the nearest effort', (model, taken) => {
  expect(wanted.map((effort) => nearestEffort(effort, model)).join(' ')).toBe(taken)
})

test('an effort that is not known is left to the vendor', () => {
  expect(nearestEffort('extreme', 'o3')).toBe('extreme')
})
