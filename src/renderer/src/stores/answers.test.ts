import { threadOf } from '../../../../test/sample-conversations.ts'
import { describe, expect, test } from 'vitest'
import type { ConversationMessage } from '../../../shared/chat/conversations.ts'
import { message } from '../../../../test/renderer-harness/scenes.ts'
import { turnsOf } from '../../../shared/chat/conversation-turns.ts'
import {
  inPlaceOfSiblings,
  lastKeptAnswer,
  otherThan,
  setAside,
  shownAnswers,
  threadTurns,
} from './answers.ts'

const thread = threadOf([
  message('user', 'Which?'),
  message('assistant', 'One.'),
  message('assistant', 'Two.'),
  message('user', 'Why?'),
])
const [question, first, second, later] = thread as [
  ConversationMessage,
  ConversationMessage,
  ConversationMessage,
  ConversationMessage,
]

const aside = (answer: ConversationMessage) => ({ ...answer, isSetAside: true })

const failed: ConversationMessage = { ...second, state: 'failed', error: 'The upstream is down.' }

test('the answers that are not set aside are shown; the last one when all are', () => {
  expect(shownAnswers({ answers: [aside(first), second] })).toEqual([second])
  expect(shownAnswers({ answers: [aside(first), aside(second)] })).toEqual([aside(second)])
})

describe('the kept answer to the last question', () => {
  test('is the one that a failed answer was meant to replace', () => {
    expect(lastKeptAnswer([question, aside(first), failed])).toEqual(aside(first))
  })

  test('is null while the last question has no answer', () => {
    expect(lastKeptAnswer(thread)).toBeNull()
  })
})

describe('the rejected answer', () => {
  test('is the one beside it', () => {
    expect(otherThan(second, [question, first, second, later])).toEqual(first)
  })

  test('is the one shown in its place', () => {
    expect(otherThan(aside(first), [question, aside(first), second])).toEqual(second)
  })
})

test('messages are set aside for a new one in their place', () => {
  expect(setAside(thread, [first])).toEqual([question, aside(first), second, later])
})

test('a message is shown in place of its siblings, and the turns before it stay the same', () => {
  const edited = { ...later, id: 'edited' }
  const messages = [question, aside(first), second, aside(later), edited]
  const [before] = threadTurns(messages)
  const shown = inPlaceOfSiblings(messages, aside(later))
  expect(shown).toEqual([question, aside(first), second, later, aside(edited)])
  expect(threadTurns(shown)).toEqual(turnsOf(shown))
  expect(threadTurns(shown)[0]).toBe(before)
  // The first turn, and a message that the path does not have.
  for (const other of [aside(first), message('user', 'Elsewhere')]) {
    const changed = inPlaceOfSiblings(shown, other)
    expect(threadTurns(changed)).toEqual(turnsOf(changed))
  }
})
