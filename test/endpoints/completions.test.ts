/** Legacy text completions, read by OpenAI's SDK, at a router of chat models. */
import { BadRequestError } from 'openai'
import { beforeAll, describe, expect, test } from 'vitest'
import { startTestService, type TestService } from '../test-service.ts'
import { endOfGroup } from '../rules/end-of-group.ts'

let running: TestService
const atEnd = endOfGroup()
beforeAll(async () => {
  running = await startTestService({ models: { one: { text: 'One two three.' } } }, atEnd)
  await running.service.dashboard.saveModel({
    id: 'fake:one',
    inputUsdPerMtok: 1,
    outputUsdPerMtok: 2,
    contextTokens: 100_000,
    capabilities: ['n', 'logprobs'],
  })
})

const request = { model: 'auto', prompt: 'Count.' }

function create(fields: object = {}) {
  return running.openai().completions.create({ ...request, ...fields })
}

async function chunksOf(fields: object = {}) {
  const options = { ...request, ...fields, stream: true as const }
  const chunks = []
  for await (const chunk of await running.openai().completions.create(options)) chunks.push(chunk)
  return chunks
}

function sentBody(): Record<string, unknown> {
  return running.fake.requests.at(-1)?.body ?? {}
}

const meta = expect.objectContaining({
  modelUsed: 'fake:one',
  routerDecision: 'priority',
}) as unknown

test('an answer in one piece has the text, the usage and _meta', async () => {
  const answer = await create()

  expect(answer).toMatchObject({
    object: 'text_completion',
    model: 'fake:one',
    choices: [{ text: 'One two three.', index: 0, logprobs: null, finish_reason: 'stop' }],
    _meta: meta,
  })
  expect(answer.id).toMatch(/^cmpl-[0-9a-f-]{36}$/)
  expect(answer.usage?.total_tokens).toBeGreaterThan(0)
})

test('the prompt reaches the model as one message, with the parameters', async () => {
  const parameters = {
    max_tokens: 20,
    temperature: 0.5,
    stop: ['.'],
    seed: 7,
    logit_bias: { 5: 1 },
  }

  await create({ ...parameters, prompt: ['Count.'], best_of: 1, suffix: '', logprobs: 2 })

  expect(sentBody()).toMatchObject({
    messages: [{ role: 'user', content: 'Count.' }],
    logprobs: true,
    top_logprobs: 2,
    ...parameters,
  })
  for (const field of ['prompt', 'suffix', 'best_of', 'echo']) {
    expect(sentBody()).not.toHaveProperty(field)
  }
})

test('a stream has text pieces, one finish reason, and _meta on the last chunk', async () => {
  const chunks = await chunksOf()

  expect(chunks.map(({ choices }) => choices[0]?.text).join('')).toBe('One two three.')
  expect(new Set(chunks.map(({ id, object }) => `${id} ${object}`)).size).toBe(1)
  const reasons = chunks.map(({ choices }) => choices[0]?.finish_reason)
  expect(reasons).toEqual([...reasons.slice(1).map(() => null), 'stop'])
  expect(chunks.at(-1)).toMatchObject({ object: 'text_completion', _meta: meta })
  expect(chunks.slice(0, -1).filter((chunk) => '_meta' in chunk)).toEqual([])
})

test('with include_usage the usage and _meta are on one last chunk without choices', async () => {
  const chunks = await chunksOf({ stream_options: { include_usage: true } })

  expect(chunks.at(-1)).toMatchObject({ choices: [], _meta: meta })
  expect(chunks.at(-1)?.usage?.total_tokens).toBeGreaterThan(0)
  for (const chunk of chunks.slice(0, -1)) expect(chunk).toHaveProperty('usage', null)
})

test('a stream ends with [DONE]', async () => {
  const answer = await running.post('v1/completions', { ...request, stream: true })

  expect(await answer.text()).toMatch(/^(data: \{.+\}\n\n)+data: \[DONE\]\n\n$/)
})

test('echo puts the prompt before the answer, whole and streamed', async () => {
  const whole = await create({ echo: true })
  const chunks = await chunksOf({ echo: true })

  expect(whole.choices[0]?.text).toBe('Count.One two three.')
  expect(chunks.map(({ choices }) => choices[0]?.text).join('')).toBe('Count.One two three.')
})

test('log probabilities have one entry per token, with its place in the text', async () => {
  const content = ['One', ' two'].map((token) => ({
    token,
    logprob: -0.5,
    bytes: null,
    top_logprobs: [{ token: ' 2', logprob: -2, bytes: null }],
  }))
  const choices = [
    {
      index: 0,
      message: { role: 'assistant', content: 'One two' },
      logprobs: { content },
      finish_reason: 'stop',
    },
  ]
  const body = JSON.stringify({ id: 'a', object: 'chat.completion', created: 1, choices })
  running.fake.setModel('one', {
    reply: { status: 200, headers: { 'content-type': 'application/json' }, body },
  })
  const answer = await create({ logprobs: 1 })
  running.fake.setModel('one', { text: 'One two three.' })

  expect(answer.choices[0]?.logprobs).toEqual({
    tokens: ['One', ' two'],
    token_logprobs: [-0.5, -0.5],
    top_logprobs: [{ ' 2': -2 }, { ' 2': -2 }],
    text_offset: [0, 3],
  })
})

describe('what chat models cannot do is a 400 that names the field and the way out:', () => {
  test.each([
    ['prompt', { prompt: [1, 2] }, 'must be text'],
    ['prompt', { prompt: [[1, 2]] }, 'must be text'],
    ['prompt', { prompt: ['One', 'Two'] }, 'one request for each'],
    ['prompt', { prompt: '' }, 'must not be empty'],
    ['suffix', { suffix: 'end' }, 'Leave it out'],
    ['echo', { echo: true, logprobs: 1 }, 'log probabilities'],
    ['best_of', { best_of: 3 }, 'set "n"'],
    ['tools', { tools: [] }, '/v1/chat/completions'],
    ['logprobs', { logprobs: true }, 'must be an integer'],
    ['base_url', { base_url: 'https://example.com' }, 'set on the router'],
  ])('%s in %j', async (param, fields, words) => {
    const error: unknown = await create(fields).catch((refused: unknown) => refused)

    expect(error).toBeInstanceOf(BadRequestError)
    expect(error).toMatchObject({ code: 'invalid_parameter', param })
    expect(String(error)).toContain(words)
  })

  test('a body without a prompt', async () => {
    const answer = await running.post('completions', { model: 'auto' })

    expect(await answer.json()).toMatchObject({
      error: { code: 'missing_required_parameter', param: 'prompt' },
    })
  })
})

test('each completion has one row in the ledger and counts once', async () => {
  const { post, ledger } = await startTestService({ router: { tier: 'enterprise', dailyLimit: 1 } })

  await (await post('v1/completions', request)).json()
  const second = await post('v1/completions', request)

  expect(second.status).toBe(429)
  expect(await ledger(1)).toMatchObject([{ status: 200, modelUsed: 'fake:fake-model' }])
})

test('an error after the first piece is an error event before [DONE]', async () => {
  running.fake.setModel('one', { fault: { kind: 'reset', afterEvents: 3 }, text: 'One two three.' })
  const answer = await running.post('v1/completions', { ...request, stream: true })
  const text = await answer.text()
  running.fake.setModel('one', { text: 'One two three.' })

  expect(text).toMatch(/data: \{"error":\{.+\}\}\n\ndata: \[DONE\]\n\n$/)
})
