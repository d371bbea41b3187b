import { expect, test } from 'vitest'
import type { ChatDelta, ChunkChoice } from '../../../shared/chat/chat.ts'
import { TextChoice } from '../../../shared/strings/text-choice.ts'
import { AnswerBeginning } from './answer-beginning.ts'

const stopped = new Map([[0, 'stop']])
const piece = (delta: ChatDelta): ChunkChoice => ({ index: 0, delta, finish_reason: null })
const text = (content: string) => new TextChoice(0, content, '{}')

/** The message of the first choice. */
function messageOf(choices: readonly ChunkChoice[], checked = { text: false, calls: false }) {
  const beginning = new AnswerBeginning(checked)
  for (const choice of choices) beginning.add([choice])
  const read = beginning.read(stopped)
  return read && read[0]?.message
}

test('the beginning of a text is enough, and blanks before it do not count', () => {
  const blank = text(' '.repeat(500))
  const long = messageOf([
    blank,
    text('Hello'),
    ...Array.from({ length: 99 }, () => text(' world')),
  ])
  expect(long?.content).toMatch(/^ {500}Hello world/)
  expect(long?.content?.length).toBeLessThan(500 + 5 + 300)
})

test('a text that is checked is whole and in order, however its pieces arrive', () => {
  const pieces = [text('{"a"'), piece({ content: ':' }), text('1'), piece({ content: '}' })]
  expect(messageOf(pieces, { text: true, calls: false })?.content).toBe('{"a":1}')
})

test('texts and calls that are too long are not checked', () => {
  const long = Array.from({ length: 300 }, () => 'x'.repeat(1_000))
  const call = (argumentText: string) =>
    piece({
      tool_calls: [{ index: 0, id: 'c', type: 'function', function: { arguments: argumentText } }],
    })
  expect(messageOf(long.map(text), { text: true, calls: false })).toBeNull()
  expect(messageOf(long.map(call), { text: false, calls: true })).toBeNull()
  expect(messageOf(long.map(text), { text: false, calls: true })).toBeTruthy()
})

test('calls after a long text are read', () => {
  const call = { index: 0, id: 'c', type: 'function', function: { name: 'f', arguments: '{}' } }
  const pieces = [text('x'.repeat(1_000)), piece({ tool_calls: [call] })]
  expect(messageOf(pieces, { text: false, calls: true })?.tool_calls).toMatchObject([
    { function: { name: 'f', arguments: '{}' } },
  ])
})

test('reasoning is left out, and of audio only that it is there', () => {
  const pieces = [
    piece({ reasoning_content: 'x'.repeat(1_000) }),
    piece({ audio: { data: 'AAAA' } }),
    piece({ annotations: [] }),
  ]
  expect(messageOf(pieces)).toEqual({
    role: 'assistant',
    content: null,
    refusal: null,
    audio: true,
  })
})
