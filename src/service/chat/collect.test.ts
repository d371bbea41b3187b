import { expect, test } from 'vitest'
import type { ChatDelta, FinishReason } from '../../shared/chat.ts'
import { wholeAnswer } from './collect.ts'

interface Said {
  index?: number
  delta: ChatDelta
}

/** Of an answer of these deltas whose choices end in the order given. */
function choicesOf(deltas: Said[], finished: [number, FinishReason][] = [[0, 'stop']]) {
  const said = deltas.map(({ index = 0, delta }) => ({ index, delta, finish_reason: null }))
  const ends = finished.map(([index, finish_reason]) => ({ index, delta: {}, finish_reason }))
  return wholeAnswer({ choices: [...said, ...ends], usage: null }).choices
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
      message: { role: 'assistant', content: 'Hello', reasoning_content: 'Hm, so.' },
      finish_reason: 'stop',
    },
  ])
})

test('an empty answer is an empty text, not null', () => {
  expect(choicesOf([{ delta: {} }])).toMatchObject([{ message: { content: '' } }])
})

test('content is null beside tool calls, and beside a refusal', () => {
  const call = { index: 0, id: 'call_1', function: { name: 'f', arguments: '{}' } }

  expect(choicesOf([{ delta: { tool_calls: [call] } }], [[0, 'tool_calls']])).toMatchObject([
    { message: { content: null } },
  ])
  expect(choicesOf([{ delta: { refusal: 'No.' } }])).toMatchObject([
    { message: { content: null, refusal: 'No.' } },
  ])
})

test('tool calls come back dense and in the order they began, whatever their indices', () => {
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

test('choices are in the order of their indices, whichever ended first', () => {
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
