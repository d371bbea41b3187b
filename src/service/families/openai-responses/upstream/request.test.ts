import { describe, expect, test } from 'vitest'
import type { ChatRequest } from '../../../../shared/chat/chat.ts'
import { leftOutOf } from './left-out.ts'
import { toRequestBody } from './request.ts'
import { hasReasoning, needsResponses } from './served-models.ts'

const messages: ChatRequest['messages'] = [{ role: 'user', content: 'Hello' }]
const bodyOf = (body: Partial<ChatRequest>, model = 'gpt-5-pro') =>
  toRequestBody({ model, body: { messages, ...body } }, false)

describe('the request', () => {
  test('asks for encrypted reasoning of reasoning models only, and stores nothing', () => {
    expect(bodyOf({})).toMatchObject({ store: false, include: ['reasoning.encrypted_content'] })
    expect(bodyOf({}, 'gpt-4.1').include).toEqual([])
  })

  test('sends the reasoning of earlier turns before the answer and its calls', () => {
    const earlier = {
      role: 'assistant' as const,
      content: 'I will look.',
      tool_calls: [
        { id: 'call_1', type: 'function' as const, function: { name: 'look', arguments: '{}' } },
      ],
      reasoning_details: [
        { type: 'reasoning.summary', summary: 'Think', id: 'rs_1', format: 'openai-responses-v1' },
        { type: 'reasoning.encrypted', data: 'abc', id: 'rs_1', format: 'openai-responses-v1' },
        { type: 'reasoning.text', text: 'Hm', signature: 's', format: 'anthropic-claude-v1' },
      ],
    }
    const { input } = bodyOf({
      messages: [...messages, earlier, { role: 'tool', tool_call_id: 'call_1', content: 'Found' }],
    })

    expect(input).toEqual([
      { role: 'user', content: 'Hello' },
      {
        type: 'reasoning',
        id: 'rs_1',
        summary: [{ type: 'summary_text', text: 'Think' }],
        encrypted_content: 'abc',
      },
      { role: 'assistant', content: 'I will look.' },
      { type: 'function_call', call_id: 'call_1', name: 'look', arguments: '{}' },
      { type: 'function_call_output', call_id: 'call_1', output: 'Found' },
    ])
  })

  test('a custom tool, its call and its result keep their form', () => {
    const { input, tools, tool_choice } = bodyOf({
      messages: [
        ...messages,
        {
          role: 'assistant',
          tool_calls: [{ id: 'c1', type: 'custom', custom: { name: 'sql', input: 'SELECT 1' } }],
        },
        { role: 'tool', tool_call_id: 'c1', content: '1' },
      ],
      tools: [
        {
          type: 'custom',
          custom: {
            name: 'sql',
            format: { type: 'grammar', grammar: { syntax: 'lark', definition: 'start: "x"' } },
          },
        },
        { type: 'web_search' },
      ],
      tool_choice: { type: 'custom', custom: { name: 'sql' } },
    })

    expect(input).toMatchObject([
      {},
      { type: 'custom_tool_call', call_id: 'c1', name: 'sql', input: 'SELECT 1' },
      { type: 'custom_tool_call_output', call_id: 'c1', output: '1' },
    ])
    expect(tools).toEqual([
      {
        type: 'custom',
        name: 'sql',
        format: { type: 'grammar', syntax: 'lark', definition: 'start: "x"' },
      },
      { type: 'web_search' },
    ])
    expect(tool_choice).toEqual({ type: 'custom', name: 'sql' })
  })

  test('a list of allowed tools names them without nesting', () => {
    const tool_choice = {
      type: 'allowed_tools',
      allowed_tools: { mode: 'auto', tools: [{ type: 'function', function: { name: 'look' } }] },
    }

    expect(bodyOf({ tool_choice }).tool_choice).toEqual({
      type: 'allowed_tools',
      mode: 'auto',
      tools: [{ type: 'function', name: 'look' }],
    })
  })

  test('a limit below 16 tokens is raised, and reported', () => {
    expect(bodyOf({ max_completion_tokens: 3 }).max_output_tokens).toBe(16)
    expect(leftOutOf({ messages, max_completion_tokens: 3 })).toMatchObject([
      { parameter: 'max_completion_tokens', change: 'sent_as_16' },
    ])
  })

  test('a message of the legacy role function is refused, and the error names it', () => {
    const legacy = { role: 'function' as const, name: 'look', content: 'Found' }

    expect(() => bodyOf({ messages: [...messages, legacy] })).toThrow(
      expect.objectContaining({
        kind: 'request',
        upstreamMessage: expect.stringContaining('messages[1]'),
      }),
    )
  })
})

test.each([
  ['gpt-5-pro', true, true],
  ['gpt-5.5-pro-2026-04-23', true, true],
  ['gpt-5.1-codex-max', true, true],
  ['o3-pro', true, true],
  ['o4-mini-deep-research', true, true],
  ['codex-mini-latest', true, true],
  ['computer-use-preview', true, true],
  ['gpt-6.1-sol', true, true],
  ['gpt-6-luna-2026-09-22', true, true],
  ['gpt-5.6-sol', false, true],
  ['gpt-5', false, true],
  ['gpt-5.2-chat-latest', false, false],
  ['gpt-5-chat-latest', false, false],
  ['o3', false, true],
  ['gpt-4.1-mini', false, false],
  ['gpt-4o', false, false],
])('%s: only over the Responses API %s, reasoning %s', (model, only, reasons) => {
  expect(needsResponses(model)).toBe(only)
  expect(hasReasoning(model)).toBe(reasons)
})
