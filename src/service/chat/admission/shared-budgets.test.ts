/** Budgets that other services change at the same time. */
import { expect, test } from 'vitest'
import { sampleDetail, sampleRouter } from '../../../../test/storage/samples.ts'
import { candidate, sampleEstimate } from '../../../../test/routing/sample-candidates.ts'
import { BudgetAccount } from '../../storage/budget-account.ts'
import type { BudgetStore } from '../../storage/budget-store.ts'
import { StorageUnavailable } from '../../storage/storage-errors.ts'
import type { Plan } from '../chat-call.ts'
import { Budgets } from './budgets.ts'

const noon = Date.UTC(2026, 10, 21, 12)
const router = sampleRouter({ id: 'router_a', budgetUsdPerDay: 5, budgetUsdPerMonth: null })
/** An answer of one token costs $1 and the prompt is free. */
const dollar = candidate({ price: { inputUsdPerMtok: 0, outputUsdPerMtok: 1_000_000 } })
const entry = {
  model: dollar.modelId,
  position: dollar.position,
  estimate: sampleEstimate(),
}
const plan: Plan = {
  keepsFirst: false,
  identity: null,
  prompt: { promptTokens: 0 },
  ranked: [{ ...entry, candidate: dollar }],
  record: { ...sampleDetail().decision, ranked: [{ ...entry, reason: null }] },
}
const call = {
  requestId: 'request-1',
  router,
  apiKeyId: null,
  body: { messages: [], max_tokens: 1 },
  startedAtMs: noon,
}

function startBudgets(over: Partial<BudgetStore>) {
  const account = new BudgetAccount(noon)
  const refused: string[] = []
  const store: BudgetStore = {
    leased: null,
    known: () => account,
    read: async () => {},
    reserve: async () => true,
    release: async () => {},
    settle: async () => {},
    differences: async () => [],
    ...over,
  }
  const onRefused = ({ routerId }: { routerId: string }) => refused.push(routerId)
  const budgets = new Budgets({ store, budgetOfKey: () => null, onRefused, now: () => noon })
  return { account, budgets, refused }
}

test('a request is refused only by figures that were just read', async () => {
  const { account, budgets, refused } = startBudgets({
    read: async () => {
      account.day.reservedNanoUsd = 0
    },
  })
  account.day.reservedNanoUsd = 5e9

  expect((await budgets.reserve(call, plan)).plan).toBe(plan)
  expect(refused).toEqual([])
  account.day.spentNanoUsd = 5e9
  await expect(budgets.reserve(call, plan)).rejects.toMatchObject({ code: 'budget_exceeded' })
  expect(refused).toEqual(['router_a'])
})

test('a reservation that the storage cannot make is refused as unavailable', async () => {
  const { budgets } = startBudgets({
    reserve: () => Promise.reject(new StorageUnavailable('PostgreSQL is gone.')),
  })
  await expect(budgets.reserve(call, plan)).rejects.toMatchObject({ code: 'storage_unavailable' })
})

test('money is reserved in the day in which the request began', async () => {
  const days: number[] = []
  const { budgets } = startBudgets({
    reserve: async ({ nowMs }) => days.push(nowMs) > 0,
  })
  await budgets.reserve({ ...call, startedAtMs: noon - 43_200_001 }, plan)
  expect(days).toEqual([noon - 43_200_001])
})
