/** Tests what gives no signal; `test/routing/signals.test.ts` shows each signal. */
import { expect, test } from 'vitest'
import type { CompletionChoice, CompletionMessage } from '../../../shared/chat/chat.ts'
import { answerSignal, type SignalContext } from './answer-signals.ts'

function choice(message: Partial<CompletionMessage>, finish_reason = 'stop'): CompletionChoice {
  return {
    index: 0,
    message: { role: 'assistant', content: null, refusal: null, ...message },
    finish_reason,
    logprobs: null,
  }
}

function context(over: Partial<SignalContext> = {}): SignalContext {
  const messages = [{ role: 'user' as const, content: 'Hello' }]
  return {
    body: { messages, response_format: { type: 'json_object' } },
    schemaMatch: () => null,
    usage: null,
    isLimited: false,
    ...over,
  }
}

const called = (name: string, text: string) =>
  choice({ tool_calls: [{ id: 'c', type: 'function', function: { name, arguments: text } }] })
const tools = [{ type: 'function', function: { name: 'f', parameters: { type: 'object' } } }]

test.each([
  ['no choice', []],
  ['audio without a text', [choice({ audio: { data: 'AAAA' } })]],
  ['an image among the parts', [choice({ content: [{ type: 'image_url' }] })]],
  ['an end that is unknown', [choice({ content: 'Bonn' }, 'paused')]],
])('%s shows nothing', (_what, choices) => {
  expect(answerSignal(choices, context())).toBeNull()
})

test.each([
  ['an empty answer', choice({ content: '' }), 'empty'],
  ['only thinking', choice({ content: [{ type: 'thinking', thinking: 'Hm' }] }), 'empty'],
  ['an answer that is cut off', choice({ content: '{"a":' }, 'length'), 'cut_off'],
  ['a refusal', choice({ refusal: 'No.' }), 'refused'],
])('%s is not expected to be JSON as well', (_what, answer, name) => {
  expect(answerSignal([answer], context())).toEqual({ name, isGood: false })
})

test('a call in place of the JSON is checked as a call', () => {
  const body = { ...context().body, tools }
  const given = context({ body, schemaMatch: () => true })
  expect(answerSignal([called('f', '{}')], given)).toEqual({ name: 'tool_call', isGood: true })
  expect(answerSignal([called('g', '{}')], given)).toEqual({ name: 'tool_call', isGood: false })
})

test('arguments that cannot be checked show nothing, unless they are no JSON object', () => {
  const given = context({ body: { ...context().body, tools } })
  expect(answerSignal([called('f', '{}')], given)).toBeNull()
  expect(answerSignal([called('f', '[')], given)).toEqual({ name: 'tool_call', isGood: false })
})

test('one of several answers that is not JSON is enough', () => {
  const answers = [choice({ content: '{}' }), choice({ content: 'Bonn' })]
  expect(answerSignal(answers, context())).toEqual({ name: 'format', isGood: false })
  expect(answerSignal(answers.slice(0, 1), context())).toEqual({ name: 'format', isGood: true })
})

test('an answer that a budget made shorter was not cut off by its model', () => {
  const cut = [choice({ content: 'Bonn' }, 'length')]
  expect(answerSignal(cut, context({ isLimited: true }))).toBeNull()
  expect(answerSignal(cut, context())).toEqual({ name: 'cut_off', isGood: false })
})
