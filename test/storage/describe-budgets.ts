import { expect, test } from 'vitest'
import type { BudgetLimit, BudgetOwner } from '../../src/service/storage/budget-store.ts'
import type { Storage } from '../../src/service/storage/storage.ts'
import { sampleDetail, sampleRecord } from './samples.ts'

const noon = Date.UTC(2026, 10, 21, 12)
const dayMs = 86_400_000
const router: BudgetOwner = { kind: 'router', id: 'router_a', spenderIds: ['router_a'] }
const key: BudgetOwner = { kind: 'key', id: 'key_a', spenderIds: ['key_a', 'key_b'] }
const perDay = (owner: BudgetOwner, perDayNanoUsd: number): BudgetLimit => ({
  owner,
  perDayNanoUsd,
  perMonthNanoUsd: null,
})

export function describeBudgets(storage: () => Storage): void {
  const reserve = (requestId: string, limits: readonly BudgetLimit[], nowMs = noon) =>
    storage().budgets.reserve({ requestId, nanoUsd: 10, limits, nowMs })

  test('are known once loaded, including the ledger’s costs of the day and month', async () => {
    const { budgets, ledger } = storage()
    const about = { routerId: router.id, costNanoUsd: 7 }
    const days = [noon - dayMs, noon]
    const rows = days.map((startedAtMs) =>
      sampleRecord({ ...about, id: `${startedAtMs}`, startedAtMs }),
    )
    await Promise.all(rows.map((row) => ledger.append(row, sampleDetail())))
    expect(budgets.known(router, noon)).toBeNull()
    expect(await reserve('too early', [perDay(router, 100)])).toBe(false)

    await budgets.read(router, noon)

    expect(budgets.known(router, noon)).toMatchObject({
      day: { spentNanoUsd: 7, reservedNanoUsd: 0 },
      month: { spentNanoUsd: 14, reservedNanoUsd: 0 },
    })
  })

  test('cover exactly 7 of 500 reservations at once', async () => {
    await storage().budgets.read(router, noon)
    const limits = [perDay(router, 79)]
    const granted = await Promise.all(
      Array.from({ length: 500 }, (_, nth) => reserve(`request ${nth}`, limits)),
    )
    expect(granted.filter(Boolean)).toHaveLength(7)
  })

  test('reserve money for every owner or for none', async () => {
    const { budgets } = storage()
    await Promise.all([budgets.read(router, noon), budgets.read(key, noon)])
    expect(await reserve('first', [perDay(router, 100), perDay(key, 5)])).toBe(false)
    expect(budgets.known(router, noon)?.day.reservedNanoUsd).toBe(0)
    expect(await reserve('second', [perDay(router, 100), perDay(key, 10)])).toBe(true)
    expect(budgets.known(key, noon)?.month.reservedNanoUsd).toBe(10)
  })

  test('reserve further money for a request, and return all of it at its end', async () => {
    const { budgets } = storage()
    await budgets.read(router, noon)
    const reserved = () => budgets.known(router, noon)?.day.reservedNanoUsd
    expect(await reserve('one', [perDay(router, 25)])).toBe(true)
    expect(await reserve('one', [perDay(router, 25)])).toBe(true)
    expect(await reserve('one', [perDay(router, 25)])).toBe(false)
    expect(reserved()).toBe(20)

    await budgets.settle({ requestId: 'one', owners: [router], costNanoUsd: 12, nowMs: noon })

    expect(reserved()).toBe(0)
    expect(budgets.known(router, noon)?.day.spentNanoUsd).toBe(12)
    expect(await reserve('two', [perDay(router, 25)])).toBe(true)
    await reserve('two', [perDay(router, 100)])
    await budgets.release('two')
    expect(reserved()).toBe(0)
  })

  test('replace a reservation with the actual cost, and return the rest', async () => {
    const { budgets } = storage()
    await budgets.read(router, noon)
    await reserve('settled', [perDay(router, 20)])
    await reserve('released', [perDay(router, 20)])
    await budgets.settle({ requestId: 'settled', owners: [router], costNanoUsd: 3, nowMs: noon })
    await budgets.release('released')
    expect(budgets.known(router, noon)?.day).toMatchObject({ spentNanoUsd: 3, reservedNanoUsd: 0 })
  })

  test('count a request on the day it began, and start each day with nothing spent', async () => {
    const { budgets } = storage()
    await budgets.read(router, noon)
    await reserve('late', [perDay(router, 10)])
    const tomorrow = noon + dayMs
    expect(await reserve('next day', [perDay(router, 10)], tomorrow)).toBe(true)
    const settlement = { requestId: 'late', owners: [router], costNanoUsd: 10, nowMs: tomorrow }
    await budgets.settle(settlement)
    expect(budgets.known(router, tomorrow)?.day).toMatchObject({ spentNanoUsd: 0 })
    expect(budgets.known(router, tomorrow)?.month).toMatchObject({ spentNanoUsd: 10 })
  })

  test('count what a rotated key’s successor spends', async () => {
    const { budgets, ledger } = storage()
    await budgets.read({ ...key, spenderIds: ['key_a'] }, noon)
    if (budgets.known(key, noon) === null) await budgets.read(key, noon)
    await reserve('first', [perDay(key, 100)])
    await budgets.settle({ requestId: 'first', owners: [key], costNanoUsd: 7, nowMs: noon })
    const row = { id: 'first', apiKeyId: 'key_b', costNanoUsd: 7, startedAtMs: noon }
    await ledger.append(sampleRecord(row), sampleDetail())

    await budgets.read(key, noon)

    expect(budgets.known(key, noon)?.day).toMatchObject({ spentNanoUsd: 7, reservedNanoUsd: 0 })
    expect(await budgets.differences(noon)).toEqual([])
  })

  test('are not refilled when the clock is set back', async () => {
    const { budgets } = storage()
    await budgets.read(router, noon)
    await reserve('first', [perDay(router, 10)])
    expect(await reserve('second', [perDay(router, 10)], noon - dayMs)).toBe(false)
  })
}
