import { expect, test } from 'vitest'
import type { BudgetAlert } from '../../shared/routers/budget-alert.ts'
import { BudgetAlerts, type WatchedBudget } from './budget-alerts.ts'

const day = { startMs: 0, endMs: 86_400_000, spentNanoUsd: 6e9, reservedNanoUsd: 0 }
const sixOfTen: WatchedBudget = {
  owner: { kind: 'router', id: 'router_a', name: 'Team' },
  budget: { budgetUsdPerDay: 10, budgetUsdPerMonth: null },
  figures: { day, month: day },
}

/** @param failures  the error of each attempt to store; none when the list is used up */
function startAlerts(failures: Error[]) {
  const attempts: number[] = []
  const alerted: BudgetAlert[] = []
  const errors: unknown[] = []
  const alerts = new BudgetAlerts({
    store: {
      async add({ level }) {
        attempts.push(level)
        const failure = failures.shift()
        if (failure) throw failure
        return true
      },
    },
    isDelivered: () => false,
    onAlerts: (news) => alerted.push(...news),
    onError: (error) => errors.push(error),
    newId: () => 'alert',
    now: () => 1_000,
  })
  return { alerts, attempts, alerted, errors }
}

test('a level that could not be stored is tried again with the next request, and then no more', async () => {
  const full = new Error('the disk is full')
  const { alerts, attempts, alerted, errors } = startAlerts([full])
  alerts.check([sixOfTen])
  await alerts.close()
  expect(alerted).toEqual([])

  for (let request = 0; request < 3; request += 1) {
    alerts.check([sixOfTen])
    await alerts.close()
  }

  expect(attempts).toEqual([50, 50])
  expect(alerted).toMatchObject([{ level: 50, usedUsd: 6 }])
  expect(errors).toEqual([full])
})
