/** Values that the specification states, at every endpoint: they hold on both ways in. */
import { describe, expect, test } from 'vitest'
import { apply, echo, prompt } from '../agents/sample-agent.ts'
import { errorReply } from '../fake-provider.ts'
import { hello, startTestService } from '../test-service.ts'

interface Endpoint {
  form: string
  path(model: string): string
  body: object
  /** Puts a temperature where the form has its place. */
  tempered(temperature: unknown): object
}

const generate = { contents: [{ role: 'user', parts: [{ text: 'Hello' }] }] }
const flat = (form: string, path: string, body: object): Endpoint => ({
  form,
  path: () => path,
  body,
  tempered: (temperature) => ({ ...body, temperature }),
})
const endpoints: readonly Endpoint[] = [
  flat('chat', 'v1/chat/completions', hello),
  flat('completions', 'v1/completions', { prompt: 'Hello' }),
  flat('responses', 'v1/responses', { input: 'Hello' }),
  flat('messages', 'v1/messages', { ...hello, max_tokens: 50 }),
  {
    form: 'gemini',
    path: (model) => `v1beta/models/${model}:generateContent`,
    body: generate,
    tempered: (temperature) => ({ ...generate, generationConfig: { temperature } }),
  },
]

describe.each(endpoints)('of the $form form', ({ form, path, body, tempered }) => {
  test('an absent temperature is sent as 1', async () => {
    const { post, fake } = await startTestService()

    const answer = await post(path('auto'), body)
    await post(path('auto'), tempered(0.5))

    expect(answer.headers.get('x-modelport-adjusted')).toBe('temperature=sent_as_1')
    expect(fake.requests.map((sent) => sent.body?.temperature)).toEqual([1, 0.5])
  })

  test('models that are all only rate-limited are a 503 with retry-after', async () => {
    const reply = errorReply(429, { retryAfterSeconds: 120 })
    const { post } = await startTestService({ models: { one: { reply }, two: { reply } } })

    const answer = await post(path('auto'), body)

    expect(answer.status).toBe(503)
    // Codex sleeps for as long as it is told, so its form names a short wait.
    const leastSeconds = form === 'responses' ? 1 : 60
    expect(Number(answer.headers.get('retry-after'))).toBeGreaterThanOrEqual(leastSeconds)
  })

  test('a value of a wrong type is a 400 that names the field and the expected type', async () => {
    const { post, fake } = await startTestService()

    const answer = await post(path('auto'), tempered('warm'))

    expect(answer.status).toBe(400)
    expect(await answer.text()).toMatch(/temperature.*number/)
    expect(fake.requestCount()).toBe(0)
  })

  test('an agent counts each of its steps that ran, also those without a model', async () => {
    const started = await startTestService({ models: { m: echo } })
    await apply(started, [
      prompt('first', { user: 'one {{ input }}' }),
      { id: 'joined', type: 'text', needs: ['first'], text: '{{ steps.first.output }}!' },
      prompt('last', { needs: ['joined'], user: '{{ steps.joined.output }}' }),
    ])
    const model = 'agent:test'
    const named = form === 'gemini' ? body : { ...body, model }

    const answer = await started.post(path(model), named)

    expect(await answer.text()).toMatch(/"steps_executed": ?3\b/)
  })
})
