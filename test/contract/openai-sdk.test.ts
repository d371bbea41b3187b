/** The service from the view of the official Node SDK, over HTTPS, with a real upstream. */
import {
  APIUserAbortError,
  AuthenticationError,
  BadRequestError,
  NotFoundError,
  PermissionDeniedError,
  RateLimitError,
} from 'openai'
import { beforeAll, describe, expect, test } from 'vitest'
import { hello, startTestService, type TestService } from '../test-service.ts'
import { endOfGroup } from '../rules/end-of-group.ts'

const request = { model: '', ...hello }
const metaFields = ['carbonGrams', 'cost', 'latencyMs', 'modelUsed', 'routerDecision']

/** The SDK keeps unknown fields, but its types do not have them. */
function metaOf(answer: object): Record<string, unknown> | undefined {
  return new Map<string, Record<string, unknown>>(Object.entries(answer)).get('_meta')
}

async function errorOf(call: Promise<unknown>): Promise<unknown> {
  return await call.then(
    () => null,
    (error: unknown) => error,
  )
}

test('an answer in one piece has the text, the usage and the five fields of _meta', async () => {
  const { openai } = await startTestService({ models: { 'fake-model': { text: 'Paris.' } } })

  const answer = await openai().chat.completions.create(request)

  expect(answer.choices[0]?.message).toMatchObject({ role: 'assistant', content: 'Paris.' })
  expect(answer.choices[0]?.finish_reason).toBe('stop')
  expect(answer.model).toBe('fake:fake-model')
  expect(answer.id).toMatch(/^chatcmpl-[0-9a-f-]{36}$/)
  const { prompt_tokens, completion_tokens, total_tokens } = answer.usage ?? {}
  expect(total_tokens).toBe((prompt_tokens ?? 0) + (completion_tokens ?? 0))
  const meta = metaOf(answer)
  expect(Object.keys(meta ?? {}).toSorted()).toEqual(metaFields)
  expect(meta).toMatchObject({ modelUsed: 'fake:fake-model', routerDecision: 'priority' })
  expect(meta?.['cost']).toBe(((prompt_tokens ?? 0) * 1 + (completion_tokens ?? 0) * 2) / 1e6)
  expect(meta?.['latencyMs']).toBeGreaterThan(0)
  expect(meta?.['carbonGrams']).toBeGreaterThan(0)
})

test('for await reads the stream: role first, _meta on the chunk with the finish reason', async () => {
  const { openai } = await startTestService({ models: { 'fake-model': { text: 'One two three' } } })

  const chunks = []
  const stream = await openai().chat.completions.create({ ...request, stream: true })
  for await (const chunk of stream) chunks.push(chunk)

  expect(chunks[0]?.choices[0]?.delta.role).toBe('assistant')
  const text = chunks.map((chunk) => chunk.choices[0]?.delta.content ?? '').join('')
  expect(text).toBe('One two three')
  expect(new Set(chunks.map(({ id, created, model }) => `${id} ${created} ${model}`)).size).toBe(1)
  expect(chunks.every((chunk) => chunk.choices.length === 1)).toBe(true)
  expect(chunks.slice(0, -1).filter((chunk) => metaOf(chunk) !== undefined)).toEqual([])
  expect(chunks.at(-1)?.choices[0]?.finish_reason).toBe('stop')
  expect(Object.keys(metaOf(chunks.at(-1) ?? {}) ?? {}).toSorted()).toEqual(metaFields)
})

test('with include_usage the usage and _meta are on one last chunk without choices', async () => {
  const { openai } = await startTestService()

  const chunks = []
  const stream = await openai().chat.completions.create({
    ...request,
    stream: true,
    stream_options: { include_usage: true },
  })
  for await (const chunk of stream) chunks.push(chunk)

  const last = chunks.at(-1)
  expect(last?.choices).toEqual([])
  expect(last?.usage?.total_tokens).toBeGreaterThan(0)
  expect(Object.keys(metaOf(last ?? {}) ?? {}).toSorted()).toEqual(metaFields)
  expect(chunks.slice(0, -1).every((chunk) => chunk.usage === null)).toBe(true)
  expect(chunks.slice(0, -1).filter((chunk) => metaOf(chunk) !== undefined)).toEqual([])
})

test('.stream() puts the answer together, and finalChatCompletion() carries _meta', async () => {
  const { openai } = await startTestService({ models: { 'fake-model': { text: 'All of it' } } })

  const answer = await openai().chat.completions.stream(request).finalChatCompletion()

  expect(answer.choices[0]?.message.content).toBe('All of it')
  expect(Object.keys(metaOf(answer) ?? {}).toSorted()).toEqual(metaFields)
})

test('.stream() puts a tool call together', async () => {
  const toolCalls = [
    { index: 0, id: 'call_1', name: 'weather', argumentPieces: ['{"city":', '"Rome"}'] },
  ]
  const { openai } = await startTestService({ models: { 'fake-model': { toolCalls, text: '' } } })

  const answer = await openai()
    .chat.completions.stream({
      ...request,
      tools: [{ type: 'function', function: { name: 'weather' } }],
    })
    .finalChatCompletion()

  expect(answer.choices[0]?.message.tool_calls?.[0]).toMatchObject({
    id: 'call_1',
    function: { name: 'weather', arguments: '{"city":"Rome"}' },
  })
  expect(answer.choices[0]?.finish_reason).toBe('tool_calls')
})

test('aborting a stream closes the upstream and leaves one row with status 499', async () => {
  const slow = { text: 'word '.repeat(200), chunks: 200, chunkDelayMs: 20 }
  const { openai, fake, ledger } = await startTestService({ models: { 'fake-model': slow } })

  const stream = await openai().chat.completions.create({ ...request, stream: true })
  for await (const chunk of stream) {
    if (chunk.choices[0]?.delta.content) stream.controller.abort()
  }

  const rows = await ledger(1)
  expect(rows).toHaveLength(1)
  expect(rows[0]).toMatchObject({ status: 499, modelUsed: 'fake:fake-model' })
  expect(rows[0]?.estimatedCompletionTokens).toBeGreaterThan(0)
  await expect.poll(() => fake.requests[0]?.abortedAtMs).toEqual(expect.any(Number))
})

test('aborting an answer in one piece closes the upstream, too', async () => {
  const slow = { firstByteDelayMs: 5_000 }
  const { openai, fake, ledger } = await startTestService({ models: { 'fake-model': slow } })
  const controller = new AbortController()

  const call = openai().chat.completions.create(request, { signal: controller.signal })
  await expect.poll(() => fake.requests.length).toBe(1)
  controller.abort()

  expect(await errorOf(call)).toBeInstanceOf(APIUserAbortError)
  expect(await ledger(1)).toMatchObject([{ status: 499 }])
  await expect.poll(() => fake.requests[0]?.abortedAtMs).toEqual(expect.any(Number))
})

test('a wrong value is a BadRequestError that names the field', async () => {
  const { openai } = await startTestService()

  const error = await errorOf(openai().chat.completions.create({ ...request, temperature: 3 }))

  expect(error).toBeInstanceOf(BadRequestError)
  expect(error).toMatchObject({
    code: 'invalid_parameter',
    param: 'temperature',
    type: 'invalid_request_error',
    requestID: expect.stringMatching(/^[0-9a-f-]{36}$/),
  })
})

test('an unknown key is an AuthenticationError', async () => {
  const { openai } = await startTestService()

  const client = openai().withOptions({ apiKey: 'mp_unknown' })
  const error = await errorOf(client.chat.completions.create(request))

  expect(error).toBeInstanceOf(AuthenticationError)
  expect(error).toMatchObject({ code: 'invalid_api_key', type: 'authentication_error' })
})

test('a key of another router is a PermissionDeniedError', async () => {
  const { openai, service } = await startTestService()
  const models = ['fake:fake-model']
  const other = await service.dashboard.createRouter({
    name: 'Other',
    strategy: 'priority',
    models,
  })
  const { key } = await service.dashboard.createApiKey({ name: 'other', routers: [other.id] })

  const error = await errorOf(
    openai().withOptions({ apiKey: key }).chat.completions.create(request),
  )

  expect(error).toBeInstanceOf(PermissionDeniedError)
  expect(error).toMatchObject({ code: 'router_access_denied', type: 'authorization_error' })
})

test('an unknown router and an unknown model are NotFoundErrors', async () => {
  const { openai, origin } = await startTestService()

  const baseURL = `${origin}/api/router/router_0000000000000000/v1`
  const noRouter = await errorOf(openai().withOptions({ baseURL }).chat.completions.create(request))
  const noModel = await errorOf(
    openai().chat.completions.create({ ...request, model: 'gpt-nothing' }),
  )

  expect(noRouter).toBeInstanceOf(NotFoundError)
  expect(noRouter).toMatchObject({ code: 'router_not_found' })
  expect(noModel).toBeInstanceOf(NotFoundError)
  expect(noModel).toMatchObject({ code: 'model_not_found', param: 'model' })
})

test('the daily limit is a RateLimitError that the SDK does not retry', async () => {
  const limited = { tier: 'enterprise' as const, dailyLimit: 1 }
  const { openai, fake } = await startTestService({ router: limited })
  let sent = 0
  const countedFetch: typeof fetch = async (...args) => {
    sent += 1
    return fetch(...args)
  }
  const client = openai().withOptions({ maxRetries: 2, fetch: countedFetch })

  await client.chat.completions.create(request)
  const error = await errorOf(client.chat.completions.create(request))

  expect(error).toBeInstanceOf(RateLimitError)
  expect(error).toMatchObject({ code: 'daily_limit_exceeded', type: 'rate_limit_error' })
  expect(sent).toBe(2)
  expect(fake.requestCount()).toBe(1)
})

test('models.list() names auto and the models of the router', async () => {
  const { openai } = await startTestService({ models: { 'a/b:c': {} } })

  const models = await openai().models.list()
  const one = await openai().models.retrieve('fake:a/b:c')

  expect(models.data.map(({ id }) => id)).toEqual(['auto', 'fake:a/b:c'])
  expect(one).toMatchObject({ id: 'fake:a/b:c', object: 'model', owned_by: 'fake' })
})

describe('without the SDK', () => {
  const paths = [
    'chat/completions',
    'chat/completions/',
    'v1/chat/completions',
    'v1/chat/completions/',
  ]
  const models = [{}, { model: '' }, { model: 'auto' }]
  let service: TestService
  const atEnd = endOfGroup()
  beforeAll(async () => {
    service = await startTestService({}, atEnd)
  })

  test.each(paths.flatMap((path) => models.map((model) => ({ path, model }))))(
    '$model at $path lets the router decide',
    async ({ path, model }) => {
      const answer = await service.post(path, { ...hello, ...model })

      expect(answer.status).toBe(200)
      expect(await answer.json()).toMatchObject({ _meta: { routerDecision: 'priority' } })
    },
  )
})
