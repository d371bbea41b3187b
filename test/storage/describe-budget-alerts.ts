import { expect, test } from 'vitest'
import type { BudgetAlert } from '../../src/shared/routers/budget-alert.ts'
import type { Storage } from '../../src/service/storage/storage.ts'

const dayMs = 86_400_000

function alertOf(changes: Partial<BudgetAlert> = {}): BudgetAlert {
  return {
    id: 'alert-1',
    owner: { kind: 'router', id: 'router_1', name: 'Team' },
    level: 80,
    usedUsd: 8.1,
    limitUsd: 10,
    period: { per: 'day', startMs: 0, endMs: dayMs },
    createdAtMs: 1_000,
    ...changes,
  }
}

export function describeBudgetAlerts(storage: () => Storage): void {
  test('an alert is new once per owner, period and level', async () => {
    const { budgetAlerts } = storage()
    const nextDay = { per: 'day', startMs: dayMs, endMs: 2 * dayMs } as const
    const month = { per: 'month', startMs: 0, endMs: 30 * dayMs } as const
    const key = { kind: 'key', id: 'router_1', name: 'laptop' } as const

    expect(await budgetAlerts.add(alertOf(), true)).toBe(true)
    expect(await budgetAlerts.add(alertOf({ id: 'alert-2' }), true)).toBe(false)
    expect(await budgetAlerts.add(alertOf({ id: 'alert-3', level: 100 }), true)).toBe(true)
    expect(await budgetAlerts.add(alertOf({ id: 'alert-4', period: nextDay }), true)).toBe(true)
    expect(await budgetAlerts.add(alertOf({ id: 'alert-5', period: month }), true)).toBe(true)
    expect(await budgetAlerts.add(alertOf({ id: 'alert-6', owner: key }), true)).toBe(true)
  })

  test('alerts wait until they are settled, the oldest first', async () => {
    const { budgetAlerts } = storage()
    await budgetAlerts.add(alertOf({ id: 'b', level: 100, createdAtMs: 2_000 }), true)
    await budgetAlerts.add(alertOf({ id: 'a', createdAtMs: 1_000 }), true)
    await budgetAlerts.add(alertOf({ id: 'none', level: 50 }), false)

    const waiting = async (sinceMs = 0) => (await budgetAlerts.waiting(sinceMs)).map(({ id }) => id)
    expect(await waiting()).toEqual(['a', 'b'])
    expect(await waiting(1_001)).toEqual(['b'])
    await budgetAlerts.settle('a')
    expect(await budgetAlerts.waiting(0)).toEqual([
      alertOf({ id: 'b', level: 100, createdAtMs: 2_000 }),
    ])
  })
}
