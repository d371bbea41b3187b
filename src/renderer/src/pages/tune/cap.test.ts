import { expect, test } from 'vitest'
import { capWarning, startText, suggestedCap } from './cap.ts'

function planned(lowUsd: number, expectedUsd: number, highestUsd: number) {
  const prompts = {
    found: 150,
    duplicates: 0,
    ungradable: 0,
    chosen: 100,
    checked: 100,
    judged: 0,
  }
  return { cost: { lowUsd, expectedUsd, highestUsd }, leastCapUsd: highestUsd / 80, prompts }
}

test('the suggested cap covers longer answers and the highest cost of the last prompt', () => {
  expect(suggestedCap(planned(0.31, 0.52, 4.8))).toBe('0.84')
})

test('the suggested cap is at most the highest cost, rounded up', () => {
  expect(suggestedCap(planned(0.9, 1, 1.01))).toBe('1.10')
  expect(suggestedCap(planned(80, 90, 100))).toBe('100')
})

test('a suggested cap is at least a cent', () => {
  expect(suggestedCap(planned(0.0001, 0.0002, 0.0005))).toBe('0.01')
})

test.each([
  [1.2, 'Ask 100 prompts, spend at most $1.20'],
  [0, 'Ask 100 prompts at no cost'],
  [NaN, 'Ask 100 prompts'],
  [null, 'Ask 100 prompts'],
])('with a cap of %j, the button says "%s"', (capUsd, text) => {
  expect(startText(100, capUsd)).toBe(text)
})

test('a cap below the expected cost names how many prompts it probably pays for', () => {
  const plan = planned(0.31, 0.52, 4.8)
  expect(capWarning(0.26, plan)).toContain('about 50 of 100 prompts')
  expect(capWarning(0.52, plan)).toBeNull()
})
