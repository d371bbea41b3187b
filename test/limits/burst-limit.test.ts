/** The burst limit on the wire, exact to the request. */
import { expect, test } from 'vitest'
import {
  centPerToken,
  count,
  outcomeOf,
  price,
  spent,
  startBudgeted,
  tenTokens,
} from './start-budgeted.ts'
import { hello, startTestService } from '../test-service.ts'

test('of 200 simultaneous requests a burst limit of 20 accepts 20', async () => {
  const started = await startBudgeted({ router: { requestsPerMinute: 20 } })

  const outcomes = await Promise.all(Array.from({ length: 200 }, () => outcomeOf(started)))

  expect(count(outcomes)).toEqual({ served: 20, '429 rate_limit_exceeded': 180 })
  const answer = await started.post('chat/completions', tenTokens)
  expect(await answer.json()).toMatchObject({
    error: { type: 'rate_limit_error', param: null, code: 'rate_limit_exceeded' },
  })
  expect(Object.fromEntries(answer.headers)).toMatchObject({
    'retry-after': '1',
    // Refused requests do not count against the day.
    'x-ratelimit-remaining-requests': '9980',
  })
})

test('an answer from the cache counts against the burst limit, but not against the budget', async () => {
  const started = await startBudgeted({
    router: { requestsPerMinute: 2, budgetUsdPerDay: 0.1, cacheTtlSeconds: 60 },
  })

  expect([await outcomeOf(started), await outcomeOf(started), await outcomeOf(started)]).toEqual([
    'served',
    'served',
    '429 rate_limit_exceeded',
  ])
  expect(spent(await started.ledger(2))).toBe(1e8)
})

test('a burst limit resets after a minute', async () => {
  const skip = { ms: 0 }
  const started = await startTestService({
    router: { requestsPerMinute: 2 },
    service: { clock: () => 1_000_000 + skip.ms },
  })
  expect([await outcomeOf(started), await outcomeOf(started), await outcomeOf(started)]).toEqual([
    'served',
    'served',
    '429 rate_limit_exceeded',
  ])
  skip.ms = 60_000

  expect(await outcomeOf(started)).toBe('served')
})

test('a request that one limit refuses does not count against the others', async () => {
  const limits = { tier: 'enterprise' as const, dailyLimit: 3, requestsPerMinute: 4 }
  const started = await startTestService({ router: { ...limits, budgetUsdPerDay: 0.3 } })
  await price(started, 'fake-model', centPerToken)
  const dear = { ...hello, max_tokens: 31 }
  const malformed = { ...hello, max_tokens: 0 }

  for (const body of [malformed, dear, malformed, dear, malformed, dear]) {
    expect(await outcomeOf(started, body)).toMatch(/^40[02] /)
  }
  const free = { ...hello, max_tokens: 1 }
  const outcomes = await Promise.all(Array.from({ length: 8 }, () => outcomeOf(started, free)))

  expect(count(outcomes)).toMatchObject({ served: 3 })
  expect(started.fake.requestCount()).toBe(3)
})
