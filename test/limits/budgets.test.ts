/** Budgets on the wire, exact to the request and to the nano-dollar. */
import { expect, test } from 'vitest'
import {
  centPerToken,
  count,
  outcomeOf,
  price,
  spent,
  startBudgeted,
  tenTokens,
  usage,
  utc,
} from './start-budgeted.ts'
import { hello, startTestService } from '../test-service.ts'

test.each([1, 7, 60])(
  'of 200 simultaneous requests exactly %i are served, as the budget allows',
  async (tenths) => {
    const started = await startBudgeted({ router: { budgetUsdPerDay: tenths / 10 } })

    const outcomes = await Promise.all(Array.from({ length: 200 }, () => outcomeOf(started)))

    expect(count(outcomes)).toEqual({ served: tenths, '402 budget_exceeded': 200 - tenths })
    expect(started.fake.requestCount()).toBe(tenths)
    expect(spent(await started.ledger(tenths))).toBe(tenths * 1e8)
  },
)

test('a reservation that was not spent is available to the next request', async () => {
  const started = await startBudgeted({
    script: { usage: usage(1) },
    router: { budgetUsdPerDay: 0.2 },
  })
  const outcomes: string[] = []
  for (let request = 0; request < 12; request += 1) outcomes.push(await outcomeOf(started))

  // Each request reserves ten cents, which are not left after eleven cents.
  expect(count(outcomes)).toEqual({ served: 11, '402 budget_exceeded': 1 })
})

test('a 402 states the budget, its size, the rest and the time of its reset', async () => {
  // The present, because the certificate is made with the service's clock and checked with the computer's.
  const nowMs = Date.now()
  const resetsAt = new Date(utc(nowMs, [1, 1, 0])).toISOString().replace('.000', '')
  const started = await startBudgeted({ router: { budgetUsdPerMonth: 0.15 }, now: () => nowMs })
  await outcomeOf(started)

  const answer = await started.post('chat/completions', tenTokens)

  expect(answer.status).toBe(402)
  expect(await answer.json()).toEqual({
    error: {
      message: `The router’s budget of $0.15 a month does not cover this request: $0.05 is left, the request can cost $0.10. It resets at ${resetsAt}.`,
      type: 'budget_error',
      param: null,
      code: 'budget_exceeded',
    },
  })
  expect(Object.fromEntries(answer.headers)).toMatchObject({
    'content-type': 'application/json; charset=utf-8',
    'cache-control': 'no-store',
    'x-should-retry': 'false',
    'x-request-id': expect.stringMatching(/^[0-9a-f-]{36}$/),
    'x-ratelimit-limit-requests': '10000',
    'x-ratelimit-remaining-requests': '9999',
  })
  expect(answer.headers.get('retry-after')).toBeNull()
})

test('a key has its own budget, and the chat window only the router’s', async () => {
  const started = await startBudgeted({})
  const { dashboard, conversations } = started.service
  const { key } = await dashboard.createApiKey({
    name: 'small',
    routers: 'all',
    budgetUsdPerDay: 0.1,
  })
  const headers = { authorization: `Bearer ${key}` }
  const ask = async () => (await started.post('chat/completions', tenTokens, { headers })).status

  expect([await ask(), await ask()]).toEqual([200, 402])
  expect(await outcomeOf(started)).toBe('served')
  const answer = await conversations.send({
    conversationId: null,
    routerId: started.routerId,
    text: 'Hello',
  })
  expect((await answer.finished).answer.state).toBe('complete')
})

test('the chat window spends the router’s budget', async () => {
  const started = await startBudgeted({ router: { budgetUsdPerDay: 2.6 } })
  const input = { conversationId: null, routerId: started.routerId, text: 'Hello' }
  // A request without a limit needs at least 256 tokens.
  await (
    await started.service.conversations.send(input)
  ).finished

  const refused = await (await started.service.conversations.send(input)).finished

  expect(refused.answer).toMatchObject({
    state: 'failed',
    error: expect.stringContaining('The router’s budget of $2.60 a day'),
  })
  const { refusals } = started.service.usage
  await expect
    .poll(() => refusals.newest({ limit: 1 }))
    .toEqual([
      {
        id: refused.answer.id,
        atMs: expect.any(Number),
        apiKeyId: null,
        routerId: started.routerId,
        code: 'budget_exceeded',
        door: 'window',
      },
    ])
})

test('a request without a limit is limited to the remaining budget, not refused', async () => {
  const started = await startBudgeted({ router: { budgetUsdPerDay: 10 } })

  const headers = { 'x-modelport-explain': 'true' }
  const body = { ...hello, temperature: 1 }
  const answer = await started.post('chat/completions', body, { headers })

  expect(answer.status).toBe(200)
  expect(answer.headers.get('x-modelport-adjusted')).toBe('max_tokens=sent_as_1000')
  expect(await answer.json()).toMatchObject({
    _meta: {
      decision: {
        ranked: [{ reason: expect.stringContaining('1000 tokens at most') }],
      },
    },
  })
  expect(started.fake.requests.at(-1)?.body).toMatchObject({ max_tokens: 1_000 })
})

test('a request that a budget does not limit is sent unchanged', async () => {
  const started = await startBudgeted({ router: { budgetUsdPerMonth: 2_000 } })
  await outcomeOf(started, hello)

  expect(started.fake.requests.at(-1)?.body).not.toHaveProperty('max_tokens')
})

test('a router falls back to cheaper models, and free models still answer', async () => {
  const started = await startTestService({
    models: { dear: { usage: usage(10) }, gratis: {} },
    router: { budgetUsdPerDay: 0.15 },
  })
  await price(started, 'dear', centPerToken)
  await price(started, 'gratis', { inputUsdPerMtok: 0, outputUsdPerMtok: 0 })
  const ask = async () => {
    const headers = { 'x-modelport-explain': 'true' }
    const answer = await started.post('chat/completions', tenTokens, { headers })
    return (await answer.json()) as Record<string, unknown>
  }

  expect(await ask()).toMatchObject({ model: 'fake:dear' })
  expect(await ask()).toMatchObject({
    model: 'fake:gratis',
    _meta: {
      cost: 0,
      decision: {
        excluded: [
          {
            model: 'fake:dear',
            code: 'over_budget',
            reason: 'can cost $0.10, $0.05 is left of the router’s budget of $0.15 a day',
          },
        ],
      },
    },
  })
  expect(await outcomeOf(started, { ...tenTokens, model: 'fake:dear' })).toBe('402 budget_exceeded')
})

test('streams, broken streams, failures and callers that disconnect are charged exactly', async () => {
  const started = await startTestService({
    models: {
      good: { usage: usage(4) },
      broken: {
        text: 'x'.repeat(36),
        chunks: 2,
        usage: 'none',
        fault: { kind: 'reset', afterEvents: 3 },
      },
      down: { reply: { status: 500, body: '{}' } },
      slow: { text: 'x'.repeat(36), chunks: 36, chunkDelayMs: 300, usage: 'none' },
    },
    router: { budgetUsdPerDay: 1 },
  })
  for (const model of ['good', 'broken', 'down', 'slow']) await price(started, model, centPerToken)
  const ask = (model: string, over = {}) =>
    outcomeOf(started, { ...tenTokens, model: `fake:${model}`, ...over })

  await ask('good')
  await ask('good', { stream: true })
  await ask('broken', { stream: true })
  expect(await ask('down')).toBe('503 all_models_unavailable')
  const leaving = new AbortController()
  const body = { ...tenTokens, model: 'fake:slow', stream: true }
  const answer = await started.post('chat/completions', body, { signal: leaving.signal })
  await answer.body?.getReader().read()
  leaving.abort()

  const rows = await started.ledger(5)
  expect(count(rows.map(({ status }) => String(status)))).toEqual({ 200: 2, 499: 1, 503: 2 })
  const cents = Math.round(spent(rows) / 1e7)
  expect(cents).toBeGreaterThan(8)
  // No reservation remains, so exactly the rest of the budget is available.
  const rest = 100 - cents
  expect(await ask('good', { max_tokens: rest + 1 })).toBe('402 budget_exceeded')
  expect(await ask('good', { max_tokens: rest })).toBe('served')
})

test('a budget can be set, changed and removed while the service runs', async () => {
  const started = await startBudgeted({})
  const update = async (budgetUsdPerDay: number | null) => {
    const router = { name: 'Test', strategy: 'priority' as const, models: ['fake:fake-model'] }
    await started.service.dashboard.updateRouter(started.routerId, { ...router, budgetUsdPerDay })
    return await outcomeOf(started)
  }
  await outcomeOf(started)

  expect(await update(0.1)).toBe('402 budget_exceeded')
  expect(await update(0.2)).toBe('served')
  expect(await outcomeOf(started)).toBe('402 budget_exceeded')
  expect(await update(null)).toBe('served')
  expect(await update(0.3)).toBe('402 budget_exceeded')
  expect(await update(0.4)).toBe('served')
})
