/** Agents over HTTPS, called with OpenAI's SDK, with a real upstream. */
import type OpenAI from 'openai'
import { describe, expect, test } from 'vitest'
import type { AgentMeta } from '../../src/shared/chat/chat.ts'
import { apply, echo, prompt, request, sum, twoSteps } from './sample-agent.ts'
import { startTestService } from '../test-service.ts'

const metaFields = [
  'agent_name',
  'execution_id',
  'models_used',
  'steps_executed',
  'total_cost',
  'total_latency',
]

/** The SDK keeps unknown fields, but its types do not have them. */
function metaOf(answer: object): AgentMeta {
  const meta = new Map<string, AgentMeta>(Object.entries(answer)).get('_meta')
  if (!meta) throw new Error('there is no _meta')
  return meta
}

async function collect(stream: AsyncIterable<OpenAI.ChatCompletionChunk>) {
  const chunks: OpenAI.ChatCompletionChunk[] = []
  for await (const chunk of stream) chunks.push(chunk)
  return { chunks, text: chunks.map(({ choices }) => choices[0]?.delta.content ?? '').join('') }
}

describe('an answer', () => {
  test('is the last step’s text; _meta has exactly six fields, and they are the ledger’s sums', async () => {
    const started = await startTestService({ models: { m: echo } })
    await apply(started, twoSteps)

    const answer = await started.openai().chat.completions.create(request)

    expect(answer.model).toBe('agent:test')
    expect(answer.choices).toEqual([
      {
        index: 0,
        message: { role: 'assistant', content: '<two <one Hello>>', refusal: null },
        finish_reason: 'stop',
        logprobs: null,
      },
    ])
    const meta = metaOf(answer)
    expect(Object.keys(meta).toSorted()).toEqual(metaFields)
    const rows = await started.ledger(2)
    expect(rows.map(({ stepId }) => stepId ?? '').toSorted()).toEqual(['first', 'second'])
    expect(rows.every(({ executionId }) => executionId === meta.execution_id)).toBe(true)
    expect(meta).toEqual({
      execution_id: answer.id.replace('chatcmpl-', ''),
      agent_name: 'test',
      steps_executed: 2,
      total_cost: sum(rows, ({ costNanoUsd }) => costNanoUsd) / 1e9,
      total_latency: expect.any(Number),
      models_used: ['fake:m'],
    })
    expect(answer.usage).toEqual({
      prompt_tokens: sum(rows, ({ reportedPromptTokens }) => reportedPromptTokens ?? 0),
      completion_tokens: sum(rows, ({ reportedCompletionTokens }) => reportedCompletionTokens ?? 0),
      total_tokens: expect.any(Number),
    })
    expect(meta.total_latency).toBeGreaterThan(0)
  })

  test('counts every step that ran, also those without a model, and none that was skipped', async () => {
    const started = await startTestService({ models: { m: echo } })
    await apply(started, [
      prompt('first', { user: 'one {{ input }}' }),
      { id: 'joined', type: 'text', needs: ['first'], text: '{{ steps.first.output }}!' },
      { id: 'never', type: 'text', needs: ['joined'], text: 'x', skip_if: 'input == "Hello"' },
      prompt('last', { needs: ['never'], user: '{{ steps.joined.output }}' }),
    ])

    for (const stream of [false, true]) {
      const answer = await started.post('chat/completions', { ...request, stream })
      expect(await answer.text()).toContain('"steps_executed":3,')
    }
  })

  test('streams the last step, with the role first and _meta on the last chunk', async () => {
    const started = await startTestService({
      models: { m: { text: 'a b c d', chunks: 4, chunkDelayMs: 5 } },
    })
    await apply(started, twoSteps)

    const { chunks, text } = await collect(
      await started.openai().chat.completions.create({
        ...request,
        stream: true,
        stream_options: { include_usage: true },
      }),
    )

    expect(text).toBe('a b c d')
    expect(chunks[0]?.choices[0]?.delta.role).toBe('assistant')
    expect(chunks.filter(({ choices }) => choices[0]?.delta.content).length).toBeGreaterThan(1)
    expect(new Set(chunks.map(({ model }) => model))).toEqual(new Set(['agent:test']))
    expect(chunks.at(-2)?.choices[0]?.finish_reason).toBe('stop')
    expect(chunks.at(-1)).toMatchObject({
      choices: [],
      usage: { total_tokens: expect.any(Number) },
    })
    expect(Object.keys(metaOf(chunks.at(-1) ?? {})).toSorted()).toEqual(metaFields)
    expect(started.fake.requests.map(({ body }) => body?.['stream'] === true)).toEqual([
      false,
      true,
    ])
  })

  test('streams the output of a map in one piece', async () => {
    const started = await startTestService({ models: { m: echo } })
    await apply(started, [
      {
        id: 'each',
        type: 'map',
        over: '"a,b" | split: ","',
        steps: [prompt('p', { user: '{{ item }}' })],
      },
    ])

    const { text, chunks } = await collect(
      await started.openai().chat.completions.create({ ...request, stream: true }),
    )

    expect(text).toBe('<a>\n\n<b>')
    // The map, and its step for each of two items.
    expect(metaOf(chunks.at(-1) ?? {}).steps_executed).toBe(3)
  })

  test.each([false, true])('has the steps in _meta.decision on request: %s', async (stream) => {
    const started = await startTestService({ models: { m: echo } })
    await apply(started, twoSteps)

    const headers = { 'x-modelport-explain': 'true' }
    const answer = await started.post('chat/completions', { ...request, stream }, { headers })
    const events = (await answer.text()).split('\n\n').filter((event) => !event.includes('[DONE]'))
    const last = events.findLast((event) => event !== '')?.replace(/^data: /, '') ?? ''

    expect(JSON.parse(last)).toMatchObject({
      _meta: {
        decision: {
          agent: 'test',
          version: 1,
          steps: [
            { stepId: 'first', type: 'prompt', outcome: 'done' },
            { stepId: 'second', type: 'prompt', outcome: 'done' },
          ],
          requests: [
            { stepId: 'first', modelUsed: 'fake:m', status: 200 },
            { stepId: 'second', modelUsed: 'fake:m', status: 200 },
          ],
        },
      },
    })
  })

  test('can be looked up by its id with the same key', async () => {
    const started = await startTestService({ models: { m: echo } })
    await apply(started, twoSteps)
    const answer = await started.openai().chat.completions.create(request)
    const { execution_id: id, total_cost: cost } = metaOf(answer)

    const found = await started.get(`v1/requests/${id}`)

    expect(await found.json()).toMatchObject({
      object: 'modelport.execution',
      id,
      agent: 'test',
      agentVersion: 1,
      state: 'done',
      status: 200,
      steps: 2,
      cost,
    })
  })
})

describe('refused requests', () => {
  test('an unknown agent is a 404 that names the existing agents', async () => {
    const started = await startTestService()
    await apply(started, twoSteps)

    const answer = await started.post('chat/completions', { ...request, model: 'agent:tset' })

    expect(answer.status).toBe(404)
    expect(await answer.json()).toMatchObject({
      error: {
        code: 'agent_not_found',
        param: 'model',
        message: 'There is no agent "tset". Existing agents: agent:test.',
      },
    })
  })

  test.each([
    ['tools', { tools: [{ type: 'function', function: { name: 'x' } }] }],
    ['functions', { functions: [{ name: 'x' }], function_call: 'auto' }],
    ['modalities', { modalities: ['text', 'audio'] }],
    ['n', { n: 2 }],
    ['logprobs', { logprobs: true }],
    ['response_format', { response_format: { type: 'json_object' } }],
    ['messages', { messages: [{ role: 'user', content: [{ type: 'image_url' }] }] }],
  ])('%s is a 400, and no request is sent', async (param, more) => {
    const started = await startTestService()
    await apply(started, twoSteps)

    const answer = await started.post('chat/completions', { ...request, ...more })

    expect(answer.status).toBe(400)
    expect(await answer.json()).toMatchObject({ error: { code: 'invalid_parameter', param } })
    expect(started.fake.requestCount()).toBe(0)
  })

  test('parameters of a model are ignored and reported', async () => {
    const started = await startTestService({ models: { m: echo } })
    await apply(started, [
      prompt('p', { temperature: 0.25, max_tokens: 9, system: 'S {{ input }}' }),
    ])

    const answer = await started.post('chat/completions', {
      ...request,
      temperature: 2,
      top_p: 0.5,
      logit_bias: { 50256: -100 },
      verbosity: 'low',
      modalities: ['text'],
    })

    expect(answer.headers.get('x-modelport-adjusted')).toBe(
      'temperature=left_out, top_p=left_out, logit_bias=left_out, verbosity=left_out',
    )
    const { body } = started.fake.requests[0] ?? {}
    expect(body).toMatchObject({
      temperature: 0.25,
      max_tokens: 9,
      messages: [{ role: 'system', content: 'S Hello' }, { role: 'user' }],
    })
    expect(body).not.toHaveProperty('top_p')
  })
})

test('steps that do not need each other run at the same time', async () => {
  const started = await startTestService({ models: { m: { firstByteDelayMs: 50 } } })
  const ids = ['a', 'b', 'c', 'd']
  await apply(started, [...ids.map((id) => prompt(id)), prompt('end', { needs: ids })])

  const { execution_id: id } = metaOf(await started.openai().chat.completions.create(request))

  const { execution } = (await started.service.agents.execution(id)) ?? {}
  const steps = execution?.trace.filter(({ stepId }) => stepId !== 'end') ?? []
  expect(steps.map(({ stepId }) => stepId).toSorted()).toEqual(ids)
  const lastStart = Math.max(...steps.map(({ startedMs }) => startedMs))
  const firstEnd = Math.min(...steps.map(({ startedMs, tookMs }) => startedMs + tookMs))
  expect(lastStart).toBeLessThan(firstEnd)
})

test('steps carry the caller’s tag: that of the header, else that of the key', async () => {
  const started = await startTestService({ models: { m: echo } })
  await apply(started, twoSteps)
  const { key } = await started.service.dashboard.createApiKey({
    name: 'tagged',
    routers: 'all',
    tag: 'team',
  })
  const authorization = `Bearer ${key}`

  const tagged = { authorization, 'x-modelport-tag': 'shop' }
  for (const headers of [tagged, { authorization }]) {
    expect((await started.post('chat/completions', request, { headers })).status).toBe(200)
  }

  const rows = await started.ledger(4)
  expect(rows.map(({ stepId, tag }) => `${stepId} ${tag}`).toSorted()).toEqual([
    'first shop',
    'first team',
    'second shop',
    'second team',
  ])
})

test('GET …/v1/models lists the agents after the models', async () => {
  const started = await startTestService()
  await apply(started, twoSteps)

  const models = await started.openai().models.list()
  const one = await started.openai().models.retrieve('agent:test')

  expect(models.data.map(({ id }) => id)).toEqual(['auto', 'fake:fake-model', 'agent:test'])
  expect(one).toMatchObject({ object: 'model', owned_by: 'modelport' })
})

test('JSON is requested by schema if the models support it, otherwise as an object with the schema in the prompt', async () => {
  const started = await startTestService({ models: { m: { text: '{"n": 1}' } } })
  const json_schema = { type: 'object', properties: { n: { type: 'integer' } }, required: ['n'] }
  await apply(started, [prompt('p', { json_schema })])
  await started.openai().chat.completions.create(request)
  await started.service.dashboard.saveModel({
    id: 'fake:m',
    inputUsdPerMtok: 1,
    outputUsdPerMtok: 1,
    contextTokens: 10_000,
    capabilities: ['json_object'],
  })
  await started.openai().chat.completions.create(request)

  const [bySchema, asObject] = started.fake.requests.map(({ body }) => body)
  expect(bySchema).toMatchObject({
    response_format: { type: 'json_schema', json_schema: { name: 'p', schema: json_schema } },
    messages: [{ role: 'user', content: 'p' }],
  })
  expect(asObject).toMatchObject({
    response_format: { type: 'json_object' },
    messages: [{ role: 'system', content: expect.stringContaining('"required":["n"]') }, {}],
  })
})
