/** Tests that a router finds the cheaper or faster of two equal models, also when only the other has answered. */
import { expect, test } from 'vitest'
import type { StrategyName } from '../../src/shared/routers/strategy-names.ts'
import { hello, startTestService, type TestService } from '../test-service.ts'

/** A text shorter than any default length, as the answers of many routers are. */
const text = 'A short answer of ten tokens or so, no more.'

const explained = { headers: { 'x-modelport-explain': 'true' } }

interface Explained {
  _meta: { modelUsed: string; decision: { why: string; look?: { insteadOf: string } } }
}

/** @param model  a name, or `auto` for the router's choice */
async function ask({ post }: TestService, model = 'auto'): Promise<Explained['_meta']> {
  const answer = await post('chat/completions', { ...hello, model }, explained)
  expect(answer.status).toBe(200)
  // The form of Modelport's own answer.
  const { _meta: meta } = (await answer.json()) as Explained
  return meta
}

async function askTimes(times: number, upstream: TestService, model?: string) {
  const answers: Explained['_meta'][] = []
  for (let nth = 0; nth < times; nth += 1) answers.push(await ask(upstream, model))
  return answers
}

function countOf(model: string, answers: readonly Explained['_meta'][]): number {
  return answers.filter(({ modelUsed }) => modelUsed === model).length
}

test.each<StrategyName>(['cost_optimized', 'adaptive'])(
  'with %s, at most 1 of 12 requests goes to the dearer one that answered 25 before',
  async (strategy) => {
    const upstream = await startTestService({
      models: { dearer: { text }, cheaper: { text } },
      router: { strategy, routing: { sticky: false } },
    })
    const price = { inputUsdPerMtok: 0.8, outputUsdPerMtok: 1.6 }
    await upstream.service.dashboard.saveModel({
      id: 'fake:cheaper',
      ...price,
      contextTokens: 100_000,
      capabilities: [],
    })
    await askTimes(25, upstream, 'fake:dearer')

    expect(countOf('fake:dearer', await askTimes(12, upstream))).toBeLessThanOrEqual(1)
  },
)

test('with latency_optimized, at most 2 of 15 requests go to the slower one that answered 6 before', async () => {
  // Simulated, so that the pauses of a busy machine do not matter.
  let passedMs = 0
  const after = (delayMs: number) => () => {
    passedMs += delayMs
    return { text }
  }
  const upstream = await startTestService({
    models: { slower: after(900), faster: after(5) },
    router: { strategy: 'latency_optimized', routing: { sticky: false } },
    service: { clock: () => performance.now() + passedMs },
  })
  await askTimes(6, upstream, 'fake:slower')

  const [first, ...others] = await askTimes(20, upstream)

  expect(first).toMatchObject({
    modelUsed: 'fake:faster',
    decision: { look: { insteadOf: 'fake:slower', answers: 0 } },
  })
  expect(first?.decision.why).toMatch(/^A first look: the model has 0 answers so far and may take /)
  expect(others.filter(({ decision }) => decision.look).length).toBeLessThanOrEqual(2)
  expect(countOf('fake:slower', others.slice(4))).toBeLessThanOrEqual(2)
})

test('a request that names a model, continues a conversation or brings a tool result is no first look', async () => {
  let passedMs = 0
  const upstream = await startTestService({
    models: {
      known: () => {
        passedMs += 700
        return { text }
      },
      unknown: { text },
    },
    router: { strategy: 'latency_optimized', routing: { sticky: false } },
    service: { clock: () => performance.now() + passedMs },
  })
  // No first look while the choice itself is unknown.
  expect(countOf('fake:known', await askTimes(3, upstream))).toBe(3)
  const [asked, answered] = [hello.messages[0], { role: 'assistant', content: text }]
  const messages = [asked, answered, { role: 'user', content: 'Go on' }]
  const call = { id: 'call_1', type: 'function', function: { name: 'time', arguments: '{}' } }
  const withResult = [
    asked,
    { role: 'assistant', content: null, tool_calls: [call] },
    { role: 'tool', tool_call_id: 'call_1', content: '12:00' },
  ]

  for (const body of [{ ...hello, model: 'fake:known' }, { messages }, { messages: withResult }]) {
    const answer = await upstream.post('chat/completions', body, explained)
    // The form of Modelport's own answer.
    const { _meta: meta } = (await answer.json()) as Explained
    expect(meta.decision).not.toHaveProperty('look')
  }
  expect((await ask(upstream)).decision.look).toMatchObject({ insteadOf: 'fake:known' })
})
