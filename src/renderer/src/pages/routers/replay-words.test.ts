import { expect, test } from 'vitest'
import { changeText, qualityChangeText, skippedText } from './replay-words.ts'

test.each([
  [2, 1, '−50 %'],
  [1, 1.124, '+12 %'],
  [1, 1.001, 'no change'],
  [0, 0, 'no change'],
  [0, 3, null],
])('from %j to %j is %j', (from, to, text) => {
  expect(changeText(from, to)).toBe(text)
})

test.each([
  [0.81, 0.79, '−2'],
  [0.79, 0.812, '+2'],
  [0.8, 0.801, 'no change'],
])('quality from %j to %j is %j', (from, to, text) => {
  expect(qualityChangeText(from, to)).toBe(text)
})

test('requests that are not compared are counted by reason', () => {
  const none = {
    failed: 0,
    pinned: 0,
    from_cache: 0,
    cascade: 0,
    embeddings: 0,
    not_recorded: 0,
    no_model: 0,
  }
  expect(skippedText({ skipped: none })).toBeNull()
  expect(skippedText({ skipped: { ...none, failed: 2, not_recorded: 1200 } })).toBe(
    'Not compared: 2 failed, 1,200 without recorded estimates.',
  )
})
