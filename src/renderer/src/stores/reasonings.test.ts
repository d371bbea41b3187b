import { beforeEach, expect, test } from 'vitest'
import { addReasoning, openReasoning, useReasonings, withOpenReasoning } from './reasonings.ts'

beforeEach(() => useReasonings.setState({}, true))

test('reasoning is copied with its answer only while it is open', () => {
  const answer = { id: 'a', text: '4' }
  addReasoning('a', 'Two and\n')
  addReasoning('a', 'two.')
  expect(withOpenReasoning(answer)).toEqual(answer)

  openReasoning('a', true)
  expect(withOpenReasoning(answer).text).toBe('> Two and\n> two.\n\n4')

  openReasoning('a', false)
  expect(withOpenReasoning(answer)).toEqual(answer)
})

test('an answer without reasoning stays as it is, and the oldest reasoning is dropped', () => {
  openReasoning('none', true)
  expect(withOpenReasoning({ id: 'none', text: '4' }).text).toBe('4')

  for (let nth = 0; nth < 60; nth += 1) addReasoning(`answer-${nth}`, 'x')
  expect(Object.keys(useReasonings.getState())).toHaveLength(50)
  expect(useReasonings.getState()).not.toHaveProperty('answer-0')
})
