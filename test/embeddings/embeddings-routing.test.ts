/** Tests that one model makes all embeddings, because vectors of two models cannot be compared. */
import { beforeAll, beforeEach, expect, test } from 'vitest'
import { vectorOf } from '../fake-provider/embeddings.ts'
import { errorReply } from '../fake-provider.ts'
import { errorOf } from '../error-of.ts'
import { hello, type TestService } from '../test-service.ts'
import { askedModels, changeRouter, startEmbeddings } from './start-embeddings.ts'
import { endOfGroup } from '../rules/end-of-group.ts'

const input = 'Hello'
let running: TestService

const atEnd = endOfGroup()
beforeAll(async () => {
  running = await startEmbeddings(atEnd)
})

beforeEach(() => {
  running.fake.setModel('small', {})
})

interface Answered {
  model: string
  _meta: {
    routerDecision: string
    decision?: { why: string; excluded: { model: string; code: string }[] }
  }
}

async function embed(body: object = {}, headers: Record<string, string> = {}) {
  const answer = await running.post('embeddings', { input, ...body }, { headers })
  return { status: answer.status, ...((await answer.json()) as Answered) }
}

async function anyModelKey(): Promise<string> {
  const created = { name: 'tool', routers: 'all' as const, acceptAnyModel: true }
  return (await running.service.dashboard.createApiKey(created)).key
}

test('the first model for embeddings makes them, and the reason says so', async () => {
  const { model, _meta } = await embed({}, { 'x-modelport-explain': 'true' })

  expect(model).toBe('one:small')
  expect(_meta.decision?.why).toBe('The router’s first model for embeddings.')
  expect(_meta.decision?.excluded.map(({ model: id, code }) => [id, code])).toEqual([
    ['fake:chat', 'lacks_capability'],
    ['one:ada', 'other_model'],
  ])
})

test('a failure falls over to the same model at another provider', async () => {
  running.fake.setModel('small', { reply: errorReply(500) })

  const answer = await running.post('embeddings', { input })

  expect(await answer.json()).toMatchObject({ model: 'two:backup' })
  expect(answer.headers.get('x-modelport-fallback')).toBe('from="one:small", reason=unavailable')
})

test('no other model is asked, even if every deployment fails', async () => {
  const before = running.fake.requestCount()
  running.fake.setModel('small', { reply: errorReply(500) })
  running.fake.setModel('backup', { reply: errorReply(500) })

  const error = await errorOf(await running.post('embeddings', { input }))

  running.fake.setModel('backup', {})
  expect(error).toMatchObject({ status: 503, code: 'all_models_unavailable' })
  expect(askedModels(running).slice(before)).not.toContain('ada')
  expect(askedModels(running).slice(before)).not.toContain('chat')
})

test('a model that the request names is asked alone', async () => {
  const { model, _meta } = await embed({ model: 'one:ada' })

  expect([model, _meta.routerDecision]).toEqual(['one:ada', 'pinned'])
})

test('an unknown model is a 404 that lists the models for embeddings', async () => {
  const error = await errorOf(
    await running.post('embeddings', { input, model: 'text-embedding-3-small' }),
  )

  expect(error).toMatchObject({ status: 404, code: 'model_not_found', param: 'model' })
  expect(error).toMatchObject({
    message: expect.stringContaining('auto, one:small, one:ada, two:backup') as string,
  })
})

test('a key that accepts any model lets the router decide', async () => {
  const { model } = await embed(
    { model: 'text-embedding-ada-002' },
    { authorization: `Bearer ${await anyModelKey()}` },
  )

  expect(model).toBe('one:small')
})

test.each([
  ['a chat model', 'fake:chat', 400, 'no_capable_model'],
  ['an agent', 'agent:writer', 400, 'invalid_parameter'],
])('%s makes no embeddings', async (_name, model, status, code) => {
  expect(await errorOf(await running.post('embeddings', { input, model }))).toMatchObject({
    status,
    code,
  })
})

test('a router without such a model is a 400 that says what to add', async () => {
  await changeRouter(running, { models: ['fake:chat'] })

  const error = await errorOf(await running.post('embeddings', { input }))

  await changeRouter(running, {})
  expect(error).toMatchObject({
    status: 400,
    code: 'no_capable_model',
    message: expect.stringContaining('Add an embedding model to the router') as string,
  })
})

test('an input that is far too long is a 400 that names it', async () => {
  const error = await errorOf(await running.post('embeddings', { input: 'word '.repeat(20_000) }))

  expect(error).toMatchObject({ status: 400, code: 'context_length_exceeded', param: 'input' })
})

test('many short inputs together may be longer than the context', async () => {
  expect(
    (await embed({ input: Array.from({ length: 500 }, () => 'word '.repeat(40)) })).status,
  ).toBe(200)
})

test.each([
  ['more than the model has', 'auto', 2_000],
  ['another number than a fixed one', 'one:ada', 256],
])('%s is a 400 for dimensions, before the request is sent', async (_name, model, dimensions) => {
  const before = running.fake.requestCount()

  const error = await errorOf(await running.post('embeddings', { input, model, dimensions }))

  expect(error).toMatchObject({ status: 400, code: 'invalid_parameter', param: 'dimensions' })
  expect(running.fake.requestCount()).toBe(before)
})

test('dimensions are passed on', async () => {
  await embed({ dimensions: 2 })

  expect(running.fake.requests.at(-1)?.body).toMatchObject({ dimensions: 2 })
})

test('vectors are shortened for a provider that cannot, if the model is trained for it', async () => {
  const { dashboard } = running.service
  const baseUrl = running.fake.url
  await dashboard.addProvider({ id: 'studio', type: 'lm-studio', baseUrl, apiKey: 'k' })
  const facts = { inputUsdPerMtok: 0, outputUsdPerMtok: 0, contextTokens: 2048 }
  for (const name of ['nomic-embed-text', 'all-minilm']) {
    running.fake.setModel(name, {})
    await dashboard.saveModel({ id: `studio:${name}`, ...facts, capabilities: ['embeddings'] })
  }
  await changeRouter(running, { models: ['studio:nomic-embed-text', 'studio:all-minilm'] })

  const answer = await running.openai().embeddings.create({ model: '', input, dimensions: 2 })
  const reported = await running.post('embeddings', { input, dimensions: 2 })
  const fixed = { input, model: 'studio:all-minilm', dimensions: 2 }
  const error = await errorOf(await running.post('embeddings', fixed))

  await changeRouter(running, {})
  const [x = 0, y = 0] = vectorOf(input, 4)
  const length = Math.hypot(x, y)
  expect(answer.data[0]?.embedding).toEqual([x / length, y / length].map(Math.fround))
  expect(reported.headers.get('x-modelport-adjusted')).toContain('dimensions')
  expect(error).toMatchObject({ status: 400, param: 'dimensions' })
})

test('tokens for OpenAI’s models are refused by other models, whose texts they are not', async () => {
  const headers = { authorization: `Bearer ${await anyModelKey()}` }
  const facts = { inputUsdPerMtok: 0, outputUsdPerMtok: 0, contextTokens: 2048 }
  const other = 'fake:e5-large'
  await running.service.dashboard.saveModel({ id: other, ...facts, capabilities: ['embeddings'] })
  const tokens = { input: [[1, 2, 3]], model: 'text-embedding-ada-002' }

  const same = await running.post('embeddings', tokens, { headers })
  await changeRouter(running, { models: [other] })
  const error = await errorOf(await running.post('embeddings', tokens, { headers }))

  await changeRouter(running, {})
  expect(same.status).toBe(200)
  expect(error).toMatchObject({ status: 400, code: 'invalid_parameter', param: 'input' })
})

test('a preview names the model, its cost and its backup, and sends nothing', async () => {
  const before = running.fake.requestCount()

  const answer = await running.post(
    'embeddings',
    { input },
    { headers: { 'x-modelport-preview': 'true' } },
  )

  const preview = (await answer.json()) as Record<string, unknown>
  expect(preview).toMatchObject({
    object: 'modelport.preview',
    model: 'one:small',
    routerDecision: 'priority',
    expected: { promptTokens: 2, outputTokens: 0, costUsd: 2 * 0.02e-6 },
    decision: { ranked: [{ model: 'one:small' }, { model: 'two:backup' }] },
  })
  expect(running.fake.requestCount()).toBe(before)
})

test('a chat never goes to a model for embeddings', async () => {
  const answer = await running.post('chat/completions', hello)
  const named = await running.post('chat/completions', { ...hello, model: 'one:small' })

  expect(await answer.json()).toMatchObject({ model: 'fake:chat' })
  expect(await errorOf(named)).toMatchObject({
    status: 400,
    code: 'no_capable_model',
    message: expect.stringContaining('makes embeddings and cannot chat') as string,
  })
})

test('the list of models shows which make embeddings', async () => {
  const { data } = (await (await running.get('v1/models')).json()) as {
    data: { id: string; capabilities?: string[] }[]
  }

  const able = data.filter(({ capabilities }) => capabilities?.includes('embeddings'))
  expect(able.map(({ id }) => id)).toEqual(['one:small', 'one:ada', 'two:backup'])
})

test('the router’s excluded providers have no part, whatever the request', async () => {
  await changeRouter(running, { routing: { providers: ['two', 'fake'] } })

  const { model } = await embed()

  await changeRouter(running, {})
  expect(model).toBe('two:backup')
})

test('the daily limit and the budget apply', async () => {
  await changeRouter(running, { budgetUsdPerDay: 1e-9 })
  const overBudget = await errorOf(await running.post('embeddings', { input: ['a'.repeat(400)] }))
  await changeRouter(running, { tier: 'enterprise', dailyLimit: 1 })
  const overLimit = await errorOf(await running.post('embeddings', { input }))
  await changeRouter(running, {})

  expect(overBudget).toMatchObject({ status: 402, code: 'budget_exceeded' })
  expect(overLimit).toMatchObject({ status: 429, code: 'daily_limit_exceeded' })
})

test('a tuning run leaves out models for embeddings and says so', async () => {
  const { routerId, service } = running

  const plan = await service.tuning.plan({ routerId, prompts: { from: 'starter' }, count: 30 })

  expect(plan.models).toEqual(['fake:chat'])
  expect(plan.leftOut).toContainEqual({
    model: 'one:small',
    reason: 'It makes embeddings and cannot chat.',
  })
})

test('a model for embeddings cannot judge answers', async () => {
  const shadow = { share: 0.1, maxUsdPerDay: 1, judge: 'one:small' }
  const changed = changeRouter(running, { models: ['fake:chat', 'fake:ada'], routing: { shadow } })

  await expect(changed).rejects.toThrow('makes embeddings and cannot chat')
})
