/** Budget pacing over simulated months, with the real budgets. */
import { describe, expect, test } from 'vitest'
import { sampleDetail, sampleRecord, sampleRouter } from '../../../../test/storage/samples.ts'
import type { Router } from '../../../shared/entities.ts'
import { routingSettingsSchema } from '../../../shared/routers/routing-settings.ts'
import { openedAccount } from '../../routing/loss-account.ts'
import { policyOf } from '../../routing/parameters.ts'
import { rank } from '../../routing/rank.ts'
import {
  candidate,
  sampleContext,
  sampleQuality,
  priorKnowledge,
} from '../../../../test/routing/sample-candidates.ts'
import { BudgetAccounts } from '../../storage/sqlite/budget-accounts.ts'
import { Budgets } from './budgets.ts'
import { Pacing } from './pacing.ts'

const dayMs = 86_400_000
const firstOfMonth = Date.UTC(2026, 10, 1)
const price = (usdPerMtok: number) => ({
  inputUsdPerMtok: usdPerMtok,
  outputUsdPerMtok: usdPerMtok,
})
const cheap = candidate({ modelId: 'p:cheap', price: price(1), quality: sampleQuality(0.75) })
const dear = candidate({ modelId: 'p:dear', price: price(10), quality: sampleQuality(0.85) })
const gratis = candidate({ modelId: 'p:gratis', price: price(0) })

const paced = (over: Partial<Router> = {}): Router =>
  sampleRouter({
    strategy: 'quality_optimized',
    routing: routingSettingsSchema.parse({ pacing: true }),
    budgetUsdPerMonth: 10,
    ...over,
  })

interface Month {
  spentUsd: number
  refused: number
  /** Requests to the expensive model, by day. */
  dearByDay: number[]
}

/** A month of sixty requests a day, each at its expected cost. */
async function spendMonth(router: Router): Promise<Month> {
  let nowMs = firstOfMonth
  const store = new BudgetAccounts({ costsByDay: async () => [] })
  const budgets = new Budgets({ store, budgetOfKey: () => null, onRefused() {}, now: () => nowMs })
  const pacing = new Pacing({
    paceOf: (one) => budgets.paceOf(one),
    accountOf: () => openedAccount,
  })
  const month: Month = { spentUsd: 0, refused: 0, dearByDay: Array(30).fill(0) }
  const perDay = 60
  for (let nth = 0; nth < 30 * perDay; nth += 1) {
    nowMs = firstOfMonth + ((nth + 0.5) / perDay) * dayMs
    const call = {
      requestId: `${nth}`,
      router,
      apiKeyId: null,
      body: { messages: [], max_tokens: 300 },
      startedAtMs: nowMs,
    }
    await store.read({ kind: 'router', id: router.id, spenderIds: [router.id] }, nowMs)
    const context = sampleContext({
      promptTokens: 200 + ((nth * 37) % 50) * 60,
      maxOutputTokens: 300,
    })
    const candidates = [cheap, dear]
    const policy = policyOf(router, pacing.spendingOf(router, candidates, context.promptTokens))
    const { ranked } = rank(candidates, { knowledgeOf: priorKnowledge, context, policy })
    try {
      const record = { ...sampleDetail().decision, promptTokens: context.promptTokens }
      const { plan: funded } = await budgets.reserve(call, {
        ranked,
        keepsFirst: false,
        identity: null,
        prompt: context,
        record,
      })
      const [first] = funded.ranked
      const costNanoUsd = first?.estimate.costNanoUsd ?? 0
      budgets.settle(
        sampleRecord({ id: call.requestId, routerId: router.id, apiKeyId: null, costNanoUsd }),
      )
      month.spentUsd += costNanoUsd / 1e9
      if (first?.model === 'p:dear') {
        const day = Math.floor(nth / perDay)
        month.dearByDay[day] = (month.dearByDay[day] ?? 0) + 1
      }
    } catch {
      month.refused += 1
    }
  }
  return month
}

test('a budget that would be spent on the ninth lasts all month, with the expensive model every day', async () => {
  const unpaced = await spendMonth(paced({ routing: routingSettingsSchema.parse({}) }))
  expect(unpaced.refused).toBeGreaterThan(900)
  expect(unpaced.dearByDay[20]).toBe(0)

  const { spentUsd, refused, dearByDay } = await spendMonth(paced())

  expect(spentUsd).toBeLessThanOrEqual(10)
  expect(spentUsd).toBeGreaterThan(9.8)
  expect(refused).toBeLessThan(3)
  expect(Math.min(...dearByDay)).toBeGreaterThan(0)
  // It converges within two days.
  const settled = dearByDay.slice(3)
  expect(Math.min(...settled)).toBeGreaterThan(15)
  expect(Math.max(...settled)).toBeLessThan(30)
})

test('the first requests of a period can still use the expensive model', async () => {
  const { dearByDay } = await spendMonth(paced())
  expect(dearByDay[0]).toBeGreaterThan(15)
})

test('a sufficient budget is spent as without pacing', async () => {
  const { dearByDay, refused } = await spendMonth(paced({ budgetUsdPerMonth: 1_000 }))
  expect(refused).toBe(0)
  expect(dearByDay.slice(1)).toEqual(Array(29).fill(60))
})

/** Pacing with a lead that the test sets. */
function pacingAt(ratio: number | null) {
  const told = { ratio }
  const pacing = new Pacing({ paceOf: () => told.ratio, accountOf: () => openedAccount })
  const ask = (router = paced(), candidates = [cheap, dear]) =>
    pacing.spendingOf(router, candidates, 1_000).qualityPerUsd
  const look = () => pacing.nextSpendingOf(paced(), [cheap, dear], 1_000).qualityPerUsd
  return { told, ask, look }
}

describe('the weight of a dollar', () => {
  // 1,000 tokens and a usual answer's 310, at the median candidate's price: $0.0131.
  const initial = 0.08 / 0.0131

  test('initially makes the median answer cost the usual tolerance', () => {
    expect(pacingAt(null).ask()).toBeCloseTo(initial, 1)
    expect(pacingAt(1).ask()).toBeCloseTo(initial, 1)
    expect(pacingAt(null).ask(paced(), [gratis, cheap, dear])).toBeCloseTo(initial, 1)
  })

  test('is 0 without pacing, without a budget, and when all models are free', () => {
    const { ask } = pacingAt(3)
    expect(ask(paced({ routing: routingSettingsSchema.parse({}) }))).toBe(0)
    expect(ask(paced({ budgetUsdPerMonth: null }))).toBe(0)
    expect(ask(paced(), [gratis])).toBe(0)
    expect(ask(paced({ budgetUsdPerMonth: null, budgetUsdPerDay: 1 }))).toBeGreaterThan(0)
  })

  test('is known before the request, as often as one looks', () => {
    const { ask, look } = pacingAt(1.5)
    for (let request = 0; request < 5; request += 1) {
      const looked = [look(), look(), look()]
      const asked = ask()
      expect(looked).toEqual([asked, asked, asked])
    }
  })

  test('grows by at most a tenth per request, up to a bound', () => {
    const { told, ask } = pacingAt(1_000_000)
    ask()
    told.ratio = 1
    expect(ask()).toBeCloseTo(initial * Math.exp(0.1), 1)
    told.ratio = 1_000_000
    for (let nth = 0; nth < 1_000; nth += 1) ask()
    expect(ask() / (initial * 20 * Math.exp(3))).toBeCloseTo(1, 1)
  })

  test('returns from its minimum within sixty requests', () => {
    const { told, ask } = pacingAt(0)
    for (let nth = 0; nth < 10_000; nth += 1) ask()
    expect(ask()).toBeLessThan(initial / 300)
    told.ratio = 1.5
    for (let nth = 0; nth < 60; nth += 1) ask()
    told.ratio = 1
    expect(ask()).toBeGreaterThan(initial * 0.9)
  })

  test('is separate for each router', () => {
    const { told, ask } = pacingAt(2)
    for (let nth = 0; nth < 20; nth += 1) ask()
    told.ratio = 1
    expect(ask(paced({ id: 'router_b' }))).toBeCloseTo(initial, 1)
  })
})
