import { expect, test } from 'vitest'
import { BudgetAccount, differencesOf } from './budget-account.ts'

const dayMs = 86_400_000
const today = Date.UTC(2026, 10, 20)
const noonMs = today + dayMs / 2
const owner = { kind: 'router', id: 'router_a', spenderIds: ['router_a'] } as const

test('a period that was spent on after the clock went back is not compared with rows, the next one is', () => {
  const account = new BudgetAccount(noonMs)
  account.addHistory([{ dayStartMs: today - dayMs, costNanoUsd: 3 }])
  account.day.spentNanoUsd += 5
  account.month.spentNanoUsd += 5
  const rows = [{ dayStartMs: today - dayMs, costNanoUsd: 3 }]
  expect(differencesOf(owner, account, rows)).toMatchObject([
    { period: 'day', budgetNanoUsd: 5, rowsNanoUsd: 0 },
    { period: 'month', budgetNanoUsd: 8, rowsNanoUsd: 3 },
  ])

  // The rows of what is spent now are of yesterday.
  account.advanceTo(noonMs - dayMs)
  account.advanceTo(noonMs)
  expect(differencesOf(owner, account, rows)).toMatchObject([{ period: 'month' }])

  account.advanceTo(noonMs + dayMs)
  account.day.spentNanoUsd += 2
  expect(differencesOf(owner, account, rows)).toMatchObject([
    { period: 'day', budgetNanoUsd: 2, rowsNanoUsd: 0 },
    { period: 'month' },
  ])
})
