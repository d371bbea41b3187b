import { describe, expect, test } from 'vitest'
import type { ChatRequest } from '../../../../shared/chat/chat.ts'
import { OriginalReader } from '../../original-reader.ts'
import { MessageReader } from './answer.ts'
import { originalBody, queryWith } from './original.ts'

const text =
  '{"model": "auto", "max_tokens": 2e3,"future":{"b":1,"a":1.0},"temperature":0.50,' +
  '"output_config":{"effort":"high","format":null},"service_tier":"auto","messages":[{"role":"user","content":"Hi"}]}'

function sent(body: Partial<ChatRequest>, changed: readonly string[], isStreamed = false): string {
  const request = {
    model: 'claude-opus-4-6',
    body: { messages: [{ role: 'user' as const, content: 'Hi' }], ...body },
  }
  return originalBody(request, { wire: 'anthropic', text, headers: {}, changed }, isStreamed)
}

describe('a request in this form', () => {
  test('is sent byte for byte but for the model', () => {
    expect(sent({}, [])).toBe(text.replace('"model": "auto"', '"model":"claude-opus-4-6"'))
  })

  test('is sent as a stream when the caller did not ask for one and Modelport does', () => {
    expect(JSON.parse(sent({}, [], true))).toMatchObject({ stream: true })
    expect(sent({ stream: true }, [], true)).not.toContain('stream')
  })

  test('loses the fields that the model or the contract does not allow', () => {
    const body: unknown = JSON.parse(sent({}, ['temperature', 'service_tier']))
    expect(body).not.toHaveProperty('temperature')
    expect(body).not.toHaveProperty('service_tier')
    expect(body).toMatchObject({ future: { a: 1, b: 1 } })
  })

  test('has the limit and the effort that Modelport chose', () => {
    const changed = ['max_tokens', 'reasoning_effort']
    expect(JSON.parse(sent({ max_tokens: 900, reasoning_effort: 'low' }, changed))).toMatchObject({
      max_tokens: 900,
      output_config: { effort: 'low', format: null },
      thinking: { type: 'adaptive' },
    })
  })
})

test.each([
  [32_000, { type: 'enabled', budget_tokens: 31_999 }],
  [127_999, { type: 'enabled', budget_tokens: 127_998 }],
  [128_000, { type: 'enabled', budget_tokens: 127_999 }],
  [1024, undefined],
])('the thinking budget is below a limit lowered to %d', (max_tokens, thinking) => {
  const own =
    '{"max_tokens":200000,"thinking":{"type":"enabled","budget_tokens":127999},"messages":[]}'
  const request = { model: 'claude-opus-4-1', body: { messages: [], max_tokens } }
  const original = { wire: 'anthropic', text: own, headers: {}, changed: ['max_tokens'] }

  const body = JSON.parse(originalBody(request, original, false)) as Record<string, unknown>

  expect(body).toMatchObject({ max_tokens })
  expect(body['thinking']).toEqual(thinking)
})

test('the caller’s query follows the version that the provider’s options name', () => {
  const original = { wire: 'anthropic', text: '{}', headers: {}, changed: [] }
  const request = { model: 'claude-opus-4-8', body: { messages: [] } }
  const asked = { ...request, original: { ...original, query: { beta: 'true' } } }

  expect(queryWith('?api-version=1', asked)).toBe('?api-version=1&beta=true')
  expect(queryWith('?api-version=1', { ...request, original })).toBe('?api-version=1')
})

test('each chunk of the answer has the events that it was read from, also those without a piece', () => {
  const reader = new OriginalReader(new MessageReader({ model: 'claude', customTools: new Set() }))
  const events = [
    '{"type":"message_start","message":{"usage":{"input_tokens":3}}}',
    '{"type":"ping"}',
    '{"type":"content_block_start","index":0,"content_block":{"type":"text","text":""}}',
    '{"type":"content_block_delta","index":0,"delta":{"type":"text_delta","text":"Hi"}}',
  ]
  const chunk = events
    .slice(0, 3)
    .reduce(
      (joined, event) => reader.append(joined, event),
      reader.append(null, '{"type":"future"}'),
    )
  expect(chunk).toMatchObject({ choices: [], events: ['{"type":"future"}', ...events.slice(0, 3)] })
  expect(reader.append(null, events[3] ?? '')).toMatchObject({
    choices: [{ delta: { content: 'Hi' } }],
    events: [events[3]],
  })
})
