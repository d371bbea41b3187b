/** Failed steps from the caller's view, and steps of a caller that left. */
import { describe, expect, test } from 'vitest'
import { apply, prompt, request, sum, twoSteps } from './sample-agent.ts'
import {
  errorReply,
  type FakeModel,
  type FakeModelScript,
  type FakeRequest,
} from '../fake-provider.ts'
import { startTestService, type TestService } from '../test-service.ts'

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

  test('has status 404 for a model that is not in the router', async () => {
    const started = await startTestService()
    await apply(started, [prompt('p', { model: 'fake:other' })])

    const answer = await started.post('chat/completions', request)

    expect(answer.status).toBe(404)
    expect(await answer.json()).toMatchObject({ error: { code: 'model_not_found', param: 'p' } })
  })

  test('ends a stream that has already started', async () => {
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

describe('a refusal of the model', () => {
  const refusal = 'I cannot help with that.'
  const refuses = ({ body }: FakeRequest): FakeModel => {
    const choice = (field: string) => ({
      id: 'x',
      object: 'chat.completion',
      created: 1,
      model: 'm',
      choices: [{ index: 0, [field]: { content: null, refusal }, finish_reason: 'stop' }],
    })
    const isStream = body?.['stream'] === true
    return {
      reply: {
        status: 200,
        headers: { 'content-type': isStream ? 'text/event-stream' : 'application/json' },
        body: isStream
          ? `data: ${JSON.stringify(choice('delta'))}\n\ndata: [DONE]\n\n`
          : JSON.stringify(choice('message')),
      },
    }
  }
  const json_schema = { properties: { n: { type: 'integer' } } }

  test.each([
    ['a first step', [prompt('a', { retries: 2 }), prompt('b', { needs: ['a'] })], {}],
    ['a step with JSON', [prompt('a', { retries: 2, json_schema })], {}],
    [
      'a first step of which only a later one is streamed',
      [prompt('a'), prompt('b', { needs: ['a'] })],
      { stream: true },
    ],
  ])('fails %s, and no second request is sent', async (_what, steps, more) => {
    const started = await startTestService({ models: { m: refuses } })
    await apply(started, steps)

    const answer = await started.post('chat/completions', { ...request, ...more })

    expect(answer.status).toBe(400)
    expect(await answer.json()).toMatchObject({
      error: { param: 'a', message: `Step "a": the model refused: ${refusal}` },
    })
    expect(started.fake.requestCount()).toBe(1)
  })

  test('in the last step reaches the caller, whole and streamed', async () => {
    const started = await startTestService({ models: { m: refuses } })
    await apply(started, [prompt('a')])

    const whole = await started.openai().chat.completions.create(request)
    const stream = await started.openai().chat.completions.create({ ...request, stream: true })
    const deltas = []
    for await (const { choices } of stream) deltas.push(choices[0]?.delta)

    expect(whole.choices[0]?.message).toEqual({ role: 'assistant', content: null, refusal })
    expect(deltas.map((delta) => delta?.refusal ?? '').join('')).toBe(refusal)
    expect(deltas.map((delta) => delta?.content ?? '').join('')).toBe('')
  })

  test('of a candidate leaves the others to the judge', async () => {
    const models: Record<string, FakeModelScript> = {
      m: (asked, nth) => (nth === 1 ? refuses(asked) : { text: `answer ${nth}` }),
    }
    const started = await startTestService({ models })
    const judge = { user: '{{ candidates | join: "|" }}' }
    const candidate = { user: 'Answer.' }
    await apply(started, [
      { id: 'j', type: 'judge', candidates: 3, candidate, judge, mode: 'merge' },
    ])

    const answer = await started.post('chat/completions', request)

    expect(answer.status).toBe(200)
    expect(started.fake.requestCount()).toBe(4)
    const content = expect.stringMatching(/^answer [23]\|answer [23]$/)
    expect(started.fake.requests.at(-1)?.body?.['messages']).toEqual([
      expect.objectContaining({ content }),
    ])
  })

  test('of all candidates is the failure of the judge', async () => {
    const started = await startTestService({ models: { m: refuses } })
    const ask = { user: 'Answer.' }
    await apply(started, [
      { id: 'j', type: 'judge', candidates: 2, candidate: ask, judge: ask, mode: 'merge' },
    ])

    const answer = await started.post('chat/completions', request)

    expect(await answer.json()).toMatchObject({
      error: { param: 'j', message: `Step "j": the model refused: ${refusal}` },
    })
    expect(started.fake.requestCount()).toBe(2)
  })

  test.each([false, true])(
    'is replaced by the fallback, also in the last step: streamed %s',
    async (stream) => {
      const started = await startTestService({ models: { m: refuses } })
      const fallback = 'instead'
      await apply(started, [
        prompt('a', { fallback }),
        prompt('b', { needs: ['a'], user: '{{ steps.a.output }}', fallback }),
      ])

      const answer = await started.post('chat/completions', { ...request, stream })

      expect(await answer.text()).toContain('"content":"instead"')
      const [, second] = started.fake.requests
      expect(second?.body).toMatchObject({ messages: [{ content: 'instead' }] })
    },
  )
})

describe('a caller that leaves', () => {
  test.each([false, true])(
    'ends every step before its model answers: streamed %s',
    async (stream) => {
      const started = await startTestService({ models: { m: { firstByteDelayMs: 600_000 } } })
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
      controller.abort()

      expect(await failed).toBe('aborted')
      const abortedAt = () => started.fake.requests.map((each) => each.abortedAtMs)
      await expect.poll(abortedAt).toEqual(ids.map(() => expect.any(Number)))
      const rows = await started.ledger(3)
      expect(rows.map(({ status }) => status)).toEqual([499, 499, 499])
      const found = await started.get(`v1/requests/${rows[0]?.executionId}`)
      expect(await found.json()).toMatchObject({ state: 'failed', status: 499 })
    },
  )
})

describe('a step that is cancelled after its model was asked', () => {
  const hangs: FakeModel = { fault: { kind: 'hang', afterEvents: 0 } }
  const writes: FakeModel = { text: 'one two three', fault: { kind: 'hang', afterEvents: 2 } }
  const waits = (more: object = {}) => prompt('waits', { model: 'fake:slow', ...more })

  /** A step waits for its model, and another one fails as soon as the first has been asked. */
  async function startFailing() {
    const asked = Promise.withResolvers<void>()
    const started = await startTestService({
      models: {
        slow: () => {
          asked.resolve()
          return hangs
        },
        broken: () => asked.promise.then(() => ({ reply: errorReply(400) })),
      },
    })
    return { ...started, other: prompt('fails', { model: 'fake:broken' }) }
  }

  async function expectCancelled({ ledger, get }: TestService, status: number, requests = 1) {
    const rows = await ledger(requests)
    const row = rows.find(({ stepId }) => stepId === 'waits')
    expect(row).toMatchObject({ status: 499, errorCode: 'cancelled', reportedPromptTokens: null })
    expect(row?.costNanoUsd).toBeGreaterThan(0)
    const execution = await (await get(`v1/requests/${row?.executionId}`)).json()
    const cost = sum(rows, ({ costNanoUsd }) => costNanoUsd) / 1e9
    expect(execution).toMatchObject({ state: 'failed', status, cost })
    const record = await (await get(`v1/requests/${row?.id}`)).json()
    expect(record).toMatchObject({ detail: { tokenSource: 'estimated' } })
  }

  test('by the failure of another step has status 499 and its cost', async () => {
    const started = await startFailing()
    await apply(started, [waits(), started.other, prompt('end', { needs: ['waits', 'fails'] })])

    expect((await started.post('chat/completions', request)).status).toBe(400)

    await expectCancelled(started, 400, 2)
  })

  test.each([
    ['by its own time limit', { time_limit_seconds: 1 }, {}, 503],
    ['by the agent’s time limit', {}, { max_seconds: 1 }, 402],
  ])('%s has status 499 and its cost', async (_name, step, limits, status) => {
    const started = await startTestService({ models: { slow: hangs } })
    await apply(started, [waits(step)], { limits })

    expect((await started.post('chat/completions', request)).status).toBe(status)

    await expectCancelled(started, status)
  })

  test('in the middle of its answer has the cost of what arrived', async () => {
    const started = await startTestService({ models: { slow: writes } })
    await apply(started, [waits({ time_limit_seconds: 1 })])

    const answer = await started.post('chat/completions', { ...request, stream: true })
    await answer.text()

    await expectCancelled(started, 503)
    expect((await started.ledger(1))[0]?.estimatedCompletionTokens).toBeGreaterThan(0)
  })
})
