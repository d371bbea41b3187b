/** Budgets on the real storage, with the test's clock. */
import { describe, expect, test } from 'vitest'
import {
  caller,
  dayMs,
  dollar,
  gratis,
  hourMs,
  none,
  noon,
  perDay,
  perMonth,
  planOf,
  startBudgets,
  startCaller,
} from '../../../../test/limits/budget-caller.ts'
import { sampleDetail, sampleRecord, sampleRouter } from '../../../../test/storage/samples.ts'
import type { Budget } from '../../../shared/routers/budget.ts'
import { candidate } from '../../../../test/routing/sample-candidates.ts'

const refused = { code: 'budget_exceeded' }

test.each([1, 7, 200])('reserves for exactly %i of 500 simultaneous requests', async (dollars) => {
  const { ask } = await startCaller()
  const outcomes = await Promise.allSettled(Array.from({ length: 500 }, () => ask(perDay(dollars))))

  expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(dollars)
})

test('a request’s cost replaces its reservation', async () => {
  const { ask } = await startCaller()
  const first = await ask(perDay(1))
  await expect(ask(perDay(1))).rejects.toMatchObject(refused)
  await first.end(0.25)

  await expect(ask(perDay(1))).rejects.toMatchObject(refused)
  await (await ask(perDay(1.25))).end(1)
  await expect(ask(perDay(1.25))).rejects.toMatchObject(refused)
})

test('a request that was not sent costs nothing', async () => {
  const { ask } = await startCaller()
  const first = await ask(perDay(1))
  first.release()

  await expect(ask(perDay(1))).resolves.toBeDefined()
})

test('a request counts against every budget: key and router, day and month', async () => {
  const { ask, keys } = await startCaller()
  keys['key_a'] = { budgetUsdPerDay: 3, budgetUsdPerMonth: 2 }

  await ask(perDay(4), { apiKeyId: 'key_a' })
  await ask(perDay(4), { apiKeyId: 'key_a' })
  await expect(ask(perDay(4), { apiKeyId: 'key_a' })).rejects.toMatchObject(refused)
  // The chat window has no key but uses the same router.
  await ask(perDay(4))
  await ask(perDay(4))
  await expect(ask(perDay(4))).rejects.toMatchObject(refused)
})

test('a refusal names the budget that resets last', async () => {
  const { ask, keys } = await startCaller()
  keys['key_a'] = { budgetUsdPerDay: 0.5, budgetUsdPerMonth: 0.75 }

  await expect(ask(perDay(0.25), { apiKeyId: 'key_a' })).rejects.toMatchObject({
    code: 'budget_exceeded',
    message:
      'The key’s budget of $0.75 a month does not cover this request: $0.75 is left, the request can cost $1.00. It resets at 2026-12-01T00:00:00Z.',
    headers: { 'x-should-retry': 'false' },
  })
  await expect(ask(perDay(0.25))).rejects.toMatchObject({
    message:
      'The router’s budget of $0.25 a day does not cover this request: $0.25 is left, the request can cost $1.00. It resets at 2026-11-22T00:00:00Z.',
  })
})

test('excludes candidates that do not fit, with a reason, and reserves for the others', async () => {
  const { ask } = await startCaller()
  const half = candidate({
    modelId: 'p:half',
    price: { inputUsdPerMtok: 0, outputUsdPerMtok: 500_000 },
  })
  const { funded } = await ask(perDay(0.75), { plan: planOf([dollar, half, gratis]) })

  expect(funded.ranked.map((one) => one.candidate.modelId)).toEqual(['p:half', 'p:gratis'])
  expect(funded.record).toMatchObject({
    ranked: [{ model: 'p:half' }, { model: 'p:gratis' }],
    excluded: [
      {
        model: 'p:model',
        code: 'over_budget',
        reason: 'can cost $1.00, $0.75 is left of the router’s budget of $0.75 a day',
      },
    ],
  })
  const rest = await ask(perDay(0.75), { plan: planOf([half, gratis]) })
  expect(rest.funded.ranked.map((one) => one.candidate.modelId)).toEqual(['p:gratis'])
})

describe('a further attempt', () => {
  const nothing = { spentNanoUsd: 0, running: [] }

  test('is covered by the reservation while nothing was spent', async () => {
    const { ask } = await startCaller()
    const { money } = await ask(perDay(1))

    expect(money.covers(dollar, nothing)).toBe(true)
  })

  test('reserves what the attempts before it spent, or is not covered', async () => {
    const { ask } = await startCaller()
    const first = await ask(perDay(1.5))

    expect(await first.money.covers(dollar, { spentNanoUsd: 5e8, running: [] })).toBe(true)
    expect(await first.money.covers(dollar, { spentNanoUsd: 6e8, running: [] })).toBe(false)
    await expect(ask(perDay(2.25))).rejects.toMatchObject(refused)
    await first.end(0.5)
    await expect(ask(perDay(1.5))).resolves.toBeDefined()
  })

  test('beside another one is covered while the budget covers both', async () => {
    const { ask } = await startCaller()
    const beside = { spentNanoUsd: 0, running: [dollar] }

    expect(await (await ask(perDay(1.75))).money.covers(dollar, beside)).toBe(false)
    expect(await (await ask(perDay(3))).money.covers(dollar, beside)).toBe(true)
    await expect(ask(perDay(3.5))).rejects.toMatchObject(refused)
  })

  test('counts another one that waits for its money', async () => {
    const { ask } = await startCaller()
    const { money } = await ask(perDay(2))
    const beside = { spentNanoUsd: 0, running: [dollar] }

    const both = await Promise.all([money.covers(dollar, beside), money.covers(dollar, beside)])

    expect(both).toEqual([true, false])
  })

  test('of a free model is always covered', async () => {
    const { ask } = await startCaller()
    const { money } = await ask(perDay(1), { plan: planOf([dollar, gratis]) })

    expect(money.covers(gratis, { spentNanoUsd: 5e9, running: [dollar] })).toBe(true)
  })

  test('counts in the budgets of an agent', async () => {
    const { budgets } = await startCaller()
    const allowance = { name: 'x', limitNanoUsd: 15e8, spentNanoUsd: 0, reservedNanoUsd: 0 }
    const step = { executionId: 'e', stepId: 's', isCounted: true, allowances: [allowance] }
    const call = { requestId: 'r', router: sampleRouter(), apiKeyId: null, startedAtMs: noon }
    const body = { messages: [], max_tokens: 1 }
    const { money } = await budgets.reserve(
      { ...call, body, step: { ...step, onRecord() {} } },
      planOf(),
    )

    expect(await money.covers(dollar, { spentNanoUsd: 5e8, running: [] })).toBe(true)
    expect(await money.covers(dollar, { spentNanoUsd: 6e8, running: [] })).toBe(false)
    expect(allowance.reservedNanoUsd).toBe(15e8)
    budgets.release('r')
    expect(allowance.reservedNanoUsd).toBe(0)
  })
})

test('an affordable plan is returned unchanged', async () => {
  const { ask } = await startCaller()
  const plan = planOf([gratis, dollar])

  expect((await ask(perDay(1), { plan })).funded).toBe(plan)
})

test('a free model is allowed when a budget is spent or 0', async () => {
  const { ask } = await startCaller()
  await (await ask(perDay(1))).end(5)
  const plan = planOf([gratis])

  expect((await ask(perDay(1), { plan })).funded).toBe(plan)
  expect((await ask(perDay(0), { plan })).funded).toBe(plan)
  await expect(ask(perDay(0))).rejects.toMatchObject(refused)
})

test('the day resets at 00:00 UTC, the month does not', async () => {
  const { ask, clock } = await startCaller()
  const both: Budget = { budgetUsdPerDay: 1, budgetUsdPerMonth: 2 }
  await (await ask(both)).end(1)
  clock.nowMs = noon + 12 * hourMs - 1
  await expect(ask(both)).rejects.toMatchObject(refused)

  clock.nowMs += 1
  await (await ask(both)).end(1)
  clock.nowMs += dayMs
  await expect(ask(both)).rejects.toThrow(/a month .* resets at 2026-12-01T00:00:00Z/)
  clock.nowMs = Date.UTC(2026, 11, 1)
  await expect(ask(both)).resolves.toBeDefined()
})

test('a request over midnight counts against the day on which it began', async () => {
  const { ask, clock } = await startCaller()
  const late = await ask(perDay(1))
  clock.nowMs += 12 * hourMs
  await ask(perDay(1))
  await late.end(1)

  await expect(ask(perDay(2))).resolves.toBeDefined()
})

test.each([
  ['a day', perDay(1), dayMs],
  ['a month', perMonth(1), 40 * dayMs],
])('a clock set back by more than %s refills nothing', async (_what, budget, backMs) => {
  const { ask, clock } = await startCaller()
  await (await ask(budget)).end(1)
  clock.nowMs -= backMs

  await expect(ask(budget)).rejects.toMatchObject(refused)
})

test.each([
  ['a day', perDay(1), dayMs],
  ['a month', perMonth(1), 40 * dayMs],
])('nor does a restart with the clock set back by more than %s', async (_what, budget, backMs) => {
  const started = await startCaller()
  await (await started.ask(budget)).end(1)
  started.clock.nowMs -= backMs
  const ask = caller(started, started.open())

  await expect(ask(budget)).rejects.toMatchObject(refused)
})

test('a restart starts with the ledger’s sums of the day and month', async () => {
  const started = await startCaller()
  const { clock, keys } = started
  keys['key_a'] = perMonth(3)
  await (await started.ask(perDay(10), { apiKeyId: 'key_a' })).end(1)
  clock.nowMs += dayMs
  await (await started.ask(perDay(10), { apiKeyId: 'key_a' })).end(1)
  const ask = caller(started, started.open())

  await expect(ask(perDay(1))).rejects.toMatchObject(refused)
  await ask(perDay(2))
  await ask(none, { apiKeyId: 'key_a' })
  await expect(ask(none, { apiKeyId: 'key_a' })).rejects.toMatchObject(refused)
})

test('a request that began in the last month does not count in this one', async () => {
  const started = await startCaller()
  await (await started.ask(perMonth(1))).end(1)
  started.clock.nowMs = Date.UTC(2026, 11, 1)
  const ask = caller(started, started.open())

  await expect(ask(perMonth(1))).resolves.toBeDefined()
})

test('a changed budget applies at once', async () => {
  const { ask } = await startCaller()
  await (await ask(perDay(1))).end(1)
  await expect(ask(perDay(1))).rejects.toMatchObject(refused)

  const more = await ask(perDay(2))
  await expect(ask(perDay(2))).rejects.toMatchObject(refused)
  more.release()
  await expect(ask(perDay(1.5))).rejects.toMatchObject(refused)
})

test('a new budget counts earlier spending and requests in progress', async () => {
  const started = await startCaller()
  const { ask, ledger, budgets } = started
  const row = (id: string) => {
    const about = { routerId: 'router_a', apiKeyId: null, startedAtMs: noon }
    return sampleRecord({ id, ...about, costNanoUsd: 1e9 })
  }
  await ledger.append(row('before'), sampleDetail())
  const opened = ask(perDay(3))
  // It ends while the ledger is read: its row is counted, and only once.
  budgets.settle(row('meanwhile'))
  await ledger.append(row('meanwhile'), sampleDetail())
  await (await opened).end(1)

  await expect(ask(perDay(3))).rejects.toMatchObject(refused)
  await expect(ask(perDay(4))).resolves.toBeDefined()
})

test('a budget that is removed and added again keeps its spending', async () => {
  const { ask, budgets } = await startCaller()
  await (await ask(perDay(2))).end(1)
  const about = { routerId: 'router_a', apiKeyId: null, startedAtMs: noon }
  budgets.settle(sampleRecord({ id: 'without', ...about, costNanoUsd: 1e9 }))

  await expect(ask(perDay(2))).rejects.toMatchObject(refused)
})

test('refuses requests while the ledger cannot be read, and recovers', async () => {
  const started = await startBudgets()
  let isBroken = true
  const budgets = started.open({
    costsByDay: (query) =>
      isBroken ? Promise.reject(new Error('disk')) : started.ledger.costsByDay(query),
  })
  const ask = caller(started, budgets)

  const refusals = await Promise.allSettled([ask(perDay(1)), ask(perDay(1))])
  expect(refusals).toMatchObject(
    Array.from({ length: 2 }, () => ({
      status: 'rejected',
      reason: { code: 'storage_unavailable', headers: { 'retry-after': '5' } },
    })),
  )
  isBroken = false
  await expect(ask(perDay(1))).resolves.toBeDefined()
})

test('counts what a rotated key spent before a restart towards its successor', async () => {
  const { ask, keys, rotations, open, clock, ledger } = await startCaller()
  for (const id of ['key_old', 'key_new']) {
    keys[id] = perDay(3)
    rotations[id] = ['key_old', 'key_new']
  }
  await (await ask(none, { apiKeyId: 'key_old' })).end(1)
  await (await ask(none, { apiKeyId: 'key_new' })).end(1)

  const askAfterRestart = caller({ clock, ledger }, open())

  await askAfterRestart(none, { apiKeyId: 'key_new' })
  await expect(askAfterRestart(none, { apiKeyId: 'key_old' })).rejects.toMatchObject(refused)
})

test('applies only where a budget is set', async () => {
  const { budgets, keys } = await startCaller()
  keys['key_a'] = perMonth(1)
  keys['key_b'] = none
  const router = sampleRouter()

  expect(budgets.applyTo({ router, apiKeyId: null })).toBe(false)
  expect(budgets.applyTo({ router, apiKeyId: 'key_b' })).toBe(false)
  expect(budgets.applyTo({ router, apiKeyId: 'key_a' })).toBe(true)
  expect(budgets.applyTo({ router: { ...router, ...perDay(0) }, apiKeyId: null })).toBe(true)
})

describe('the pace', () => {
  const routerOf = (budget: Budget) => ({ ...sampleRouter({ id: 'router_a' }), ...budget })

  test('is the spending divided by the spending of an even pace', async () => {
    const { ask, budgets, clock } = await startCaller()
    await (await ask(perDay(10))).end(6)
    // At noon, half of the day is over.
    expect(budgets.paceOf(routerOf(perDay(10)))).toBeCloseTo(1.2, 9)
    clock.nowMs += 6 * hourMs
    expect(budgets.paceOf(routerOf(perDay(10)))).toBeCloseTo(0.8, 9)
    clock.nowMs += 12 * hourMs
    expect(budgets.paceOf(routerOf(perDay(10)))).toBe(0)
  })

  test('is that of the tighter budget', async () => {
    const { ask, budgets } = await startCaller()
    const both = { budgetUsdPerDay: 10, budgetUsdPerMonth: 10 }
    await (await ask(both)).end(5)
    // Of November 20.5 days are over.
    expect(budgets.paceOf(routerOf(both))).toBeCloseTo(1, 9)
    expect(budgets.paceOf(routerOf(perMonth(10)))).toBeCloseTo(5 / (10 * (20.5 / 30)), 9)
    expect(budgets.paceOf(routerOf({ budgetUsdPerDay: 20, budgetUsdPerMonth: 2 }))).toBeGreaterThan(
      3,
    )
  })

  test('allows some spending at the start of a period', async () => {
    const { ask, budgets, clock } = await startCaller()
    clock.nowMs = noon - 12 * hourMs
    await (await ask(perDay(10))).end(0.4)
    expect(budgets.paceOf(routerOf(perDay(10)))).toBeCloseTo(1, 9)
  })

  test('is null before the ledger is read, and without a budget', async () => {
    const { ask, budgets } = await startCaller()
    expect(budgets.paceOf(routerOf(perDay(10)))).toBeNull()
    await ask(perDay(10))
    expect(budgets.paceOf(routerOf(perDay(10)))).toBe(0)
    expect(budgets.paceOf(routerOf(none))).toBeNull()
  })

  test('of a budget of 0 is null, not NaN', async () => {
    const { ask, budgets } = await startCaller()
    await ask(perDay(1))
    expect(budgets.paceOf(routerOf(perDay(0)))).toBe(0)
  })
})
