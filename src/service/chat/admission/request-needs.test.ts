/** The needs of a request, read from its body. */
import { describe, expect, test } from 'vitest'
import type { ChatRequest } from '../../../shared/chat/chat.ts'
import { estimateTokens, readNeeds } from './request-needs.ts'

const ask = (given: Partial<ChatRequest> = {}): ChatRequest => ({
  messages: [{ role: 'user', content: 'Hi' }],
  ...given,
})
const part = (type: 'text' | 'image_url' | 'input_audio' | 'file', given: object = {}) => ({
  messages: [{ role: 'user' as const, content: [{ type, ...given }] }],
})
const tools = [{ type: 'function', function: { name: 'f', parameters: {} } }]

test.each<[string, Partial<ChatRequest>, string[]]>([
  ['plain text', {}, []],
  ['text in parts', part('text', { text: 'Hi' }), []],
  ['tools', { tools }, ['tools']],
  ['an empty list of tools', { tools: [] }, []],
  ['tools null', { tools: null }, []],
  ['an image', part('image_url'), ['vision']],
  ['sound', part('input_audio'), ['audio']],
  ['a file', part('file'), ['files']],
  ['several answers', { n: 2 }, ['n']],
  ['one answer', { n: 1 }, []],
  ['logprobs', { logprobs: true, top_logprobs: 2 }, ['logprobs']],
  ['no logprobs', { logprobs: false }, []],
  ['a seed alone', { seed: 7 }, []],
  ['a JSON object', { response_format: { type: 'json_object' } }, ['json_object']],
  ['a JSON schema', { response_format: { type: 'json_schema' } }, ['json']],
  ['text as the format', { response_format: { type: 'text' } }, []],
  ['an image and tools', { ...part('image_url'), tools }, ['tools', 'vision']],
])('%s needs %j', (_what, given, needs) => {
  expect(readNeeds(ask(given)).needs).toEqual(needs)
})

test('capabilities that the caller requires are needed too', () => {
  expect(readNeeds(ask({ tools, seed: 7 }), ['seed', 'tools']).needs).toEqual(['seed', 'tools'])
})

test.each<[Partial<ChatRequest>, number | null]>([
  [{}, null],
  [{ max_tokens: 100 }, 100],
  [{ max_completion_tokens: 200 }, 200],
  [{ max_tokens: 100, max_completion_tokens: 200 }, 200],
  [{ max_tokens: null }, null],
])('%j limits the answer to %j tokens', (given, maxOutputTokens) => {
  expect(readNeeds(ask(given)).maxOutputTokens).toBe(maxOutputTokens)
})

describe('the estimate of a prompt', () => {
  const tokensOf = (given: Partial<ChatRequest>) => readNeeds(ask(given)).promptTokens

  test('grows with the text, by 3.6 characters a token', () => {
    expect(estimateTokens(36)).toBe(10)
    expect(tokensOf({ messages: [{ role: 'user', content: 'x'.repeat(360) }] })).toBe(104)
  })

  test('counts each message, the tools and their calls, and lists the media apart', () => {
    const message = { role: 'user' as const, content: '' }
    const call = { id: 'c', type: 'function' as const, function: { name: 'f', arguments: '{}' } }

    expect(tokensOf({ messages: [message, message] })).toBe(8)
    expect(tokensOf(part('image_url'))).toBe(4)
    expect(readNeeds(ask(part('image_url'))).media).toHaveLength(1)
    expect(readNeeds(ask({})).media).toBeUndefined()
    expect(tokensOf({ tools })).toBeGreaterThan(tokensOf({}))
    expect(
      tokensOf({ messages: [{ role: 'assistant', content: null, tool_calls: [call] }] }),
    ).toBeGreaterThan(4)
  })

  test('of a text in parts is that of the text', () => {
    expect(tokensOf(part('text', { text: 'Hello' }))).toBe(
      tokensOf({ messages: [{ role: 'user', content: 'Hello' }] }),
    )
  })

  test.each([
    ['reasoning_content', { reasoning_content: 'x'.repeat(360) }],
    [
      'the text of reasoning_details',
      { reasoning_details: [{ type: 'reasoning.text', text: 'x'.repeat(360) }] },
    ],
    [
      'both, once',
      {
        reasoning_content: 'x'.repeat(360),
        reasoning_details: [
          { type: 'reasoning.text', text: 'x'.repeat(360), signature: 'y'.repeat(999) },
        ],
      },
    ],
  ])('counts %s of an earlier answer', (_what, reasoning) => {
    const message = { role: 'assistant' as const, content: '', ...reasoning }

    expect(tokensOf({ messages: [message] })).toBe(104)
  })
})

test('the number of answers is that which is billed', () => {
  expect(readNeeds(ask()).choices).toBeUndefined()
  expect(readNeeds(ask({ n: 3 })).choices).toBe(3)
  expect(readNeeds(ask({ n: 2, best_of: 5 })).choices).toBe(5)
})
