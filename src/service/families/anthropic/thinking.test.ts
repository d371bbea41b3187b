/** Effort, budgets and thinking of earlier turns, for each generation of models. */
import { describe, expect, test } from 'vitest'
import type { ChatRequest } from '../../../shared/chat/chat.ts'
import { translateRequest } from './upstream/request.ts'

type Details = ChatRequest['messages'][number]['reasoning_details']

const messages = [{ role: 'user' as const, content: 'Hello' }]

function translated(body: Partial<ChatRequest>, model: string) {
  return translateRequest({ model, body: { messages, ...body }, maxOutputTokens: 64_000 })
}

function thinking(body: Partial<ChatRequest>, model: string) {
  const { body: sent, leftOut } = translated(body, model)
  const { effort } = sent.output_config ?? {}
  return { thinking: sent.thinking, effort, leftOut: leftOut.map(({ change }) => change) }
}

const adaptive = { type: 'adaptive', display: 'summarized' }

describe('An effort', () => {
  test.each([
    ['claude-haiku-4-5', { type: 'enabled', budget_tokens: 16_384 }, undefined],
    ['claude-opus-4-5-20251101', { type: 'enabled', budget_tokens: 16_384 }, 'high'],
    ['claude-sonnet-4-6', adaptive, 'high'],
    ['claude-opus-4-7', adaptive, 'high'],
    ['anthropic/claude-opus-5.5', adaptive, 'high'],
    ['claude-of-next-year', adaptive, 'high'],
  ])('for %s', (model, expected, effort) => {
    expect(thinking({ reasoning_effort: 'high' }, model)).toEqual({
      thinking: expected,
      effort,
      leftOut: [],
    })
  })

  test('that the model lacks becomes the next lower one', () => {
    expect(thinking({ reasoning_effort: 'xhigh' }, 'claude-opus-4-6')).toEqual({
      thinking: adaptive,
      effort: 'high',
      leftOut: ['sent_as_high'],
    })
  })

  test.each([
    ['claude-sonnet-4-5', undefined, undefined, []],
    ['claude-opus-4-8', undefined, undefined, []],
    ['claude-opus-5', { type: 'disabled' }, undefined, []],
    ['claude-sonnet-5-5', { type: 'between_tools' }, undefined, []],
    ['claude-opus-5-5', undefined, 'low', ['sent_as_low']],
  ])('of none for %s', (model, expected, effort, leftOut) => {
    expect(thinking({ reasoning_effort: 'none' }, model)).toEqual({
      thinking: expected,
      effort,
      leftOut,
    })
  })

  test('is not needed: without one the model’s default holds', () => {
    expect(thinking({}, 'claude-opus-5-5')).toEqual({
      thinking: undefined,
      effort: undefined,
      leftOut: [],
    })
  })
})

describe('A budget', () => {
  test('is sent where the model takes one, and below the answer’s limit', () => {
    const budget = { reasoning: { max_tokens: 5000 } }

    expect(thinking(budget, 'claude-sonnet-4-6').thinking).toEqual({
      type: 'enabled',
      budget_tokens: 5000,
    })
    expect(thinking({ ...budget, max_tokens: 3000 }, 'claude-sonnet-4-5').thinking).toEqual({
      type: 'enabled',
      budget_tokens: 2999,
    })
  })

  test('is an effort where the model takes only that', () => {
    expect(thinking({ reasoning: { max_tokens: 10_000 } }, 'claude-opus-4-8')).toEqual({
      thinking: adaptive,
      effort: 'medium',
      leftOut: ['sent_as_effort_medium'],
    })
  })

  test('that does not fit below the answer’s limit is left out', () => {
    const tight = { reasoning_effort: 'low', max_tokens: 1200 }

    expect(thinking(tight, 'claude-sonnet-4-5')).toMatchObject({
      thinking: undefined,
      leftOut: ['left_out'],
    })
  })

  test('is left out before a forced tool call', () => {
    const tools = [{ type: 'function', function: { name: 'f' } }]
    const forced = { reasoning_effort: 'low', tools, tool_choice: 'required' }

    expect(thinking(forced, 'claude-sonnet-4-5')).toMatchObject({
      thinking: undefined,
      leftOut: ['left_out'],
    })
  })

  test('takes the sampling parameters away', () => {
    const sampled = { reasoning_effort: 'low', temperature: 0.3 }

    expect(translated(sampled, 'claude-sonnet-4-5').body).not.toHaveProperty('temperature')
  })
})

describe('Thinking of earlier turns', () => {
  const format = 'anthropic-claude-v1'
  const tool_calls = [
    { id: 'c', type: 'function' as const, function: { name: 'f', arguments: '{}' } },
  ]
  const result = { role: 'tool' as const, tool_call_id: 'c', content: 'ok' }
  const toolTurn = (details: Details) => [
    ...messages,
    { role: 'assistant' as const, content: null, tool_calls, reasoning_details: details },
    result,
  ]
  const contentOf = (details: Details) => {
    const body = { messages: toolTurn(details) }
    return translated(body, 'claude-opus-4-8').body.messages[1]?.content
  }
  const toolUse = { type: 'tool_use', id: 'c', name: 'f', input: {} }

  test('comes before the tool calls, with signatures, joined from the pieces of a stream', () => {
    const details = [
      { type: 'reasoning.text', text: 'First, ', format, index: 0 },
      { type: 'reasoning.text', text: 'I look.', format, index: 0 },
      { type: 'reasoning.text', text: '', signature: 'sig', format, index: 0 },
      { type: 'reasoning.encrypted', data: 'opaque', format, index: 1 },
    ]

    expect(contentOf(details)).toEqual([
      { type: 'thinking', thinking: 'First, I look.', signature: 'sig' },
      { type: 'redacted_thinking', data: 'opaque' },
      toolUse,
    ])
  })

  test('of another model is dropped, because its signature is that model’s', () => {
    const item = { type: 'reasoning.text', text: 'Hm', signature: 'sig', format, index: 0 }

    expect(contentOf([{ ...item, model: 'claude-opus-5-5' }])).toEqual([toolUse])
    expect(contentOf([{ ...item, model: 'claude-opus-4-8' }])).toHaveLength(2)
  })

  test('of other vendors and without a signature is dropped', () => {
    const details = [
      { type: 'reasoning.text', text: 'Hm', format, index: 0 },
      { type: 'reasoning.encrypted', data: 'x', format: 'openai-responses-v1', index: 1 },
    ]

    expect(contentOf(details)).toEqual([toolUse])
  })

  test('is needed by a model with a budget, which otherwise continues without thinking', () => {
    const body = { reasoning_effort: 'low', messages: toolTurn(undefined) }

    expect(thinking(body, 'claude-sonnet-4-5')).toMatchObject({
      thinking: undefined,
      leftOut: ['left_out'],
    })
    expect(thinking(body, 'claude-sonnet-4-6').thinking).toEqual(adaptive)
  })
})
