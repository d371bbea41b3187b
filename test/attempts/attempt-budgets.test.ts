/** Prompts of failed attempts count in budgets, so a further attempt is made only while the budgets cover it. */
import { describe, expect, test } from 'vitest'
import type { FakeModel } from '../fake-provider.ts'
import { startTestService, type TestService } from '../test-service.ts'

const prompt = 'word '.repeat(2_000)
const messages = [{ role: 'user', content: prompt }]
/** The prompt costs about $2.80, reserved as $3.50; answers are almost free. */
const price = { inputUsdPerMtok: 1_000, outputUsdPerMtok: 0.001, contextTokens: 100_000 }
const breaks: FakeModel = { fault: { kind: 'reset', afterEvents: 0 } }

const endpoints: readonly [name: string, path: string, body: object][] = [
  ['chat', 'v1/chat/completions', { messages, max_tokens: 10 }],
  ['chat_stream', 'v1/chat/completions', { messages, max_tokens: 10, stream: true }],
  ['completions', 'v1/completions', { prompt, max_tokens: 10 }],
  ['responses', 'v1/responses', { input: prompt, max_output_tokens: 16, stream: true }],
  ['messages', 'v1/messages', { messages, max_tokens: 10 }],
  ['embeddings', 'v1/embeddings', { input: prompt }],
]

async function startPriced(models: Readonly<Record<string, FakeModel>>) {
  const started = await startTestService({ models })
  for (const name of Object.keys(models)) {
    const capabilities = name === 'embeddings' ? { capabilities: ['embeddings' as const] } : {}
    await started.service.dashboard.saveModel({ id: `fake:${name}`, ...price, ...capabilities })
  }
  return started
}

/** Sends a request with a new key of this budget. */
async function ask({ post, service }: TestService, usd: number, [path, body]: [string, object]) {
  const { dashboard } = service
  const { key } = await dashboard.createApiKey({ name: 'k', routers: 'all', budgetUsdPerDay: usd })
  const answer = await post(path, body, { headers: { authorization: `Bearer ${key}` } })
  return { status: answer.status, text: await answer.text() }
}

describe('a model whose connection breaks after the prompt was sent', () => {
  test('is asked again at every endpoint only while the budget covers it', async () => {
    const names = endpoints.map(([name]) => name)
    const started = await startPriced(Object.fromEntries(names.map((name) => [name, breaks])))

    for (const [name, path, body] of endpoints) {
      const { status } = await ask(started, 5, [path, { ...body, model: `fake:${name}` }])
      expect([name, status]).toEqual([name, 503])
    }

    const rows = await started.ledger(endpoints.length)
    expect(rows.map(({ attempts }) => attempts)).toEqual(endpoints.map(() => 1))
    for (const { costNanoUsd } of rows) expect(costNanoUsd).toBeLessThan(5e9)
  })

  test.each([
    [5, 503, 1],
    [7, 503, 2],
    [10, 200, 3],
  ])('is replaced by others as far as $%i go', async (usd, status, attempts) => {
    const usage = { prompt_tokens: 2_500, completion_tokens: 1, total_tokens: 2_501 }
    const started = await startPriced({ first: breaks, second: breaks, third: { usage } })

    const answer = await ask(started, usd, ['v1/chat/completions', { messages, max_tokens: 10 }])

    expect(answer.status).toBe(status)
    const why = 'fake:third: not tried, because the budget does not cover another attempt'
    expect(answer.text.includes(why)).toBe(status === 503)
    const [row] = await started.ledger(1)
    expect(row).toMatchObject({ attempts })
    expect(row?.costNanoUsd).toBeLessThan(usd * 1e9)
  })
})
