import { describe, expect, test } from 'vitest'
import type { ConversationMessage } from '../../../shared/entities.ts'
import { message } from '../../../../test/renderer-harness/scenes.ts'
import { lastKeptAnswer, otherThan, setAside, splitAnswers } from './answers.ts'

const question = message('user', 'Which?')
const first = message('assistant', 'One.')
const second = message('assistant', 'Two.')
const later = message('user', 'Why?')

const aside = (answer: ConversationMessage) => ({ ...answer, isSetAside: true })

const failed: ConversationMessage = { ...second, state: 'failed', error: 'The upstream is down.' }

test('the answers of a turn are shown or set aside', () => {
  expect(splitAnswers({ answers: [aside(first), second] })).toEqual({
    shown: [second],
    setAside: [aside(first)],
  })
})

describe('the kept answer to the last question', () => {
  test('is the one that a failed answer was meant to replace', () => {
    expect(lastKeptAnswer([question, aside(first), failed])).toEqual(aside(first))
  })

  test('is null while the last question has no answer', () => {
    expect(lastKeptAnswer([question, first, later])).toBeNull()
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

test('existing answers are set aside for a new one, unless it is shown beside them', () => {
  const messages = [question, first]
  expect(setAside(messages, question.id, false)).toEqual([question, aside(first)])
  expect(setAside(messages, question.id, true)).toEqual(messages)
})
