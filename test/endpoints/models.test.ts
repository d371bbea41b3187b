/** The list of models in both families' forms, read by their official SDKs. */
import { NotFoundError, type Anthropic } from '@anthropic-ai/sdk'
import { beforeAll, describe, expect, test } from 'vitest'
import type { Router } from '../../src/shared/entities.ts'
import { hello, startTestService, type TestService } from '../test-service.ts'
import { endOfGroup } from '../rules/end-of-group.ts'

/** Context, longest answer, capabilities, and US dollars per million tokens of each model. */
const figures = {
  'a/b:c': [200_000, 64_000, ['tools', 'json', 'vision'], 1],
  short: [200_000, 8_000, ['tools', 'json'], 2],
  'text-only': [1_000_000, 128_000, ['json'], 3],
} as const
const tools = [{ type: 'function', function: { name: 'read', parameters: { type: 'object' } } }]
const anthropicVersion = { 'anthropic-version': '2023-06-01' }

let running: TestService
const atEnd = endOfGroup()
beforeAll(async () => {
  const models = Object.fromEntries(Object.keys(figures).map((name) => [name, {}]))
  running = await startTestService({ models }, atEnd)
  for (const [name, [contextTokens, maxOutputTokens, capabilities, usd]] of Object.entries(
    figures,
  )) {
    await running.service.dashboard.saveModel({
      id: `fake:${name}`,
      inputUsdPerMtok: usd,
      outputUsdPerMtok: 2 * usd,
      contextTokens,
      maxOutputTokens,
      capabilities: [...capabilities],
    })
  }
})

const ids = ['auto', 'fake:a/b:c', 'fake:short', 'fake:text-only']

describe('in OpenAI’s form', () => {
  test('auto states the limits of the largest model that takes tools, and an upper bound of the price', async () => {
    const { data } = await running.openai().models.list()

    expect(data.map(({ id }) => id)).toEqual(ids)
    expect(data[0]).toMatchObject({
      name: 'Auto (Test)',
      context_length: 200_000,
      top_provider: { context_length: 200_000, max_completion_tokens: 64_000 },
      architecture: { input_modalities: ['text', 'image'], output_modalities: ['text'] },
      pricing: { prompt: '0.000003', completion: '0.000006' },
      capabilities: ['tools', 'vision', 'json'],
      capabilities_of_all: ['json'],
    })
  })

  test('each model states its own limits and the parameters that it takes', async () => {
    const model = await running.openai().models.retrieve('fake:short')

    expect(model).toMatchObject({
      name: 'fake:short',
      context_length: 200_000,
      top_provider: { max_completion_tokens: 8_000 },
      architecture: { input_modalities: ['text'] },
    })
    expect(model).toHaveProperty(
      'supported_parameters',
      expect.arrayContaining(['max_tokens', 'tools', 'tool_choice', 'response_format']),
    )
    expect(model).not.toHaveProperty('capabilities_of_all')
  })

  test('a request within the limits of auto is answered, and one above them is refused', async () => {
    const [auto] = (await running.openai().models.list()).data
    // The SDK's type has only OpenAI's fields.
    const { top_provider } = auto as unknown as { top_provider: { max_completion_tokens: number } }
    const { max_completion_tokens: greatest } = top_provider

    const within = await running.post('chat/completions', { ...hello, tools, max_tokens: greatest })
    const above = { ...hello, tools, max_tokens: greatest + 1 }

    expect(within.status).toBe(200)
    expect((await running.post('chat/completions', above)).status).toBe(400)
  })

  test('models that the router’s rules exclude do not raise the limits of auto', async () => {
    const { dashboard } = running.service
    const { id, createdAtMs: _created, updatedAtMs: _updated, ...router } = await routerInUse()
    const routing = { ...router.routing, requires: ['vision' as const] }

    await dashboard.updateRouter(id, { ...router, routing })
    const [auto] = (await running.openai().models.list()).data
    await dashboard.updateRouter(id, router)

    expect(auto).toMatchObject({
      pricing: { prompt: '0.000001' },
      capabilities_of_all: ['tools', 'vision', 'json'],
    })
  })
})

async function routerInUse(): Promise<Router> {
  const routers = await running.service.dashboard.routers()
  const router = routers.find(({ id }) => id === running.routerId)
  if (!router) throw new Error('the router is missing')
  return router
}

describe('in Anthropic’s form', () => {
  test('the SDK reads all pages, with limits and capabilities', async () => {
    const models: Anthropic.ModelInfo[] = []
    for await (const model of running.anthropic().models.list({ limit: 3 })) models.push(model)

    expect(models.map(({ id }) => id)).toEqual(ids)
    expect(models[0]).toMatchObject({
      type: 'model',
      display_name: 'Auto (Test)',
      created_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/) as unknown,
      max_input_tokens: 200_000,
      max_tokens: 64_000,
      capabilities: { image_input: { supported: true }, pdf_input: { supported: false } },
      capabilities_of_all: { image_input: { supported: false } },
    })
  })

  test('pages go forward from after_id and backward from before_id', async () => {
    const list = (query: Anthropic.ModelListParams) => running.anthropic().models.list(query)
    const first = await list({ limit: 1 })
    const next = await list({ limit: 2, after_id: 'fake:a/b:c' })
    const previous = await list({ limit: 2, before_id: 'fake:text-only' })

    expect(first).toMatchObject({ has_more: true, first_id: 'auto', last_id: 'auto' })
    expect(next.data.map(({ id }) => id)).toEqual(['fake:short', 'fake:text-only'])
    expect(next).toMatchObject({ has_more: false, first_id: 'fake:short' })
    expect(previous.data.map(({ id }) => id)).toEqual(['fake:a/b:c', 'fake:short'])
    expect(previous.has_more).toBe(true)
  })

  test('one model is found by its id', async () => {
    expect(await running.anthropic().models.retrieve('fake:a/b:c')).toMatchObject({
      type: 'model',
      id: 'fake:a/b:c',
      max_tokens: 64_000,
    })
  })

  test('Claude Code’s discovery request with its key in x-api-key gets the whole list', async () => {
    const answer: unknown = await running.anthropic().get('/v1/models?limit=1000')

    expect(answer).toMatchObject({
      data: ids.map((id) => ({ type: 'model', id })),
      has_more: false,
      first_id: 'auto',
      last_id: 'fake:text-only',
    })
  })

  test.each([
    ['limit=0', 'limit'],
    ['limit=1001', 'limit'],
    ['limit=2&limit=3', 'limit'],
    ['after_id=unknown', 'after_id'],
    ['after_id=auto&before_id=auto', 'before_id'],
  ])('the query %s is a 400 that names the parameter', async (query, name) => {
    const answer = await running.get(`v1/models?${query}`, { headers: anthropicVersion })

    expect(answer.status).toBe(400)
    expect(await answer.json()).toMatchObject({
      type: 'error',
      error: { type: 'invalid_request_error', message: expect.stringContaining(name) as unknown },
    })
  })

  test('errors are in the family’s form', async () => {
    const missing = running.anthropic().models.retrieve('nothing')
    const refused = await running.get('v1/models', {
      headers: { ...anthropicVersion, authorization: 'Bearer mp_wrong' },
    })

    await expect(missing).rejects.toThrow(NotFoundError)
    expect(refused.status).toBe(401)
    expect(await refused.json()).toMatchObject({
      type: 'error',
      error: { type: 'authentication_error' },
    })
  })
})
