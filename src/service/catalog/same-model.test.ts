import { expect, test } from 'vitest'
import { loadCatalog } from './catalog.ts'
import { openNames } from './same-model.ts'

const models = loadCatalog().models()
const verdictOf = openNames(models)

test.each([
  ['gpt-5.4', 'gpt-5.4-2026-03-05'],
  ['openai/gpt-5.4', 'gpt-5.4'],
  ['gpt-4o', 'openai/gpt-4o-2024-08-06'],
  ['claude-opus-4-1', 'claude-opus-4-1-20250805'],
  ['anthropic/claude-sonnet-4.5', 'claude-sonnet-4-5-20250929'],
  ['us.anthropic.claude-sonnet-4-5-20250929-v1:0', 'claude-sonnet-4-5-20250929'],
  ['claude-sonnet-4-5@20250929', 'claude-sonnet-4-5'],
  ['gemini-2.5-flash', 'models/gemini-2.5-flash-preview-09-2025'],
  ['gemini-2.0-flash', 'gemini-2.0-flash-001'],
  [
    'accounts/fireworks/models/llama-v3p3-70b-instruct',
    'accounts/fireworks/models/llama-v3p3-70b-instruct',
  ],
  ['llama3.1:8b', 'llama3.1:8b'],
  ['deepseek/deepseek-r1:free', 'deepseek-r1'],
  ['grok-4', 'grok-4-0709'],
])('%s is answered by %s', (asked, named) => {
  expect(verdictOf(asked, named)).toBe('same')
})

test.each([
  ['gpt-5.4', 'gpt-5.4-mini'],
  ['gpt-5.4', 'gpt-4o-mini-2024-07-18'],
  ['gpt-5.4', 'gpt-3.5-turbo'],
  ['claude-opus-4-1', 'claude-haiku-4-5-20251001'],
  ['claude-opus-4-1', 'claude-opus-4-20250514'],
  ['gemini-2.5-pro', 'gemini-2.5-flash-lite'],
  ['gpt-4o', 'qwen2.5-7b-instruct'],
  ['llama-3.3-70b-instruct', 'llama-3.1-8b-instruct'],
  ['mistral-large-latest', 'mistral-small-2503'],
])('%s is not %s', (asked, named) => {
  expect(verdictOf(asked, named)).toBe('different')
})

test.each([
  ['mistral-large-latest', 'mistral-large-2411'],
  ['my-deployment', 'gpt-5.4'],
  ['openrouter/auto', 'anthropic/claude-sonnet-4.5'],
  ['gpt-5.4', 'served-model'],
  ['gpt-5.4', ''],
])('%s may be %s', (asked, named) => {
  expect(verdictOf(asked, named)).not.toBe('different')
})

test('no model of the catalogue is another one by its own aliases', () => {
  for (const { id, aliases } of models) {
    const asked = id.slice(id.indexOf(':') + 1)
    for (const alias of aliases)
      expect([asked, alias, verdictOf(asked, alias)]).toEqual([asked, alias, 'same'])
  }
})
