/** A conversation that stays with its model, over the wire. */
import { expect, test } from 'vitest'
import type { ExplainedDetail } from '../../src/shared/requests/detail.ts'
import { errorReply, type FakeModel } from '../fake-provider.ts'
import { startTestService, type TestService } from '../test-service.ts'

const tools = [{ type: 'function', function: { name: 'weather' } }]
const question = { role: 'user', content: 'Weather in Rome?' }
const callsTool: FakeModel = {
  toolCalls: [{ index: 0, id: 'call_1', name: 'weather', argumentPieces: ['{}'] }],
}
const result = [
  question,
  {
    role: 'assistant',
    content: null,
    tool_calls: [
      { id: 'call_1', type: 'function', function: { name: 'weather', arguments: '{}' } },
    ],
  },
  { role: 'tool', tool_call_id: 'call_1', content: 'Sunny' },
]

async function ask(upstream: TestService, body: object, headers: Record<string, string> = {}) {
  const all = { 'x-modelport-explain': 'true', ...headers }
  const answer = await upstream.post('chat/completions', body, { headers: all })
  // The form of Modelport's own answer.
  const { model, _meta: meta } = (await answer.json()) as {
    model: string
    _meta: { decision: ExplainedDetail }
  }
  const { kept, why } = meta.decision
  return { model, kept, why }
}

test('the model that called the tool reads its result, also with the strategy priority', async () => {
  const upstream = await startTestService({
    models: { first: { reply: errorReply(500) }, second: callsTool },
  })
  await ask(upstream, { messages: [question], tools })
  upstream.fake.setModel('first', {})
  upstream.fake.setModel('second', { text: 'Sunny in Rome.' })

  const kept = await ask(upstream, { messages: result, tools })
  const next = await ask(upstream, { messages: [...result, question], tools })

  expect(kept.model).toBe('fake:second')
  expect(kept).toMatchObject({
    kept: 'tool',
    why: 'Kept for the conversation: it called the tool whose result is in this request.',
  })
  expect(next.model).toBe('fake:first')
})

test('when that model is down, the next one reads the result', async () => {
  const upstream = await startTestService({
    models: { first: { reply: errorReply(500) }, second: callsTool },
  })
  await ask(upstream, { messages: [question], tools })
  upstream.fake.setModel('first', {})
  upstream.fake.setModel('second', { reply: errorReply(500) })

  const answer = await ask(upstream, { messages: result, tools })

  expect(answer.model).toBe('fake:first')
})

/** Two models, one of which costs half as much again. */
async function startUnequal(): Promise<TestService> {
  const upstream = await startTestService({
    models: { cheap: {}, dear: {} },
    router: { strategy: 'cost_optimized', routing: { qualityTolerance: 0.08 } },
  })
  await upstream.service.dashboard.saveModel({
    id: 'fake:dear',
    inputUsdPerMtok: 1,
    outputUsdPerMtok: 3,
    contextTokens: 100_000,
  })
  return upstream
}

test('a conversation returns to the cheaper model when staying costs much more', async () => {
  const upstream = await startUnequal()
  // Otherwise only the other model would have measured answers as short as the fake's.
  await ask(upstream, { messages: [question] }, { 'x-modelport-conversation': 'before' })
  upstream.fake.setModel('cheap', { reply: errorReply(500) })
  const named = { 'x-modelport-conversation': 'mine' }
  const first = await ask(upstream, { messages: [question] }, named)
  upstream.fake.setModel('cheap', {})

  const second = await ask(upstream, { messages: [question] }, named)

  expect([first.model, second.model]).toEqual(['fake:dear', 'fake:cheap'])
})

test('a conversation stays at nearly the same price, and the decision says why', async () => {
  const upstream = await startTestService({
    models: { one: {}, two: {} },
    router: { strategy: 'cost_optimized', routing: { qualityTolerance: 0.08 } },
  })
  await upstream.service.dashboard.saveModel({
    id: 'fake:two',
    inputUsdPerMtok: 1.05,
    outputUsdPerMtok: 2.1,
    contextTokens: 100_000,
  })
  const long = { role: 'user', content: 'word '.repeat(1_000) }
  // Otherwise only the other model would have measured answers as short as the fake's.
  await ask(upstream, { messages: [long] }, { 'x-modelport-conversation': 'before' })
  upstream.fake.setModel('one', { reply: errorReply(500) })
  const named = { 'x-modelport-conversation': 'mine' }
  await ask(upstream, { messages: [long] }, named)
  upstream.fake.setModel('one', {})

  const other = await ask(upstream, { messages: [long] })
  const same = await ask(upstream, { messages: [long, question] }, named)

  expect(other.model).toBe('fake:one')
  expect(same.model).toBe('fake:two')
  expect(same.why).toContain('Kept for the conversation')
})

test.each(['', 'x'.repeat(256)])(
  'the header value %j is refused, and the error names the header',
  async (value) => {
    const { post } = await startTestService()

    const answer = await post(
      'chat/completions',
      { messages: [question] },
      { headers: { 'x-modelport-conversation': value } },
    )

    expect(answer.status).toBe(400)
    expect(await answer.json()).toMatchObject({
      error: { code: 'invalid_parameter', param: 'x-modelport-conversation' },
    })
  },
)
