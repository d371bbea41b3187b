/** Failed steps from the caller's view, and steps of a caller that left. */
import { describe, expect, test } from 'vitest'
import { apply, prompt, request, twoSteps } from './agents/sample-agent.ts'
import { startTestService } from './test-service.ts'

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
