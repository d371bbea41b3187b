import { expect, test } from 'vitest'
import type { ChatRequest } from '../../shared/chat.ts'
import { readRequest } from './read-request.ts'

const hello: ChatRequest = { messages: [{ role: 'user', content: 'Hello' }] }

test('uses the specification’s defaults for absent fields', () => {
  expect(readRequest(hello, false)).toEqual({
    messages: [{ role: 'user', text: 'Hello' }],
    maxTokens: 1024,
    temperature: 1,
    topP: null,
    seed: null,
    stop: [],
    presencePenalty: 0,
    frequencyPenalty: 0,
    json: null,
  })
})

test('adds a system text for the built-in weights if the caller sends none', () => {
  const developer = { role: 'developer' as const, content: 'Be brief.' }

  expect(readRequest(hello, true).messages).toEqual([
    { role: 'system', text: 'You are a helpful AI assistant.' },
    { role: 'user', text: 'Hello' },
  ])
  expect(readRequest({ messages: [developer, ...hello.messages] }, true).messages).toEqual([
    { role: 'system', text: 'Be brief.' },
    { role: 'user', text: 'Hello' },
  ])
})

test('joins the text parts of a message', () => {
  const content = [
    { type: 'text' as const, text: 'one ' },
    { type: 'text' as const, text: 'two' },
  ]

  expect(readRequest({ messages: [{ role: 'user', content }] }, false).messages).toEqual([
    { role: 'user', text: 'one two' },
  ])
})

test('prefers max_completion_tokens, and accepts one stop text or several', () => {
  const body = { ...hello, max_tokens: 10, max_completion_tokens: 5 }

  expect(readRequest({ ...body, stop: 'x' }, false)).toMatchObject({ maxTokens: 5, stop: ['x'] })
  expect(readRequest({ ...body, stop: ['x', ''] }, false)).toMatchObject({ stop: ['x'] })
})

test('accepts any JSON format, and JSON that matches a schema', () => {
  const schema = { type: 'object', properties: { age: { type: 'integer' } } }
  const json_schema = { name: 'person', schema }
  const jsonOf = (response_format: ChatRequest['response_format']) =>
    readRequest({ ...hello, response_format }, false).json

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
  expect(() => readRequest({ ...hello, ...extra }, false)).toThrow(
    expect.objectContaining({ kind: 'request', message: `The built-in model cannot do ${what}.` }),
  )
})
