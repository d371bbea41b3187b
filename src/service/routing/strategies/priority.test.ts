import { expect, test } from 'vitest'
import { contender, sampleParameters } from '../../../../test/routing/sample-candidates.ts'
import { priority } from './priority.ts'

const first = contender('first', { quality: 0.1, costNanoUsd: 9_000 }, 0)
const second = contender('second', { quality: 0.9, costNanoUsd: 1 }, 1)

test('keeps the order of the list, whatever the estimates are', () => {
  expect(priority.rank([second, first], sampleParameters)).toEqual([first, second])
})

test('explains the position, and how to change it', () => {
  expect(priority.why([first, second], sampleParameters)).toBe('First in your list')
  expect(priority.why([second], sampleParameters)).toBe(
    'First in your list that can take the request',
  )
  expect(priority.flip([first, second], sampleParameters)).toBe(
    'moving p:second up in your list would choose it',
  )
})

test('never considers another model near enough for a conversation to stay', () => {
  expect(priority.isNear).toBeUndefined()
})
