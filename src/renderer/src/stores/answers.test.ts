import { describe, expect, test } from 'vitest'
import type { ConversationMessage } from '../../../shared/entities.ts'
import { message } from '../../../../test/renderer-harness/scenes.ts'
import { keptAnswer, otherThan, setAside, turnsOf } from './answers.ts'

const question = message('user', 'Which?')
const first = message('assistant', 'One.')
const second = message('assistant', 'Two.')
const later = message('user', 'Why?')

const aside = (answer: ConversationMessage) => ({ ...answer, isSetAside: true })

test('the answers between two questions are one turn, those set aside apart', () => {
  expect(turnsOf([question, aside(first), second, later])).toEqual([
    { kind: 'question', message: question },
    { kind: 'answers', id: first.id, shown: [second], setAside: [aside(first)] },
    { kind: 'question', message: later },
  ])
})

describe('the answer that stands', () => {
  test('is the last that was not set aside', () => {
    expect(keptAnswer([question, first, aside(second)])).toEqual(first)
  })

  test('is none while the last question has none', () => {
    expect(keptAnswer([question, first, later])).toBeNull()
  })
})

describe('the answer that another was chosen over', () => {
  test('is the one beside it', () => {
    expect(otherThan(second, [question, first, second, later])).toEqual(first)
  })

  test('is the one that stood in its place', () => {
    expect(otherThan(aside(first), [question, aside(first), second])).toEqual(second)
  })
})

test('answers make room for a new one, unless it comes beside them', () => {
  const messages = [question, first]
  expect(setAside(messages, question.id, false)).toEqual([question, aside(first)])
  expect(setAside(messages, question.id, true)).toEqual(messages)
})
