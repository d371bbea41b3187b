import { expect, test } from 'vitest'
import type { ModelRating } from './model-facts.ts'
import { formatRating } from './rating-words.ts'

const rating: ModelRating = {
  effort: 'none',
  points: 1464,
  halfWidth: 28,
  strength: 25,
  offsets: {},
  outputRatio: 1,
  source: 'LiveBench, release 2026-06-25',
  asOf: '2026-06-25',
  basis: 'measured',
}

test.each<[ModelRating | null, string | null]>([
  [rating, '1464 ± 28 at none'],
  [{ ...rating, effort: null }, '1464 ± 28'],
  [{ ...rating, basis: 'sibling' }, '1464 ± 28 at none, sibling'],
  [{ ...rating, basis: 'user', halfWidth: null, points: 1299.6 }, '1300, rated by you'],
  [null, null],
])('a rating has its range, its effort and where it is from: %#', (given, words) => {
  expect(formatRating(given)).toBe(words)
})
