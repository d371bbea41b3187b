import { expect, test } from 'vitest'
import { changeText, qualityChangeText, skippedText } from './replay-words.ts'

test.each([
  [2, 1, '−50 %'],
  [1, 1.124, '+12 %'],
  [1, 1.001, 'the same'],
  [0, 0, 'the same'],
  [0, 3, null],
])('from %j to %j is %j', (from, to, text) => {
  expect(changeText(from, to)).toBe(text)
})

test.each([
  [0.81, 0.79, '−0.02'],
  [0.79, 0.812, '+0.02'],
  [0.8, 0.801, 'the same'],
])('quality from %j to %j is %j', (from, to, text) => {
  expect(qualityChangeText(from, to)).toBe(text)
})

test('what was left out is told with its reasons', () => {
  const none = { failed: 0, pinned: 0, from_cache: 0, cascade: 0, not_recorded: 0 }
  expect(skippedText({ skipped: none })).toBeNull()
  expect(skippedText({ skipped: { ...none, failed: 2, not_recorded: 1200 } })).toBe(
    'Left out: 2 without an answer, 1,200 without recorded estimates.',
  )
})
