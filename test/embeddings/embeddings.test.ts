/** Embeddings from the caller's view: over HTTPS, with a real upstream. */
import { beforeAll, describe, expect, test } from 'vitest'
import { base64Of, vectorOf } from '../fake-provider/embeddings.ts'
import { errorOf } from '../error-of.ts'
import type { TestService } from '../test-service.ts'
import { changeRouter, startEmbeddings } from './start-embeddings.ts'
import { endOfGroup } from '../rules/end-of-group.ts'

interface Answer {
  data: { index: number; embedding: number[] | string }[]
  model: string
  usage: Record<string, number>
  _meta: Record<string, unknown>
}

let running: TestService

const atEnd = endOfGroup()
beforeAll(async () => {
  running = await startEmbeddings(atEnd, {
    silent: { usage: 'none' },
    slow: { firstByteDelayMs: 60_000 },
  })
})

async function embed(body: unknown, headers: Record<string, string> = {}): Promise<Answer> {
  const answer = await running.post('v1/embeddings', body, { headers })
  expect(answer.status).toBe(200)
  return (await answer.json()) as Answer
}

function deepBody(levels: number): string {
  return `{"input":"a","future":${'['.repeat(levels)}${']'.repeat(levels)}}`
}

async function newestRow() {
  const before = (await running.ledger(0)).length
  await embed({ input: 'Hello' })
  return (await running.ledger(before + 1))[0]
}

describe('the official SDK', () => {
  test('reads the upstream’s numbers exactly, though it asks for base64', async () => {
    const client = running.openai()

    const answer = await client.embeddings.create({ model: '', input: ['Hello', 'World'] })
    const floats = await client.embeddings.create({
      model: '',
      input: ['Hello', 'World'],
      encoding_format: 'float',
    })

    const expected = [vectorOf('Hello', 4), vectorOf('World', 4)]
    expect(answer.data.map(({ embedding }) => embedding)).toEqual(expected)
    expect(floats.data.map(({ embedding }) => embedding)).toEqual(expected)
    expect(answer.usage).toEqual({ prompt_tokens: 14, total_tokens: 14 })
  })

  test('gets 1,000 chunks in their order', async () => {
    const input = Array.from({ length: 1_000 }, (_, index) => `chunk ${index}`)

    const { data } = await running.openai().embeddings.create({ model: 'auto', input })

    expect(data.map(({ index }) => index)).toEqual(input.map((_, index) => index))
    expect(data[731]?.embedding).toEqual(vectorOf('chunk 731', 4))
  })
})

test.each([
  ['a text', 'Hello', ['Hello']],
  ['texts', ['a', 'b'], ['a', 'b']],
  ['tokens', [1, 2, 3], [[1, 2, 3]]],
  ['lists of tokens', [[1, 2], [3]], [[1, 2], [3]]],
])('%s: each input has its vector', async (_name, input, inputs) => {
  const { data } = await embed({ input })

  expect(data.map(({ embedding }) => embedding)).toEqual(inputs.map((one) => vectorOf(one, 4)))
})

test.each(['embeddings', 'v1/embeddings', 'v1/embeddings/'])('%s answers', async (path) => {
  expect((await running.post(path, { input: 'Hello' })).status).toBe(200)
})

test('base64 is 32-bit floats in little-endian order', async () => {
  const { data } = await embed({ input: 'Hello', encoding_format: 'base64' })

  expect(data[0]?.embedding).toBe(base64Of(vectorOf('Hello', 4)))
})

test('a batch of 200,000 tokens is accepted', async () => {
  const input = Array.from({ length: 200 }, () =>
    Array.from({ length: 1_000 }, (_, index) => index),
  )

  expect((await embed({ input })).data).toHaveLength(200)
})

test('_meta has its five fields, and the cost follows from the reported tokens', async () => {
  const { _meta, model } = await embed({ input: ['a', 'b'] })

  expect(model).toBe('one:small')
  expect(_meta).toEqual({
    modelUsed: 'one:small',
    // 14 tokens at $0.02 for a million.
    cost: 14 * 0.02e-6,
    latencyMs: expect.any(Number) as number,
    carbonGrams: expect.any(Number) as number,
    routerDecision: 'priority',
  })
})

test('unreported tokens are estimated', async () => {
  await changeRouter(running, { models: ['one:silent'] }).catch(() => null)
  await running.service.dashboard.saveModel({
    id: 'one:silent',
    inputUsdPerMtok: 1,
    outputUsdPerMtok: 0,
    contextTokens: 8_192,
    capabilities: ['embeddings'],
  })
  await changeRouter(running, { models: ['one:silent'] })

  const { usage, _meta } = await embed({ input: 'x'.repeat(36) })

  await changeRouter(running, {})
  expect(usage).toEqual({ prompt_tokens: 10, total_tokens: 10 })
  expect(_meta['cost']).toBe(10e-6)
})

test('the row has the tokens, and no time of a first token', async () => {
  expect(await newestRow()).toMatchObject({
    status: 200,
    modelUsed: 'one:small',
    routerDecision: 'priority',
    isStreamed: false,
    reportedPromptTokens: 7,
    reportedCompletionTokens: 0,
    firstTokenMs: null,
    attempts: 1,
  })
})

test('the headers are those of a chat', async () => {
  const answer = await running.post('embeddings', { input: 'Hello' })

  expect(answer.headers.get('x-request-id')).toMatch(/^[0-9a-f-]{36}$/)
  expect(answer.headers.get('x-ratelimit-limit-requests')).toBe('10000')
  expect(answer.headers.get('content-type')).toBe('application/json; charset=utf-8')
})

test('fields of one vendor are passed on, and fields that only the user may set are not', async () => {
  const body = { input: 'Hello', user: 'u-1', input_type: 'query', store: true }

  const answer = await running.post('embeddings', body)

  expect(running.fake.requests.at(-1)?.body).toEqual({
    model: 'small',
    input: ['Hello'],
    user: 'u-1',
    input_type: 'query',
  })
  expect(answer.headers.get('x-modelport-adjusted')).toContain('store')
})

test('a repeated Idempotency-Key gets the same body without another request', async () => {
  const headers = { 'idempotency-key': 'once' }
  const first = await running.post('embeddings', { input: 'Hello' }, { headers })
  const count = running.fake.requestCount()

  const second = await running.post('embeddings', { input: 'Hello' }, { headers })

  expect(second.headers.get('idempotent-replayed')).toBe('true')
  expect(await second.text()).toBe(await first.text())
  expect(running.fake.requestCount()).toBe(count)
})

test.each([
  ['no input', {}, 'missing_required_parameter', 'input'],
  ['an input of another type', { input: 5 }, 'invalid_parameter', 'input'],
  ['an empty text', { input: '' }, 'invalid_parameter', 'input'],
  ['an empty list', { input: [] }, 'invalid_parameter', 'input'],
  ['an empty text in a list', { input: ['a', ''] }, 'invalid_parameter', 'input[1]'],
  ['a list of texts and numbers', { input: ['a', 5] }, 'invalid_parameter', 'input[1]'],
  ['a token below 0', { input: [-1] }, 'invalid_parameter', 'input[0]'],
  [
    'a list of 2,049 texts',
    { input: Array.from({ length: 2_049 }, () => 'a') },
    'invalid_parameter',
    'input',
  ],
  [
    'a list of 2,049 lists',
    { input: Array.from({ length: 2_049 }, () => [1]) },
    'invalid_parameter',
    'input',
  ],
  ['no dimensions', { input: 'a', dimensions: 0 }, 'invalid_parameter', 'dimensions'],
  [
    'another encoding',
    { input: 'a', encoding_format: 'int8' },
    'invalid_parameter',
    'encoding_format',
  ],
  ['a user that is a number', { input: 'a', user: 1 }, 'invalid_parameter', 'user'],
  [
    'a field that names an upstream',
    { input: 'a', base_url: 'x' },
    'invalid_parameter',
    'base_url',
  ],
  ['deep nesting', deepBody(20_000), 'invalid_parameter', null],
])('%s is a 400 that names the field', async (_name, body, code, param) => {
  const error = await errorOf(await running.post('embeddings', body))

  expect(error).toMatchObject({ status: 400, code, param, type: 'invalid_request_error' })
})

test('a missing key is a 401 and another method a 405', async () => {
  const unsigned = await running.post('embeddings', {}, { headers: { authorization: '' } })
  const other = await running.get('embeddings')

  expect(await errorOf(unsigned)).toMatchObject({ status: 401, code: 'invalid_api_key' })
  expect(await errorOf(other)).toMatchObject({ status: 405 })
})

test('a client that disconnects aborts the upstream and is recorded as 499', async () => {
  const { dashboard } = running.service
  const facts = { inputUsdPerMtok: 1, outputUsdPerMtok: 0, contextTokens: 8_192 }
  await dashboard.saveModel({ id: 'one:slow', ...facts, capabilities: ['embeddings'] })
  await changeRouter(running, { models: ['one:slow'] })
  const before = (await running.ledger(0)).length
  const controller = new AbortController()
  const left = running.post('embeddings', { input: 'Hello' }, { signal: controller.signal })
  await expect.poll(() => running.fake.requests.at(-1)?.model).toBe('slow')

  controller.abort()

  await expect(left).rejects.toThrow('aborted')
  const [row] = await running.ledger(before + 1)
  await changeRouter(running, {})
  expect(row).toMatchObject({ status: 499, errorCode: 'client_closed' })
  await expect.poll(() => running.fake.requests.at(-1)?.abortedAtMs).not.toBeNull()
})
