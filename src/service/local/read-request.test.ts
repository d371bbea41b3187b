import { expect, test } from 'vitest'
import type { ChatRequest } from '../../shared/chat/chat.ts'
import { readRequest, tooLong } from './read-request.ts'

const builtIn = { name: 'smollm2-135m-instruct', contextTokens: 4096, isBuiltIn: true }
const other = { name: 'some-model', contextTokens: 4096, isBuiltIn: false }

const hello: ChatRequest = { messages: [{ role: 'user', content: 'Hello' }] }

test('uses the specification’s defaults for absent fields', () => {
  expect(readRequest(hello, other)).toEqual({
    messages: [{ role: 'user', text: 'Hello' }],
    maxTokens: null,
    temperature: 1,
    topP: null,
    seed: null,
    stop: [],
    presencePenalty: 0,
    frequencyPenalty: 0,
    json: null,
    endsLoops: false,
    mayReason: true,
  })
})

test('adds a system text for the built-in weights if the caller sends none', () => {
  const developer = { role: 'developer' as const, content: 'Be brief.' }

  expect(readRequest(hello, builtIn).messages).toEqual([
    { role: 'system', text: 'You are a helpful AI assistant.' },
    { role: 'user', text: 'Hello' },
  ])
  expect(readRequest({ messages: [developer, ...hello.messages] }, builtIn).messages).toEqual([
    { role: 'system', text: 'Be brief.' },
    { role: 'user', text: 'Hello' },
  ])
})

test('joins the text parts of a message', () => {
  const content = [
    { type: 'text' as const, text: 'one ' },
    { type: 'text' as const, text: 'two' },
  ]

  expect(readRequest({ messages: [{ role: 'user', content }] }, other).messages).toEqual([
    { role: 'user', text: 'one two' },
  ])
})

test('prefers max_completion_tokens, and accepts one stop text or several', () => {
  const body = { ...hello, max_tokens: 10, max_completion_tokens: 5 }

  expect(readRequest({ ...body, stop: 'x' }, other)).toMatchObject({ maxTokens: 5, stop: ['x'] })
  expect(readRequest({ ...body, stop: ['x', ''] }, other)).toMatchObject({ stop: ['x'] })
})

test('accepts any JSON format, and JSON that matches a schema', () => {
  const schema = { type: 'object', properties: { age: { type: 'integer' } } }
  const json_schema = { name: 'person', schema }
  const jsonOf = (response_format: ChatRequest['response_format']) =>
    readRequest({ ...hello, response_format }, other).json

  expect(jsonOf({ type: 'text' })).toBeNull()
  expect(jsonOf({ type: 'json_object' })).toEqual({ schema: null })
  expect(jsonOf({ type: 'json_schema', json_schema })).toEqual({ schema })
  expect(() => jsonOf({ type: 'json_schema' })).toThrow('must be an object')
})

test.each<[string, Partial<ChatRequest>]>([
  ['tools', { tools: [{ type: 'function' }] }],
  ['tools', { messages: [{ role: 'tool', content: '3', tool_call_id: 'a' }] }],
  ['several answers at once', { n: 2 }],
  ['logprobs', { logprobs: true }],
  ['images, audio or files', { messages: [{ role: 'user', content: [{ type: 'image_url' }] }] }],
])('refuses %s with words: %j', (what, extra) => {
  expect(() => readRequest({ ...hello, ...extra }, other)).toThrow(
    expect.objectContaining({ kind: 'request', message: `Local models cannot do ${what}.` }),
  )
})

test('a prompt that is too long is told as one, so that a larger model is tried', () => {
  expect(tooLong(other, 5_000)).toMatchObject({
    kind: 'request',
    isTooLong: true,
    message:
      'The prompt is 5000 tokens, too long: some-model accepts 4096 tokens, including its answer.',
  })
})
