/** The fields that OpenAI's own form lacks, at vendors that take them and at vendors that do not. */
import { expect, test } from 'vitest'
import type { ChatRequest } from '../../../../shared/chat/chat.ts'
import { presets } from '../../../provider-types/presets.ts'
import { adjustmentOf, refusedExtensions, withoutExtensions } from './extensions.ts'

const cache_control = { type: 'ephemeral' }
const image = { type: 'image_url', image_url: { url: 'data:image/png;base64,AA==' } } as const
const body: ChatRequest = {
  messages: [
    { role: 'system', content: [{ type: 'text', text: 'Rules', cache_control }] },
    { role: 'user', content: 'Look', cache_control },
    {
      role: 'assistant',
      content: null,
      reasoning: 'Hm',
      reasoning_content: 'Hm',
      reasoning_details: [{ type: 'reasoning.text', text: 'Hm', format: 'anthropic-claude-v1' }],
      tool_calls: [
        { id: 'a', type: 'function', function: { name: 'f', arguments: '{}' } },
        { id: 'b', type: 'function', function: { name: 'f', arguments: '{}' } },
      ],
    },
    { role: 'tool', tool_call_id: 'a', content: [{ type: 'text', text: 'A map' }, image] },
    { role: 'tool', tool_call_id: 'b', content: [image], is_error: true },
    { role: 'user', content: 'Go on' },
  ],
  tools: [
    { type: 'function', function: { name: 'f' }, cache_control },
    { type: 'function', function: { name: 'g' } },
  ],
  reasoning: { max_tokens: 1_000 },
}

test('a vendor that takes none gets OpenAI’s own form, and each change is reported once', () => {
  const refused = refusedExtensions(body, [])

  expect(
    refused.map(adjustmentOf).map(({ parameter, change }) => `${parameter}=${change}`),
  ).toEqual([
    'reasoning=left_out',
    'cache_control=left_out',
    'reasoning=left_out',
    'reasoning_content=left_out',
    'reasoning_details=left_out',
    'messages=sent_as_user_message',
    'is_error=left_out',
  ])
  expect(withoutExtensions(body, { refused, isTranslated: false })).toEqual({
    messages: [
      { role: 'system', content: [{ type: 'text', text: 'Rules' }] },
      { role: 'user', content: 'Look' },
      { role: 'assistant', content: null, tool_calls: body.messages[2]?.tool_calls },
      { role: 'tool', tool_call_id: 'a', content: [{ type: 'text', text: 'A map' }] },
      { role: 'tool', tool_call_id: 'b', content: 'The result is attached below.' },
      {
        role: 'user',
        content: [
          { type: 'text', text: 'Attached to the result of a:' },
          image,
          { type: 'text', text: 'Attached to the result of b:' },
          image,
        ],
      },
      { role: 'user', content: 'Go on' },
    ],
    tools: [
      { type: 'function', function: { name: 'f' } },
      { type: 'function', function: { name: 'g' } },
    ],
  })
})

test('the caller’s body is not changed', () => {
  const before = structuredClone(body)

  withoutExtensions(body, { refused: refusedExtensions(body, []), isTranslated: false })

  expect(body).toEqual(before)
})

test.each([
  ['openai', ['developer_role']],
  ['azure', ['developer_role']],
  ['cerebras', ['message_reasoning']],
  ['deepseek', ['reasoning_content']],
  [
    'openrouter',
    ['cache_control', 'message_reasoning', 'reasoning', 'reasoning_content', 'reasoning_details'],
  ],
])('%s takes %j', (type, taken) => {
  expect(presets.find((preset) => preset.type === type)?.extensions).toEqual(taken)
})

test.each(['openai-compatible', 'vllm'])(
  '%s ignores each field, but knows no developer',
  (type) => {
    const taken = presets.find((preset) => preset.type === type)?.extensions ?? []

    expect(refusedExtensions(body, taken)).toEqual([])
    expect(taken).not.toContain('developer_role')
  },
)

test('a developer is the system for all but OpenAI’s own models', () => {
  const messages = [
    { role: 'developer', content: 'Rules' },
    { role: 'user', content: 'Look' },
  ] as const satisfies ChatRequest['messages']

  const refused = refusedExtensions({ messages: [...messages] }, [])

  expect(refused.map(adjustmentOf)).toMatchObject([
    { parameter: 'messages', change: 'sent_as_system' },
  ])
  expect(withoutExtensions({ messages: [...messages] }, { refused, isTranslated: false })).toEqual({
    messages: [{ role: 'system', content: 'Rules' }, messages[1]],
  })
})

test.each(['message_reasoning', 'is_error', 'cache_control'] as const)(
  'a vendor that takes %s keeps it',
  (extension) => {
    const refused = refusedExtensions(body, [extension])

    expect(refused).not.toContain(extension)
    expect(
      refusedExtensions(withoutExtensions(body, { refused, isTranslated: false }), []),
    ).toContain(extension)
  },
)

test('an ordinary body has none', () => {
  const messages = [
    { role: 'user' as const, content: [{ type: 'text' as const, text: 'Hi' }, image] },
  ]

  expect(refusedExtensions({ messages, tools: [{ type: 'function' }] }, [])).toEqual([])
})
