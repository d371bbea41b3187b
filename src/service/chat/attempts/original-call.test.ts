import { expect, test } from 'vitest'
import { candidate } from '../../../../test/routing/sample-candidates.ts'
import type { ChatRequest } from '../../../shared/chat/chat.ts'
import { createProvider } from '../../provider-types/provider-types.ts'
import type { OriginalCall } from '../chat-call.ts'
import { fittingBody } from './original-call.ts'

const body: ChatRequest = { messages: [{ role: 'user', content: 'Hi' }], reasoning_effort: 'xhigh' }
const original: OriginalCall = {
  wire: 'anthropic',
  text: '{}',
  headers: {},
  fields: {},
  leftOut: [],
  notForwarded: [],
  required: null,
  stateField: null,
  conversation: null,
}

function sentTo(type: string, model: string, call: { original?: OriginalCall }) {
  const form = createProvider(type, {
    baseUrl: 'https://vendor.example/v1',
    apiKey: () => null,
    privateNetwork: false,
    options: {},
    now: Date.now,
    connector: () => {
      throw new Error('nothing is sent')
    },
    // Only for the built-in model.
    localModel: undefined as never,
  })
  const reasoner = candidate({ modelId: `${type}:${model}`, outputRatio: 2 })
  return fittingBody({ body, ...call }, reasoner, { form, prompt: { promptTokens: 1 } })
}

test.each([
  ['openai', 'o3', 'high'],
  ['openai', 'o3-pro', 'high'],
  ['azure', 'gpt-5-mini', 'high'],
  ['groq', 'openai/gpt-oss-20b', 'high'],
  ['openai', 'gpt-5.2', 'xhigh'],
  // Fits all efforts by itself (openrouter.ai/docs/guides/best-practices/reasoning-tokens).
  ['openrouter', 'openai/o3', 'xhigh'],
  // Translates efforts by itself.
  ['anthropic', 'claude-opus-4-7', 'xhigh'],
])('a translated request to %s gets an effort that %s takes: %s', (type, model, effort) => {
  const sent = sentTo(type, model, { original: { ...original, wire: 'another' } })

  expect(sent.body.reasoning_effort).toBe(effort)
  const changes = sent.adjusted.filter(({ parameter }) => parameter === 'reasoning_effort')
  expect(changes.map(({ change }) => change)).toEqual(
    effort === 'xhigh' ? [] : [`sent_as_${effort}`],
  )
})

test('a request in the form of the provider keeps its effort', () => {
  expect(sentTo('openai', 'o3', {}).body.reasoning_effort).toBe('xhigh')
  const own = { original: { ...original, wire: 'openai-responses' } }
  expect(sentTo('openai', 'o3', own).body.reasoning_effort).toBe('xhigh')
})
