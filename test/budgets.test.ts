/** Budgets and the burst limit on the wire: exact to the request and to the nano-dollar. */
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { performance } from 'node:perf_hooks'
import { Agent, fetch } from 'undici'
import { expect, onTestFinished, test } from 'vitest'
import type { RequestRecord } from '../src/shared/entities.ts'
import { startService } from '../src/service/service.ts'
import type { FakeModelScript } from './fake-provider.ts'
import { hello, startTestService, type TestService } from './test-service.ts'

/** A cent a token, and nothing for the prompt: `max_tokens: 10` can cost 10 cents. */
const centPerToken = { inputUsdPerMtok: 0, outputUsdPerMtok: 10_000 }
const tenTokens = { ...hello, max_tokens: 10 }
const usage = (completion_tokens: number) => ({
  prompt_tokens: 5,
  completion_tokens,
  total_tokens: 5 + completion_tokens,
})

interface Budgeted {
  script?: FakeModelScript
  router?: {
    budgetUsdPerDay?: number
    budgetUsdPerMonth?: number
    requestsPerMinute?: number
    cacheTtlSeconds?: number
  }
  now?: () => number
}

/** One model at a cent a token, which answers with ten tokens. */
async function startBudgeted({ script = { usage: usage(10) }, router = {}, now }: Budgeted) {
  const started = await startTestService({
    models: { 'fake-model': script },
    router,
    service: now ? { now } : {},
  })
  await price(started, 'fake-model', centPerToken)
  return started
}

async function price({ service }: TestService, model: string, usdPerMtok: typeof centPerToken) {
  const figures = { ...usdPerMtok, contextTokens: 100_000 }
  await service.dashboard.saveModel({ id: `fake:${model}`, ...figures })
}

/** Another service on the same data folder, asked with the same key. */
async function restart({ dataDir, fake, routerId, apiKey }: TestService) {
  const service = await startService({
    dataDir,
    cacheDir: join(dataDir, 'cache'),
    allowSessionSecrets: true,
    env: { MODELPORT_KEY_FAKE: 'sk-fake-provider-key' },
    holder: 'serve',
    port: 0,
    extraCa: fake.ca === null ? [] : [fake.ca],
  })
  onTestFinished(() => service.close())
  const endpoint = service.endpoint()
  if (endpoint.status !== 'listening') throw new Error('the endpoint does not listen')
  const dispatcher = new Agent({ connect: { ca: await readFile(endpoint.caFile, 'utf8') } })
  onTestFinished(() => dispatcher.close())
  const post: TestService['post'] = (path, body) =>
    fetch(`${endpoint.url}/api/router/${routerId}/${path}`, {
      method: 'POST',
      dispatcher,
      headers: { authorization: `Bearer ${apiKey}`, 'content-type': 'application/json' },
      body: JSON.stringify(body),
    })
  return { post }
}

async function outcomeOf(
  { post }: Pick<TestService, 'post'>,
  body: unknown = tenTokens,
): Promise<string> {
  const answer = await post('chat/completions', body)
  const text = await answer.text()
  if (answer.status === 200) return 'served'
  const { error } = JSON.parse(text) as { error: { code: string } }
  return `${answer.status} ${error.code}`
}

/** A time some months after another one's, in UTC. */
function utc(timeMs: number, monthsLater: number, day: number, hour = 0): number {
  const time = new Date(timeMs)
  return Date.UTC(time.getUTCFullYear(), time.getUTCMonth() + monthsLater, day, hour)
}

function count(outcomes: readonly string[]): Record<string, number> {
  const counts: Record<string, number> = {}
  for (const outcome of outcomes) counts[outcome] = (counts[outcome] ?? 0) + 1
  return counts
}

const spent = (rows: readonly RequestRecord[]) =>
  rows.reduce((sum, { costNanoUsd }) => sum + costNanoUsd, 0)

test.each([1, 7, 60])(
  'of 200 simultaneous requests exactly as many are served as $%i tenths pay for',
  { timeout: 60_000 },
  async (tenths) => {
    const started = await startBudgeted({ router: { budgetUsdPerDay: tenths / 10 } })

    const outcomes = await Promise.all(Array.from({ length: 200 }, () => outcomeOf(started)))

    expect(count(outcomes)).toEqual({ served: tenths, '402 budget_exceeded': 200 - tenths })
    expect(started.fake.requestCount()).toBe(tenths)
    expect(spent(await started.ledger(tenths))).toBe(tenths * 1e8)
  },
)

test('what was set aside and not needed is there for the next', async () => {
  const started = await startBudgeted({
    script: { usage: usage(1) },
    router: { budgetUsdPerDay: 0.2 },
  })
  const outcomes: string[] = []
  for (let request = 0; request < 12; request += 1) outcomes.push(await outcomeOf(started))

  // Ten cents have to be left each time: after eleven cents they are not.
  expect(count(outcomes)).toEqual({ served: 11, '402 budget_exceeded': 1 })
})

test('a 402 states the budget, its size, the rest and the time of its reset', async () => {
  // Of now: the certificate is made with the service's clock and checked with the computer's.
  const nowMs = Date.now()
  const anew = new Date(utc(nowMs, 1, 1)).toISOString().replace('.000', '')
  const started = await startBudgeted({ router: { budgetUsdPerMonth: 0.15 }, now: () => nowMs })
  await outcomeOf(started)

  const answer = await started.post('chat/completions', tenTokens)

  expect(answer.status).toBe(402)
  expect(await answer.json()).toEqual({
    error: {
      message: `The router’s budget of $0.15 a month does not cover this request: $0.05 is left, the request can cost $0.10. It resets at ${anew}.`,
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
  // 256 tokens have to be left where nothing is asked for.
  await (
    await started.service.conversations.send(input)
  ).finished

  const refused = await (await started.service.conversations.send(input)).finished

  expect(refused.answer).toMatchObject({
    state: 'failed',
    error: expect.stringContaining('The router’s budget of $2.60 a day'),
  })
})

test('a request without a limit is limited to what is left, not refused', async () => {
  const started = await startBudgeted({ router: { budgetUsdPerDay: 10 } })

  const headers = { 'x-modelport-explain': 'true' }
  const answer = await started.post('chat/completions', hello, { headers })

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

test('what no budget limits is sent as it came', async () => {
  const started = await startBudgeted({ router: { budgetUsdPerMonth: 2_000 } })
  await outcomeOf(started, hello)

  expect(started.fake.requests.at(-1)?.body).not.toHaveProperty('max_tokens')
})

test('a router slides to its cheaper models, and those that cost nothing go on', async () => {
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

test('streams, broken streams, refusals and callers that leave cost what they cost', async () => {
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
      slow: { text: 'x'.repeat(36), chunks: 36, chunkDelayMs: 50, usage: 'none' },
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
  // Nothing of what was set aside stayed so: the rest is there to the last cent, and not one more.
  const rest = 100 - cents
  expect(await ask('good', { max_tokens: rest + 1 })).toBe('402 budget_exceeded')
  expect(await ask('good', { max_tokens: rest })).toBe('served')
})

test('a restart begins with what was spent', async () => {
  const started = await startBudgeted({ router: { budgetUsdPerDay: 0.25 } })
  await outcomeOf(started)
  await outcomeOf(started)
  await started.service.close()

  const again = await restart(started)

  expect(await outcomeOf(again)).toBe('402 budget_exceeded')
  expect(await outcomeOf(again, { ...hello, max_tokens: 5 })).toBe('served')
})

test('a new day and a new month start anew, and a clock set back does not', async () => {
  const startedAtMs = Date.now()
  const clock = { nowMs: startedAtMs }
  const router = { budgetUsdPerDay: 0.1, budgetUsdPerMonth: 0.2 }
  const started = await startBudgeted({ router, now: () => clock.nowMs })
  const at = async (...time: [month: number, day: number, hour: number]) => {
    clock.nowMs = utc(startedAtMs, ...time)
    return await outcomeOf(started)
  }

  expect(await at(1, 27, 22)).toBe('served')
  expect(await at(1, 27, 23)).toBe('402 budget_exceeded')
  expect(await at(1, 28, 0)).toBe('served')
  expect(await at(1, 27, 23)).toBe('402 budget_exceeded')
  expect(await at(2, 1, 0)).toBe('served')
  expect(await at(1, 15, 0)).toBe('402 budget_exceeded')
})

test('a budget is set, changed and taken away while the service runs', async () => {
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

test('of 200 simultaneous requests a burst limit of 20 lets through 20', async () => {
  const started = await startBudgeted({ router: { requestsPerMinute: 20 } })

  const outcomes = await Promise.all(Array.from({ length: 200 }, () => outcomeOf(started)))

  expect(count(outcomes)).toEqual({ served: 20, '429 rate_limit_exceeded': 180 })
  const answer = await started.post('chat/completions', tenTokens)
  expect(await answer.json()).toMatchObject({
    error: { type: 'rate_limit_error', param: null, code: 'rate_limit_exceeded' },
  })
  expect(Object.fromEntries(answer.headers)).toMatchObject({
    'retry-after': '1',
    // What was refused is not counted against the day.
    'x-ratelimit-remaining-requests': '9980',
  })
})

test('an answer from the cache has its place in the minute, and none in the budget', async () => {
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

test('a burst ends with the minute', async () => {
  const skip = { ms: 0 }
  const started = await startTestService({
    router: { requestsPerMinute: 2 },
    service: { clock: () => performance.now() + skip.ms },
  })
  expect([await outcomeOf(started), await outcomeOf(started), await outcomeOf(started)]).toEqual([
    'served',
    'served',
    '429 rate_limit_exceeded',
  ])
  skip.ms = 60_000

  expect(await outcomeOf(started)).toBe('served')
})

test('no refusal takes what another limit counts', async () => {
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
