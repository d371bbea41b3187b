import { expect, test } from 'vitest'
import { budgetName, namesRouterBudget } from '../../../../shared/routers/budget.ts'
import { failureWords } from './failure-words.ts'

const nowMs = Date.UTC(2026, 10, 23, 17)

test('a used budget resets in hours, not at a time of day elsewhere', () => {
  const refusal = `$0 is left of ${budgetName('router', '$5.00', 'day')}. It resets at 2026-11-24T00:00:00Z.`
  expect(failureWords(refusal, nowMs)).toBe(
    '$0 is left of the router’s budget of $5.00 a day. It resets in 7 hours.',
  )
  expect(namesRouterBudget(refusal)).toBe(true)
})

test('a budget of a key and other failures are not about the router’s budget', () => {
  expect(namesRouterBudget(budgetName('key', '$5.00', 'month'))).toBe(false)
  expect(namesRouterBudget('No model of this router could answer.')).toBe(false)
})
