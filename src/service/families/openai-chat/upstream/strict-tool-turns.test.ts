/** Ids and turns of conversations with tools, as Mistral takes them. */
import { expect, test } from 'vitest'
import type { ChatMessage } from '../../../../shared/chat/chat.ts'
import { lackAnswers, withAnswers, withStrictIds } from './strict-tool-turns.ts'

const calling = (...ids: string[]): ChatMessage => ({
  role: 'assistant',
  content: null,
  tool_calls: ids.map((id) => ({ id, type: 'function', function: { name: 'f', arguments: '{}' } })),
})
const result = (id: string): ChatMessage => ({ role: 'tool', tool_call_id: id, content: 'x' })
const user: ChatMessage = { role: 'user', content: 'Go on' }

function idsOf(messages: readonly ChatMessage[]): (string | undefined)[] {
  return messages.flatMap(({ tool_call_id: id, tool_calls: calls }) =>
    calls ? calls.map((call) => call.id) : [id],
  )
}

test('foreign ids become nine letters and digits, the same in call and result, and stay different', () => {
  const foreign = ['toolu_01A09q90qw90lq917835lq9', 'call_1', 'call_2', '', 'abc-12345']

  const ids = idsOf(withStrictIds([calling(...foreign), ...foreign.map(result)]))

  expect(ids.slice(foreign.length)).toEqual(ids.slice(0, foreign.length))
  expect(new Set(ids).size).toBe(foreign.length)
  for (const id of ids) expect(id).toMatch(/^[a-zA-Z0-9]{9}$/)
})

test('Mistral’s own ids stay', () => {
  expect(idsOf(withStrictIds([calling('D681PevKs'), result('D681PevKs')]))).toEqual([
    'D681PevKs',
    'D681PevKs',
  ])
})

test('an answer is added between results and what is neither a result nor an answer', () => {
  const messages = [user, calling('a', 'b'), result('a'), result('b'), user]

  expect(lackAnswers(messages)).toBe(true)
  expect(withAnswers(messages)).toEqual([
    user,
    calling('a', 'b'),
    result('a'),
    result('b'),
    { role: 'assistant', content: 'OK.' },
    user,
  ])
})

test('other turns stay as they are', () => {
  const messages = [user, calling('a'), result('a'), calling('b'), result('b')]

  expect(lackAnswers(messages)).toBe(false)
  expect(withAnswers(messages)).toEqual(messages)
})
