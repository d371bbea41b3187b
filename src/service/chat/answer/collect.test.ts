import { expect, test } from 'vitest'
import type { ChatDelta, FinishReason } from '../../../shared/chat/chat.ts'
import { parseExact } from '../../exact-json.ts'
import { wholeAnswer } from './collect.ts'

interface Piece {
  index?: number
  delta: ChatDelta
}

/** The result for an answer of these deltas whose choices end in the given order. */
function choicesOf(deltas: Piece[], finished: [number, FinishReason][] = [[0, 'stop']]) {
  const pieces = deltas.map(({ index = 0, delta }) => ({ index, delta, finish_reason: null }))
  const ends = finished.map(([index, finish_reason]) => ({ index, delta: {}, finish_reason }))
  return wholeAnswer({ choices: [...pieces, ...ends], usage: null }).choices
}

test('joins the pieces of each kind of text', () => {
  const choices = choicesOf([
    { delta: { reasoning_content: 'Hm' } },
    { delta: { reasoning_content: ', so.' } },
    { delta: { content: 'Hel' } },
    { delta: { content: 'lo' } },
  ])

  expect(choices).toEqual([
    {
      index: 0,
      message: {
        role: 'assistant',
        content: 'Hello',
        refusal: null,
        reasoning_content: 'Hm, so.',
      },
      finish_reason: 'stop',
      logprobs: null,
    },
  ])
})

test('an empty answer has an empty text, not null', () => {
  expect(choicesOf([{ delta: {} }])).toMatchObject([{ message: { content: '' } }])
})

test('content is null if there are tool calls or a refusal', () => {
  const call = { index: 0, id: 'call_1', function: { name: 'f', arguments: '{}' } }

  expect(choicesOf([{ delta: { tool_calls: [call] } }], [[0, 'tool_calls']])).toMatchObject([
    { message: { content: null } },
  ])
  expect(choicesOf([{ delta: { refusal: 'No.' } }])).toMatchObject([
    { message: { content: null, refusal: 'No.' } },
  ])
})

test('tool calls have consecutive indices in the order they began, whatever the upstream’s indices', () => {
  const call = (index: number, id: string) => ({
    delta: { tool_calls: [{ index, id, function: { name: id, arguments: '' } }] },
  })
  const more = (index: number, text: string) => ({
    delta: { tool_calls: [{ index, function: { arguments: text } }] },
  })

  const [choice] = choicesOf(
    [
      call(4_000_000_000, 'b'),
      call(1, 'a'),
      more(1, '{"x"'),
      more(4_000_000_000, '{}'),
      more(1, ':1}'),
    ],
    [[0, 'tool_calls']],
  )

  expect(choice?.message.tool_calls).toEqual([
    { id: 'b', type: 'function', function: { name: 'b', arguments: '{}' } },
    { id: 'a', type: 'function', function: { name: 'a', arguments: '{"x":1}' } },
  ])
})

test('choices are in the order of their indices, regardless of which ended first', () => {
  const choices = choicesOf(
    [
      { index: 1, delta: { content: 'one' } },
      { index: 0, delta: { content: 'zero' } },
    ],
    [
      [1, 'stop'],
      [0, 'length'],
    ],
  )

  expect(choices.map(({ index, message }) => [index, message.content])).toEqual([
    [0, 'zero'],
    [1, 'one'],
  ])
})

test('the parts of a legacy function call, of audio and of reasoning details are joined', () => {
  const [choice] = choicesOf([
    { delta: { function_call: { name: 'f', arguments: '{"x"' } } },
    { delta: { function_call: { arguments: ':1}' } } },
    { delta: { audio: { id: 'audio_1', transcript: 'Hel' } } },
    { delta: { audio: { transcript: 'lo', data: 'AA' } } },
    { delta: { reasoning_details: [{ index: 0, type: 'reasoning.text', text: 'Hm' }] } },
    { delta: { reasoning_details: [{ index: 0, text: ', so.', signature: 's' }] } },
    { delta: { reasoning_details: [{ index: 1, type: 'reasoning.text', text: 'Then' }] } },
  ])

  expect(choice?.message).toMatchObject({
    content: null,
    function_call: { name: 'f', arguments: '{"x":1}' },
    audio: { id: 'audio_1', transcript: 'Hello', data: 'AA' },
    reasoning_details: [
      { index: 0, type: 'reasoning.text', text: 'Hm, so.', signature: 's' },
      { index: 1, text: 'Then' },
    ],
  })
})

test('items without an index are appended, and other fields keep the last value', () => {
  const citation = (url: string) => ({ type: 'url_citation', url_citation: { url } })
  const [choice] = choicesOf([
    { delta: { annotations: [citation('a')], mood: 'good' } },
    { delta: { annotations: [citation('b')], mood: 'better' } },
  ])

  expect(choice?.message).toMatchObject({
    annotations: [citation('a'), citation('b')],
    mood: 'better',
  })
})

test('joining another delta does not change the first one', () => {
  const delta = { audio: { transcript: 'Hel' } }
  choicesOf([{ delta }, { delta: { audio: { transcript: 'lo' } } }])

  expect(delta).toEqual({ audio: { transcript: 'Hel' } })
})

test('long numbers of unknown fields keep their digits', () => {
  const own: unknown = parseExact('12345678901234567890')

  const choices = choicesOf([{ delta: { content: 'Hi', own } }, { delta: { list: [own] } }])

  expect(JSON.stringify(choices)).toContain('"own":12345678901234567890')
  expect(JSON.stringify(choices)).toContain('"list":[12345678901234567890]')
})
