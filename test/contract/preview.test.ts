/** `x-modelport-preview: true`: the decision for a request that is not sent, and that it has no effect. */
import { expect, test } from 'vitest'
import { previewSchema, type Preview } from '../../src/shared/routers/preview.ts'
import type { Estimate, ExplainedDetail } from '../../src/shared/requests/detail.ts'
import { routingSettingsSchema } from '../../src/shared/routers/routing-settings.ts'
import { strategyNames } from '../../src/shared/routers/strategy-names.ts'
import { apply, echo, twoSteps } from '../agents/sample-agent.ts'
import { fails, postTimes, works } from '../attempts/failing-models.ts'
import { readExposition } from '../figures/read-exposition.ts'
import { startCascaded } from '../attempts/start-cascaded.ts'
import { hello, startTestService, type TestService } from '../test-service.ts'

const headers = { 'x-modelport-preview': 'true' }
const ids = ['fake:dear', 'fake:cheap', 'fake:small']

function ask({ post }: TestService, body: object = hello, more: Record<string, string> = {}) {
  return post('chat/completions', body, { headers: { ...headers, ...more } })
}

async function preview(...request: Parameters<typeof ask>): Promise<Preview> {
  return previewSchema.parse(await (await ask(...request)).json())
}

function estimateOf({ decision }: Preview, id: string): Estimate {
  const estimate = decision.ranked.find(({ model }) => model === id)?.estimate
  if (!estimate) throw new Error(`${id} has no estimate`)
  return estimate
}

/** Three models with different prices, qualities and contexts. */
async function startVaried(router: NonNullable<Parameters<typeof startTestService>[0]>['router']) {
  const models = { dear: works, cheap: works, small: works }
  const running = await startTestService({ models, router: { models: ids, ...router } })
  const save = (id: string, usdPerMtok: number, quality: number, contextTokens = 100_000) =>
    running.service.dashboard.saveModel({
      id,
      inputUsdPerMtok: usdPerMtok,
      outputUsdPerMtok: 5 * usdPerMtok,
      contextTokens,
      quality,
    })
  await save('fake:dear', 10, 0.9)
  await save('fake:cheap', 1, 0.88)
  await save('fake:small', 0.1, 0.5, 50)
  return running
}

const long = { messages: [{ role: 'user', content: 'Summarise this report. '.repeat(20) }] }

async function realRequest({ post }: TestService, body: object, more: Record<string, string> = {}) {
  const answer = await post('chat/completions', body, {
    headers: { 'x-modelport-explain': 'true', ...more },
  })
  // Our own answer's form.
  const { model, _meta: meta } = (await answer.json()) as {
    model: string
    _meta: { decision: ExplainedDetail }
  }
  return { model, decision: meta.decision }
}

test('a preview has the model, the reason and the expected figures, and calls no model', async () => {
  const routing = routingSettingsSchema.parse({ qualityTolerance: 0.08 })
  const running = await startVaried({ strategy: 'cost_optimized', routing })

  const answer = await ask(running, long)
  expect(running.fake.requestCount()).toBe(0)
  const body = previewSchema.parse(await answer.json())

  expect(answer.status).toBe(200)
  expect(answer.headers.get('content-type')).toContain('application/json')
  expect(body).toMatchObject({
    object: 'modelport.preview',
    model: 'fake:cheap',
    routerDecision: 'cost_optimized',
    skipped: [],
    explorationShare: 0,
    mayHedge: false,
    decision: { why: body.why, flip: body.flip, attempts: [], tokenSource: 'none', price: null },
  })
  expect(body.why).toMatch(/\.$/)
  expect(body.decision.excluded).toMatchObject([{ model: 'fake:small', code: 'context_too_small' }])
  expect(body.decision.ranked[0]?.model).toBe('fake:cheap')
  const { costNanoUsd, costP90NanoUsd, micrograms, ...figures } = estimateOf(body, 'fake:cheap')
  const { latencyMs, latencyP95Ms, quality, qualityHalfWidth, outputTokens } = figures
  expect(costNanoUsd).toBeGreaterThan(0)
  expect(body.expected).toMatchObject({
    costUsd: costNanoUsd / 1e9,
    costP90Usd: costP90NanoUsd / 1e9,
    carbonGrams: micrograms / 1e6,
    latencyMs,
    latencyP95Ms,
    quality,
    qualityHalfWidth,
    outputTokens,
  })
})

test.each(strategyNames)(
  'with %s, the request that follows has the same model and estimates',
  async (strategy) => {
    const running = await startVaried({ strategy })

    const previewed = await preview(running, long)
    const real = await realRequest(running, long)

    expect(real.model).toBe(previewed.model)
    const { client: _client, ...decision } = previewed.decision
    const { why, flip, ranked, excluded, reading, parameters } = real.decision
    expect(decision).toMatchObject({ why, flip, ranked, excluded, reading, parameters })
  },
)

test('a preview counts against no limit and is refused by none', async () => {
  const running = await startVaried({
    strategy: 'priority',
    tier: 'enterprise',
    dailyLimit: 1,
    requestsPerMinute: 1,
    budgetUsdPerDay: 0.01,
  })
  const body = { ...hello, max_tokens: 10 }
  const real = () => running.post('chat/completions', body)

  const before = await ask(running, body)
  await ask(running, body)
  const served = await real()
  const refused = await real()
  const after = await ask(running, body)

  expect(before.headers.get('x-ratelimit-remaining-requests')).toBe('1')
  expect(served.status).toBe(200)
  expect(refused.status).toBe(429)
  expect(after.status).toBe(200)
  expect(after.headers.get('x-ratelimit-remaining-requests')).toBe('0')
})

test('a preview leaves no row and no metric, and does not count as a finished request', async () => {
  const running = await startVaried({ strategy: 'balanced' })
  const { key } = await running.service.dashboard.createApiKey({
    name: 'prometheus',
    routers: 'all',
    metrics: true,
  })
  const finished: unknown[] = []
  running.service.on('request:finished', (row) => finished.push(row))

  await preview(running)
  const metrics = await running.get('/metrics', { headers: { authorization: `Bearer ${key}` } })
  // Its row is behind any that the preview might have left.
  await running.post('chat/completions', hello)
  const rows = await running.ledger(1)

  const samples = readExposition(await metrics.text())
  expect(JSON.stringify(samples)).not.toContain('modelport_requests_total{')
  expect(rows).toHaveLength(1)
  expect(finished).toHaveLength(1)
})

test('a preview does not set a conversation’s model, and shows the model that it would keep', async () => {
  const routing = routingSettingsSchema.parse({ qualityTolerance: 0.08 })
  const running = await startVaried({ strategy: 'cost_optimized', routing })
  const conversation = { 'x-modelport-conversation': 'thread-1' }

  await preview(running, long, conversation)
  const fresh = await preview(running, long, conversation)
  await realRequest(running, long, conversation)
  const kept = await preview(running, long, conversation)

  expect(fresh.decision.kept).toBe(null)
  expect(kept.decision).toMatchObject({ kept: 'near' })
  expect(kept.model).toBe('fake:cheap')
  expect(kept.why).toContain('Kept for the conversation')
})

test('a preview picks no model at random, and shows the share of requests that do', async () => {
  const routing = routingSettingsSchema.parse({ explorationShare: 0.02, qualityTolerance: 0.5 })
  const running = await startVaried({ strategy: 'adaptive', routing })

  const undrawn = await preview(running, long)
  const real = await realRequest(running, long)

  expect(real.decision.drawnWith).not.toBe(null)
  expect(undrawn).toMatchObject({ explorationShare: 0.02, decision: { drawnWith: null } })
  expect(await preview(running, { ...long, model: 'fake:cheap' })).toMatchObject({
    explorationShare: 0,
    routerDecision: 'pinned',
    why: 'The request named this model.',
  })
})

test('a preview of a cascade has its first tier, with the cost of all its models', async () => {
  const running = await startCascaded({ router: { strategy: 'priority' } })

  const previewed = await preview(running)
  const streamed = await preview(running, { ...hello, stream: true })

  const costOf = (id: string) => estimateOf(previewed, id).costNanoUsd
  expect(previewed).toMatchObject({
    model: 'fake:a',
    expected: { costUsd: (costOf('fake:a') + costOf('fake:b')) / 1e9 },
    decision: {
      cascade: [{ models: ['fake:a', 'fake:b'], outcome: 'not_reached' }],
      ranked: [{ model: 'fake:strong' }, {}, {}],
    },
  })
  expect(previewed.why).toContain('fake:a and fake:b')
  // Its answers are checked whole, so a stream begins when they have ended.
  expect(streamed.expected.latencyMs).toBe(previewed.expected.latencyMs)
  expect(running.fake.requestCount()).toBe(0)
})

test('a preview skips a paused model, names it, and does not probe it', async () => {
  const running = await startTestService({ models: { first: fails, second: works } })
  await postTimes(running, 6)
  const asked = running.fake.requestCount()

  const previewed = await preview(running)

  expect(previewed.model).toBe('fake:second')
  expect(previewed.skipped).toMatchObject([{ model: 'fake:first' }])
  expect(previewed.why).toContain('fake:first: not tried, because it failed too often')
  expect(running.fake.requestCount()).toBe(asked)
})

test('where no model can be asked now, the preview is the error of the request', async () => {
  const running = await startTestService({ models: { only: works } })
  running.fake.setApiKey('sk-another-key')
  const [refused] = await postTimes(running, 1)

  const previewed = await ask(running)

  expect(refused?.status).toBe(503)
  expect(previewed.status).toBe(503)
  expect(await previewed.json()).toMatchObject({ error: { code: 'all_models_unavailable' } })
})

test.each([
  ['an unknown key', hello, { authorization: 'Bearer mp_no' }],
  ['no messages', {}, {}],
  ['an unknown model', { ...hello, model: 'fake:none' }, {}],
  ['a need that no model meets', hello, { 'x-modelport-require': 'audio' }],
  ['an invalid header', hello, { 'x-modelport-require': 'magic' }],
] as const)('with %s, the preview is the error of the request', async (_case, body, more) => {
  const running = await startTestService()

  const previewed = await ask(running, body, more)
  const real = await running.post('chat/completions', body, { headers: more })

  expect(previewed.status).toBe(real.status)
  expect(previewed.status).toBeGreaterThan(399)
  expect(await previewed.json()).toEqual(await real.json())
})

test('an agent has no preview: a 400 names the header', async () => {
  const running = await startTestService({ models: { m: echo } })
  await apply(running, twoSteps)

  const answer = await ask(running, { ...hello, model: 'agent:test' })

  expect(answer.status).toBe(400)
  expect(await answer.json()).toMatchObject({
    error: { code: 'invalid_parameter', param: 'x-modelport-preview' },
  })
  expect(running.fake.requestCount()).toBe(0)
})

test.each(['1', 'yes', 'TRUE'])('the header with the value %s is a 400', async (value) => {
  const running = await startTestService()

  const answer = await ask(running, hello, { 'x-modelport-preview': value })

  expect(answer.status).toBe(400)
  expect(await answer.json()).toMatchObject({ error: { param: 'x-modelport-preview' } })
  expect(running.fake.requestCount()).toBe(0)
})

test('the header with the value false sends the request', async () => {
  const running = await startTestService()

  const answer = await ask(running, hello, { 'x-modelport-preview': 'false' })

  expect(await answer.json()).toMatchObject({ object: 'chat.completion' })
})

test('a preview of a stream is one JSON body with the estimates of a stream', async () => {
  const running = await startVaried({ strategy: 'balanced' })

  const streamed = await preview(running, { ...long, stream: true })
  const whole = await preview(running, long)

  expect(streamed.decision.isStreamed).toBe(true)
  expect(streamed.expected.latencyMs).toBeLessThan(whole.expected.latencyMs)
})

test('a preview does not use up an Idempotency-Key', async () => {
  const running = await startTestService()
  const key = { 'idempotency-key': 'key-1' }

  await preview(running, hello, key)
  await preview(running, hello, key)
  const answer = await running.post('chat/completions', hello, { headers: key })

  expect(answer.headers.get('idempotent-replayed')).toBe(null)
  expect(await answer.json()).toMatchObject({ object: 'chat.completion' })
})

test('a preview names the parameters that the model refuses', async () => {
  const running = await startTestService()

  const previewed = await preview(running, { ...hello, temperature: 1, store: true })

  expect(previewed.decision.adjusted).toMatchObject([{ parameter: 'store', change: 'left_out' }])
})
