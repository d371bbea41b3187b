import { expect, test } from 'vitest'
import { compareAnswers } from './compare-answers.ts'

const first = { costUsd: 0.002, latencyMs: 812, carbonGrams: 0.27 }

test('the second answer is compared with the first in cost, time and carbon', () => {
  const other = { costUsd: 0.0008, latencyMs: 1130, carbonGrams: 0.27 }
  expect(compareAnswers(first, other)).toEqual([
    { name: 'Cost', text: '$0.0012 less', isBetter: true },
    { name: 'Duration', text: '318 ms slower', isBetter: false },
    { name: 'CO₂e', text: 'the same', isBetter: null },
  ])
})

test('a difference too small to show counts as the same', () => {
  const [, time] = compareAnswers(first, { ...first, latencyMs: 812.3 })
  expect(time).toEqual({ name: 'Duration', text: 'the same', isBetter: null })
})
