/** The router chooses the reasoning effort of a model that is rated at several, over the wire. */
import { expect, test } from 'vitest'
import type { ExplainedDetail } from '../../src/shared/requests/detail.ts'
import {
  routingSettingsSchema,
  type RoutingSettings,
} from '../../src/shared/routers/routing-settings.ts'
import { works } from '../attempts/failing-models.ts'
import { startTestService } from '../test-service.ts'

const model = 'gpt-5.4-nano'
const proof = {
  messages: [
    {
      role: 'user',
      content: 'Prove that every finite integral domain is a field, in full rigour.',
    },
  ],
}

/** A router that wants the best answer, of one model that the catalogue rates at three efforts. */
async function startRated(routing: Partial<RoutingSettings> = {}) {
  const running = await startTestService({ models: { [model]: works } })
  const { dashboard } = running.service
  await dashboard.addProvider({
    id: 'openai',
    type: 'openai',
    baseUrl: running.fake.url,
    apiKey: 'sk-fake-provider-key',
  })
  const router = await dashboard.createRouter({
    name: 'Best',
    strategy: 'quality_optimized',
    models: [`openai:${model}`],
    routing: routingSettingsSchema.parse(routing),
  })
  const url = `${running.origin}/api/router/${router.id}/chat/completions`
  const ask = (body: object = {}) =>
    running.post(url, { ...proof, ...body }, { headers: { 'x-modelport-explain': 'true' } })
  return { ...running, ask }
}

function effortSent({ fake }: Awaited<ReturnType<typeof startRated>>): unknown {
  const body = fake.requests.at(-1)?.body
  return typeof body === 'object' && body !== null && 'reasoning_effort' in body
    ? body.reasoning_effort
    : undefined
}

test.each([false, true])(
  'the chosen effort is sent, reported in the header, and explained (stream %s)',
  async (stream) => {
    const running = await startRated()

    const answer = await running.ask({ stream })
    const text = await answer.text()

    expect(effortSent(running)).toBe('high')
    expect(answer.headers.get('x-modelport-adjusted')).toContain('reasoning_effort=sent_as_high')
    expect(text).toContain(`The next, openai:${model} at medium effort, would have cost`)
  },
)

test('the decision lists every effort with its own estimate', async () => {
  const running = await startRated()

  const answer = await running.ask()
  // Our own answer's form.
  const { _meta: meta } = (await answer.json()) as { _meta: { decision: ExplainedDetail } }

  const { ranked } = meta.decision
  expect(ranked.map(({ effort }) => effort)).toEqual(['high', 'medium', undefined])
  const falls = (figures: number[]) =>
    figures.every((value, at) => value <= (figures[at - 1] ?? Infinity))
  expect(falls(ranked.map(({ estimate }) => estimate.outputTokens))).toBe(true)
  expect(falls(ranked.map(({ estimate }) => estimate.latencyMs))).toBe(true)
})

test.each<[string, object]>([
  ['reasoning_effort', { reasoning_effort: 'low' }],
  ['the model by its name', { model: `openai:${model}` }],
])('a request that names %s is sent as it is', async (_what, body) => {
  const running = await startRated()

  const answer = await running.ask(body)

  expect(answer.status).toBe(200)
  expect(running.fake.requests.at(-1)?.body).toMatchObject({ ...body, model })
  expect(effortSent(running)).toBe('reasoning_effort' in body ? 'low' : undefined)
})

test('a request that names another provider’s field gets no effort of the router', async () => {
  const running = await startRated()

  const answer = await running.ask({ reasoning: { max_tokens: 100 } })

  expect(answer.status).toBe(200)
  expect(running.fake.requests.at(-1)?.body).not.toHaveProperty('reasoning')
  expect(effortSent(running)).toBeUndefined()
  expect(answer.headers.get('x-modelport-adjusted')).toBe('reasoning=left_out')
})

test('a router that does not choose efforts sends none', async () => {
  const running = await startRated({ chooseEffort: false })

  await running.ask()

  expect(effortSent(running)).toBeUndefined()
})
