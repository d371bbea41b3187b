/** Agents as callers meet them: over HTTPS with OpenAI's SDK, and a real upstream behind. */
import type OpenAI from 'openai'
import { describe, expect, test } from 'vitest'
import type { AgentMeta } from '../src/shared/chat.ts'
import type { RequestRecord } from '../src/shared/entities.ts'
import type { FakeModelScript } from './fake-provider.ts'
import { hello, startTestService, type TestService } from './test-service.ts'

const metaFields = [
  'agent_name',
  'execution_id',
  'models_used',
  'steps_executed',
  'total_cost',
  'total_latency',
]

const prompt = (id: string, more: object = {}) => ({ id, type: 'prompt', user: id, ...more })

async function apply({ service }: TestService, steps: object[], more: object = {}) {
  await service.dashboard.applyAgent(JSON.stringify({ name: 'test', steps, ...more }))
}

const request = { model: 'agent:test', ...hello }

/** The SDK keeps fields it does not know; its types do not. */
function metaOf(answer: object): AgentMeta {
  const meta = new Map<string, AgentMeta>(Object.entries(answer)).get('_meta')
  if (!meta) throw new Error('there is no _meta')
  return meta
}

/** What was sent as the last message of each request. */
function asked({ fake }: TestService): string[] {
  return fake.requests.map(({ body }) => {
    const messages = body?.['messages'] as { content: string }[] | undefined
    return messages?.at(-1)?.content ?? ''
  })
}

const echo: FakeModelScript = ({ body }) => {
  const messages = body?.['messages'] as { content: string }[] | undefined
  return { text: `<${messages?.at(-1)?.content ?? ''}>` }
}

async function collect(stream: AsyncIterable<OpenAI.ChatCompletionChunk>) {
  const chunks: OpenAI.ChatCompletionChunk[] = []
  for await (const chunk of stream) chunks.push(chunk)
  return { chunks, text: chunks.map(({ choices }) => choices[0]?.delta.content ?? '').join('') }
}

const twoSteps = [
  prompt('first', { user: 'one {{ input }}' }),
  prompt('second', { needs: ['first'], user: 'two {{ steps.first.output }}' }),
]

function sum(rows: readonly RequestRecord[], of: (row: RequestRecord) => number): number {
  return rows.reduce((total, row) => total + of(row), 0)
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
        message: { role: 'assistant', content: '<two <one Hello>>' },
        finish_reason: 'stop',
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

  test('streams the last step as it comes, role first, _meta on the very last chunk', async () => {
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

  test('streams what is known only as a whole in one piece', async () => {
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
    expect(metaOf(chunks.at(-1) ?? {}).steps_executed).toBe(2)
  })

  test.each([false, true])(
    'has the steps in _meta.decision where they are asked for: %s',
    async (stream) => {
      const started = await startTestService({ models: { m: echo } })
      await apply(started, twoSteps)

      const headers = { 'x-modelport-explain': 'true' }
      const answer = await started.post('chat/completions', { ...request, stream }, { headers })
      const events = (await answer.text())
        .split('\n\n')
        .filter((event) => !event.includes('[DONE]'))
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
    },
  )

  test('is found again with its id, by the key that asked', async () => {
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

describe('what is refused', () => {
  test('an agent there is not is a 404 that names those there are', async () => {
    const started = await startTestService()
    await apply(started, twoSteps)

    const answer = await started.post('chat/completions', { ...request, model: 'agent:tset' })

    expect(answer.status).toBe(404)
    expect(await answer.json()).toMatchObject({
      error: {
        code: 'agent_not_found',
        param: 'model',
        message: 'There is no agent "tset". There are: agent:test.',
      },
    })
  })

  test.each([
    ['tools', { tools: [{ type: 'function', function: { name: 'x' } }] }],
    ['n', { n: 2 }],
    ['logprobs', { logprobs: true }],
    ['response_format', { response_format: { type: 'json_object' } }],
    ['messages', { messages: [{ role: 'user', content: [{ type: 'image_url' }] }] }],
  ])('%s is a 400, and nothing is asked', async (param, more) => {
    const started = await startTestService()
    await apply(started, twoSteps)

    const answer = await started.post('chat/completions', { ...request, ...more })

    expect(answer.status).toBe(400)
    expect(await answer.json()).toMatchObject({ error: { code: 'invalid_parameter', param } })
    expect(started.fake.requestCount()).toBe(0)
  })

  test('how a model would be asked is left out, and told', async () => {
    const started = await startTestService({ models: { m: echo } })
    await apply(started, [
      prompt('p', { temperature: 0.25, max_tokens: 9, system: 'S {{ input }}' }),
    ])

    const answer = await started.post('chat/completions', {
      ...request,
      temperature: 2,
      top_p: 0.5,
    })

    expect(answer.headers.get('x-modelport-adjusted')).toBe('temperature=left_out, top_p=left_out')
    const { body } = started.fake.requests[0] ?? {}
    expect(body).toMatchObject({
      temperature: 0.25,
      max_tokens: 9,
      messages: [{ role: 'system', content: 'S Hello' }, { role: 'user' }],
    })
    expect(body).not.toHaveProperty('top_p')
  })
})

describe('a failed step', () => {
  const broken = { reply: { status: 500, headers: {}, body: '{}' } }

  test.each([false, true])(
    'answers with its own status and code, its id in param: %s',
    async (stream) => {
      const started = await startTestService({
        models: { m: (_request, nth) => (nth === 1 ? { text: 'x' } : broken) },
      })
      await apply(started, twoSteps)

      const answer = await started.post('chat/completions', { ...request, stream })

      expect(answer.status).toBe(503)
      expect(await answer.json()).toMatchObject({
        error: {
          code: 'all_models_unavailable',
          type: 'service_unavailable_error',
          param: 'second',
          message: expect.stringMatching(/^Step "second": /),
        },
      })
      const { executionId = '' } = (await started.ledger(2))[0] ?? {}
      const found = await started.get(`v1/requests/${executionId}`)
      expect(await found.json()).toMatchObject({
        state: 'failed',
        status: 503,
        errorCode: 'all_models_unavailable',
        failedStep: 'second',
        steps: 2,
      })
    },
  )

  test('a model that no router has is the step’s fault', async () => {
    const started = await startTestService()
    await apply(started, [prompt('p', { model: 'fake:other' })])

    const answer = await started.post('chat/completions', request)

    expect(answer.status).toBe(404)
    expect(await answer.json()).toMatchObject({ error: { code: 'model_not_found', param: 'p' } })
  })

  test('breaks off a stream whose text had begun', async () => {
    const reset = { text: 'one two', chunks: 4, fault: { kind: 'reset' as const, afterEvents: 2 } }
    const started = await startTestService({ models: { m: reset } })
    await apply(started, [prompt('p')])

    const text = await (await started.post('chat/completions', { ...request, stream: true })).text()

    const events = text.trim().split('\n\n')
    expect(events.at(-1)).toBe('data: [DONE]')
    expect(JSON.parse((events.at(-2) ?? '').replace('data: ', ''))).toMatchObject({
      error: { code: 'all_models_unavailable', param: 'p' },
    })
  })
})

describe('limits', () => {
  /** A cent a token, and nothing for the prompt: ten tokens can cost ten cents. */
  const centPerToken = { inputUsdPerMtok: 0, outputUsdPerMtok: 10_000, contextTokens: 100_000 }
  const usage = { prompt_tokens: 5, completion_tokens: 10, total_tokens: 15 }
  const dear = (id: string, needs: string[] = []) => prompt(id, { needs, max_tokens: 10 })

  async function startDear(router: object = {}) {
    const started = await startTestService({ models: { m: { text: 'x', usage } }, router })
    await started.service.dashboard.saveModel({ id: 'fake:m', ...centPerToken })
    return started
  }

  test('a step that would exceed the agent’s budget is not asked; the 402 says what was spent', async () => {
    const started = await startDear()
    await apply(started, [dear('a'), dear('b', ['a']), dear('c', ['b'])], {
      limits: { max_cost_usd: 0.25 },
    })

    const answer = await started.post('chat/completions', request)

    expect(answer.status).toBe(402)
    expect(answer.headers.get('x-should-retry')).toBe('false')
    const { error } = (await answer.json()) as { error: Record<string, string> }
    expect(error).toMatchObject({ code: 'budget_exceeded', type: 'budget_error', param: 'c' })
    expect(error['message']).toMatch(
      /^Step "c": The budget of agent:test of \$0\.25 does not cover this request: \$0\.05 is left, the request can cost \$0\.10\. Spent until then: \$0\.20, 3 requests to models, \d+\.\d s\.$/,
    )
    expect(started.fake.requestCount()).toBe(2)
  })

  test('steps that run at once cannot overspend it together', async () => {
    const started = await startDear()
    const ids = ['a', 'b', 'c', 'd']
    const steps = [...ids.map((id) => dear(id)), dear('end', ids)]
    await apply(started, steps, { limits: { max_cost_usd: 0.35 } })

    const answer = await started.post('chat/completions', request)

    expect(answer.status).toBe(402)
    expect(sum(await started.ledger(3), ({ costNanoUsd }) => costNanoUsd)).toBeLessThanOrEqual(35e7)
  })

  test(
    '100 executions at once at a nearly spent budget of the key never exceed it',
    { timeout: 60_000 },
    async () => {
      const started = await startDear()
      await apply(started, [dear('a'), dear('b', ['a'])])
      const { key } = await started.service.dashboard.createApiKey({
        name: 'small',
        routers: 'all',
        budgetUsdPerDay: 1.25,
      })
      const headers = { authorization: `Bearer ${key}` }
      const statuses = await Promise.all(
        Array.from({ length: 100 }, async () => {
          const answer = await started.post('chat/completions', request, { headers })
          await answer.text()
          return answer.status
        }),
      )

      const spent = sum(await started.ledger(12), ({ costNanoUsd }) => costNanoUsd)
      expect(spent).toBe(1.2e9)
      expect(started.fake.requestCount()).toBe(12)
      // Whether one gets to its second step before the others took the rest is chance.
      expect(statuses.filter((status) => status !== 200 && status !== 402)).toEqual([])
      expect(statuses).toContain(402)
    },
  )

  test('an execution counts once on its router, and its steps on the others they are sent to', async () => {
    const limited = { tier: 'enterprise' as const, dailyLimit: 10 }
    const started = await startTestService({ models: { m: echo }, router: limited })
    const other = await started.service.dashboard.createRouter({
      name: 'Other',
      strategy: 'priority',
      models: ['fake:m'],
      ...limited,
    })
    await apply(started, [
      prompt('a'),
      prompt('b', { needs: ['a'], router: other.id }),
      prompt('c', { needs: ['b'], router: other.id }),
    ])

    const answer = await started.post('chat/completions', request)
    expect(answer.status).toBe(200)
    expect(answer.headers.get('x-ratelimit-remaining-requests')).toBe('9')
    const next = await started.post(`/api/router/${other.id}/chat/completions`, hello)
    expect(next.headers.get('x-ratelimit-remaining-requests')).toBe('7')
  })

  test('a step may go only to routers that the key may use', async () => {
    const started = await startTestService()
    const models = ['fake:fake-model']
    const { dashboard } = started.service
    const other = await dashboard.createRouter({ name: 'Other', strategy: 'priority', models })
    const { key } = await dashboard.createApiKey({ name: 'one', routers: [started.routerId] })
    await apply(started, [prompt('a', { router: other.id })])

    const headers = { authorization: `Bearer ${key}` }
    const answer = await started.post('chat/completions', request, { headers })

    expect(answer.status).toBe(403)
    expect(await answer.json()).toMatchObject({
      error: { code: 'router_access_denied', param: 'a' },
    })
  })
})

describe('a caller that goes away', () => {
  test.each([false, true])('ends every step within 100 ms: streamed %s', async (stream) => {
    const started = await startTestService({ models: { m: { firstByteDelayMs: 5_000 } } })
    const ids = ['a', 'b', 'c']
    await apply(started, [...ids.map((id) => prompt(id)), prompt('end', { needs: ids })])
    const controller = new AbortController()
    const { signal } = controller
    const answer = started.post('chat/completions', { ...request, stream }, { signal })
    const failed = answer.then(
      () => 'answered',
      () => 'aborted',
    )
    await expect.poll(() => started.fake.requests.length).toBe(3)
    const abortedAtMs = Date.now()
    controller.abort()

    expect(await failed).toBe('aborted')
    const abortedAt = () => started.fake.requests.map((each) => each.abortedAtMs)
    await expect.poll(abortedAt).toEqual(ids.map(() => expect.any(Number)))
    expect(Math.max(...abortedAt().map(Number)) - abortedAtMs).toBeLessThan(100)
    const rows = await started.ledger(3)
    expect(rows.map(({ status }) => status)).toEqual([499, 499, 499])
    const found = await started.get(`v1/requests/${rows[0]?.executionId}`)
    expect(await found.json()).toMatchObject({ state: 'failed', status: 499 })
  })
})

test('four steps of 500 ms that need nothing of each other take less than 700 ms', async () => {
  const started = await startTestService({
    models: {
      m: ({ body }) => ({ firstByteDelayMs: JSON.stringify(body).includes('end') ? 0 : 500 }),
    },
  })
  const ids = ['a', 'b', 'c', 'd']
  await apply(started, [...ids.map((id) => prompt(id)), prompt('end', { needs: ids })])
  await started.post('chat/completions', hello)

  const answer = await started.openai().chat.completions.create(request)

  expect(metaOf(answer).total_latency).toBeLessThan(700)
  expect(asked(started).slice(1, -1).toSorted()).toEqual(ids)
})

test('GET …/v1/models lists the agents after the models', async () => {
  const started = await startTestService()
  await apply(started, twoSteps)

  const models = await started.openai().models.list()
  const one = await started.openai().models.retrieve('agent:test')

  expect(models.data.map(({ id }) => id)).toEqual(['auto', 'fake:fake-model', 'agent:test'])
  expect(one).toMatchObject({ object: 'model', owned_by: 'modelport' })
})

test('JSON is asked for by schema where the models can, else as an object with the schema in words', async () => {
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
