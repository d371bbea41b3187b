/** The caller's cache marks, and Modelport's own for callers who cannot mark. */
import { describe, expect, test } from 'vitest'
import type { ChatRequest } from '../../../../shared/chat/chat.ts'
import type { ProviderRequest } from '../../../providers/provider.ts'
import { translateRequest } from './request.ts'

const model = 'claude-sonnet-4-5'
const weather = {
  type: 'function',
  function: { name: 'weather', parameters: { type: 'object', properties: {} } },
}

function sent(messages: object[], tools: object[] = []) {
  // The tests' own bodies, some with fields of the inner form's extensions.
  const body = { messages, tools } as ChatRequest
  return translateRequest({ model, body })
}

describe('Cache marks', () => {
  const ephemeral = { type: 'ephemeral' } as const
  const marked = (text: string, mark: object = ephemeral) => ({
    type: 'text' as const,
    text,
    cache_control: mark,
  })

  test('on tools, system prompts, parts and messages are passed on', () => {
    const { tools, system, messages } = sent(
      [
        { role: 'system', content: [marked('Rules', { type: 'ephemeral', ttl: '1h' })] },
        { role: 'user', content: [marked('Hello')] },
        { role: 'assistant', content: 'Hi.' },
        { role: 'user', content: 'Again', cache_control: ephemeral },
      ],
      [{ ...weather, cache_control: ephemeral }],
    ).body

    expect(tools?.[0]).toMatchObject({ cache_control: ephemeral })
    expect(system).toEqual([
      { type: 'text', text: 'Rules', cache_control: { type: 'ephemeral', ttl: '1h' } },
    ])
    expect(messages[0]?.content).toEqual([marked('Hello')])
    expect(messages[2]?.content).toEqual([marked('Again')])
  })

  test('beyond four, one of the beginning and the last three stay', () => {
    const { body, leftOut } = sent(
      [
        { role: 'system', content: [marked('Rules')] },
        { role: 'user', content: [marked('1'), marked('2'), marked('3'), marked('4')] },
      ],
      [{ ...weather, cache_control: ephemeral }],
    )
    const { tools, system, messages } = body

    expect(tools?.[0]).not.toHaveProperty('cache_control')
    expect(system).toEqual([marked('Rules')])
    expect(messages[0]?.content).toEqual([
      { type: 'text', text: '1' },
      marked('2'),
      marked('3'),
      marked('4'),
    ])
    expect(leftOut).toMatchObject([{ parameter: 'cache_control', change: 'left_out' }])
  })

  const long = 'word '.repeat(2_000)
  const conversation: ChatRequest = {
    tools: [weather],
    messages: [
      { role: 'system', content: long },
      { role: 'user', content: 'First' },
      { role: 'assistant', content: 'Hi.' },
      { role: 'user', content: 'Second' },
      { role: 'assistant', content: 'Ho.' },
      { role: 'user', content: 'Third' },
    ],
  }
  const marks = (request: Omit<ProviderRequest, 'model'>) => {
    const { tools, system, messages } = translateRequest({
      model,
      marksPrefix: true,
      ...request,
    }).body
    return JSON.stringify([tools, system, messages]).match(/"text":"[^"]*","cache_control"/g)
  }

  test('of our own are at the system prompt, the last user turn and the one before', () => {
    expect(marks({ body: conversation })).toEqual([
      `"text":"${long}","cache_control"`,
      '"text":"Second","cache_control"',
      '"text":"Third","cache_control"',
    ])
  })

  test('of our own are not added to the caller’s, to short prompts, and without history', () => {
    const [system, ...others] = conversation.messages
    const own = { ...conversation, messages: [{ ...system, cache_control: ephemeral }, ...others] }

    expect(marks({ body: own as ChatRequest })).toHaveLength(1)
    expect(marks({ body: { ...conversation, messages: others } })).toBeNull()
    expect(marks({ body: conversation, marksPrefix: false })).toBeNull()
  })
})
