/** Budgets and routers of agents with many simultaneous steps. */
import { describe, expect, test } from 'vitest'
import { apply, echo, prompt, request, sum } from './sample-agent.ts'
import { hello, startTestService } from '../test-service.ts'

describe('limits', () => {
  /** One cent per token of the answer; the prompt is free. Ten tokens cost ten cents. */
  const centPerToken = { inputUsdPerMtok: 0, outputUsdPerMtok: 10_000, contextTokens: 100_000 }
  const usage = { prompt_tokens: 5, completion_tokens: 10, total_tokens: 15 }
  const dear = (id: string, needs: string[] = []) => prompt(id, { needs, max_tokens: 10 })

  async function startDear(router: object = {}) {
    const started = await startTestService({ models: { m: { text: 'x', usage } }, router })
    await started.service.dashboard.saveModel({ id: 'fake:m', ...centPerToken })
    return started
  }

  test('a step that would exceed the agent’s budget is not sent; the 402 states the amount spent', async () => {
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
      /^Step "c": The budget of agent:test of \$0\.25 does not cover this request: \$0\.05 is left, the request can cost \$0\.10\. Spent so far: \$0\.20, 3 requests to models, \d+\.\d s\.$/,
    )
    expect(started.fake.requestCount()).toBe(2)
  })

  test('simultaneous steps cannot overspend it together', async () => {
    const started = await startDear()
    const ids = ['a', 'b', 'c', 'd']
    const steps = [...ids.map((id) => dear(id)), dear('end', ids)]
    await apply(started, steps, { limits: { max_cost_usd: 0.35 } })

    const answer = await started.post('chat/completions', request)

    expect(answer.status).toBe(402)
    expect(sum(await started.ledger(3), ({ costNanoUsd }) => costNanoUsd)).toBeLessThanOrEqual(35e7)
  })

  test('100 simultaneous executions never exceed a key’s nearly spent budget', async () => {
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
    // Chance decides whether an execution reaches its second step before the budget is spent.
    expect(statuses.filter((status) => status !== 200 && status !== 402)).toEqual([])
    expect(statuses).toContain(402)
  })

  test('an execution counts once on its router and its steps on other routers', async () => {
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

  test('a step can use only the routers of its key', async () => {
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
