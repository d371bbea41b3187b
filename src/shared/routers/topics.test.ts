/** The probability of each topic, from the record of a request. */
import { expect, test } from 'vitest'
import { topicNames, topicShares } from './topics.ts'

const shareOf = (shares: readonly number[], topic: (typeof topicNames)[number]) =>
  shares[topicNames.indexOf(topic)]

test('all topics are equal when none is named', () => {
  expect(topicShares([])).toEqual(topicNames.map(() => 1 / 27))
})

test('the other topics share the rest equally', () => {
  const shares = topicShares([
    ['law', 0.5],
    ['physics', 0.25],
  ])
  expect(shareOf(shares, 'law')).toBe(0.5)
  expect(shareOf(shares, 'physics')).toBe(0.25)
  expect(shareOf(shares, 'trivia')).toBe(0.01)
})

test('named topics that round to more than 1 leave 0 for the others', () => {
  const shares = topicShares([
    ['law', 0.7],
    ['physics', 0.301],
  ])
  expect(shareOf(shares, 'trivia')).toBe(0)
})
