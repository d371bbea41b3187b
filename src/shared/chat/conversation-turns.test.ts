import { describe, expect, test } from 'vitest'
import { keptAnswer, turnsOf } from './conversation-turns.ts'
import type { ConversationMessage } from '../entities.ts'

let count = 0

function message(
  role: ConversationMessage['role'],
  given: Partial<ConversationMessage> = {},
): ConversationMessage {
  count += 1
  return {
    id: `message-${count}`,
    role,
    text: `Text ${count}`,
    createdAtMs: count,
    state: 'complete',
    error: null,
    errorDetail: null,
    isSetAside: false,
    routerId: null,
    meta: null,
    agentMeta: null,
    ...given,
  }
}

const question = message('user')
const first = message('assistant')
const second = message('assistant')
const setAside = { ...first, isSetAside: true }
const failed = message('assistant', { state: 'failed', error: 'The upstream is down.' })
const stoppedEmpty = message('assistant', { state: 'stopped', text: '' })

test('a turn is a question with its answers', () => {
  const later = message('user')

  expect(turnsOf([first, question, first, second, later])).toEqual([
    { question, answers: [first, second] },
    { question: later, answers: [] },
  ])
})

describe('the kept answer', () => {
  test('is the last one that is not set aside', () => {
    expect(keptAnswer([first, second])).toBe(second)
    expect(keptAnswer([second, setAside])).toBe(second)
  })

  test('is not a failed one beside it', () => {
    expect(keptAnswer([first, failed])).toBe(first)
  })

  test('is the replaced answer when the new one failed', () => {
    expect(keptAnswer([setAside, failed])).toBe(setAside)
  })

  test('is the replaced answer when the new one was stopped before its first word', () => {
    expect(keptAnswer([setAside, stoppedEmpty])).toBe(setAside)
  })

  test('is a partial answer that was stopped', () => {
    const partial = message('assistant', { state: 'stopped' })

    expect(keptAnswer([partial])).toBe(partial)
  })

  test('is null when no answer has text', () => {
    expect(keptAnswer([])).toBeNull()
    expect(keptAnswer([failed, stoppedEmpty])).toBeNull()
  })
})
