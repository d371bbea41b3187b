import { expect, test } from 'vitest'
import type { ChatDelta, FinishReason } from '../../shared/chat.ts'
import type { ProviderChunk } from '../providers/provider.ts'
import { collectAnswer } from './collect.ts'

interface Said {
  index?: number
  delta: ChatDelta
}

/** An answer of these deltas whose choices end in the order given. */
async function* answer(
  deltas: Said[],
  finished: [number, FinishReason][] = [[0, 'stop']],
): AsyncGenerator<ProviderChunk> {
  for (const { index = 0, delta } of deltas) {
    yield { choices: [{ index, delta, finish_reason: null }], usage: null }
  }
  for (const [index, finish_reason] of finished) {
    yield { choices: [{ index, delta: {}, finish_reason }], usage: null }
  }
}

async function choicesOf(...args: Parameters<typeof answer>) {
  const { choices } = await collectAnswer(answer(...args))
  return choices
}

test('joins the pieces of each kind of text', async () => {
  const choices = await choicesOf([
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

test('an empty answer is an empty text, not null', async () => {
  expect(await choicesOf([{ delta: {} }])).toMatchObject([{ message: { content: '' } }])
})

test('content is null beside tool calls, and beside a refusal', async () => {
  const call = { index: 0, id: 'call_1', function: { name: 'f', arguments: '{}' } }

  expect(await choicesOf([{ delta: { tool_calls: [call] } }], [[0, 'tool_calls']])).toMatchObject([
    { message: { content: null } },
  ])
  expect(await choicesOf([{ delta: { refusal: 'No.' } }])).toMatchObject([
    { message: { content: null, refusal: 'No.' } },
  ])
})

test('tool calls come back dense and in the order they began, whatever their indices', async () => {
  const call = (index: number, id: string) => ({
    delta: { tool_calls: [{ index, id, function: { name: id, arguments: '' } }] },
  })
  const more = (index: number, text: string) => ({
    delta: { tool_calls: [{ index, function: { arguments: text } }] },
  })

  const [choice] = await choicesOf(
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

test('choices are in the order of their indices, whichever ended first', async () => {
  const choices = await choicesOf(
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
