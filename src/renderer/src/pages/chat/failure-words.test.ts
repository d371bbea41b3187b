import { expect, test } from 'vitest'
import { budgetName } from '../../../../shared/routers/budget.ts'
import { failureWords, isOverBudget } from './failure-words.ts'

const nowMs = Date.UTC(2026, 10, 23, 17)
const refusalOf = (owner: 'router' | 'key') =>
  `$0 is left of ${budgetName(owner, '$1,005.00', 'day')}. It resets at 2026-11-24T00:00:00Z.`
const [refusal, ofKey] = [refusalOf('router'), refusalOf('key')]

test('a used budget resets in hours, not at a time of day elsewhere', () => {
  expect(failureWords(refusal, nowMs)).toBe(
    '$0 is left of the router’s budget of $1,005.00 a day. It resets in 7 hours.',
  )
})

test.each([
  ['the budget of then', refusal, { budgetUsdPerDay: 1_005, budgetUsdPerMonth: null }, 0, true],
  ['a raised budget', refusal, { budgetUsdPerDay: 2_000, budgetUsdPerMonth: null }, 0, false],
  ['no budget any more', refusal, { budgetUsdPerDay: null, budgetUsdPerMonth: null }, 0, false],
  ['a new day', refusal, { budgetUsdPerDay: 1_005, budgetUsdPerMonth: null }, 8, false],
  ['a budget of a key', ofKey, { budgetUsdPerDay: 1_005, budgetUsdPerMonth: null }, 0, false],
  [
    'another failure',
    'No model could answer.',
    { budgetUsdPerDay: 1_005, budgetUsdPerMonth: 1 },
    0,
    false,
  ],
] as const)(
  'with %s, the same request would be refused: %#',
  (_name, error, budget, hours, isRefused) => {
    expect(isOverBudget(error, budget, nowMs + hours * 3_600_000)).toBe(isRefused)
  },
)
