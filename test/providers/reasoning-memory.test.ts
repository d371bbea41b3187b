/** Clients that drop the reasoning of an answer, over HTTPS: its model gets it back, and no other model or key. */
import { expect, test } from 'vitest'
import type { FakeModelScript } from '../fake-provider.ts'
import { startTestService, type TestService } from '../test-service.ts'

const tools = [{ type: 'function', function: { name: 'weather', parameters: { type: 'object' } } }]
const question = { role: 'user', content: 'What is the weather in Paris?' }
const toolCalls = [{ id: 'call_1', name: 'weather', argumentPieces: ['{"city":', '"Paris"}'] }]
const thinks: FakeModelScript = { reasoning: 'I should look it up.', toolCalls }

interface Sent {
  messages: Record<string, unknown>[]
}

/** Asks, and sends the tool's result without the reasoning. */
async function callTool({ post }: TestService, stream: boolean): Promise<object> {
  const first = await post('chat/completions', { messages: [question], tools, stream })
  await first.text()
  return {
    messages: [
      question,
      {
        role: 'assistant',
        content: null,
        tool_calls: [
          {
            id: 'call_1',
            type: 'function',
            function: { name: 'weather', arguments: '{"city":"Paris"}' },
          },
        ],
      },
      { role: 'tool', tool_call_id: 'call_1', content: 'Sunny' },
    ],
    tools,
  }
}

function lastSent({ fake }: TestService): Sent {
  // The fake stores the JSON object that it received.
  return fake.requests.at(-1)?.body as unknown as Sent
}

test.each([true, false])('the same model gets its reasoning back (stream %s)', async (stream) => {
  const started = await startTestService({ models: { thinker: thinks } })
  const body = await callTool(started, stream)

  await started.post('chat/completions', body)

  expect(lastSent(started).messages[1]).toMatchObject({
    reasoning_content: 'I should look it up.',
  })
})

test('another model does not get it', async () => {
  const started = await startTestService({ models: { thinker: thinks, other: {} } })
  const body = await callTool(started, true)

  await started.post('chat/completions', { ...body, model: 'fake:other' })

  expect(lastSent(started)).toMatchObject({ model: 'other' })
  expect(lastSent(started).messages[1]).not.toHaveProperty('reasoning_content')
})

test('another key does not get it', async () => {
  const started = await startTestService({ models: { thinker: thinks } })
  const body = await callTool(started, true)
  const { key } = await started.service.dashboard.createApiKey({ name: 'b', routers: 'all' })

  await started.post('chat/completions', body, { headers: { authorization: `Bearer ${key}` } })

  expect(lastSent(started).messages[1]).not.toHaveProperty('reasoning_content')
})

test('after a fallback, the next model gets the caller’s own messages', async () => {
  const started = await startTestService({ models: { thinker: thinks, other: {} } })
  const body = await callTool(started, true)
  started.fake.setModel('thinker', { fault: { kind: 'reset', afterEvents: 0 } })

  await started.post('chat/completions', body)

  const [failed, answered] = started.fake.requests
    .slice(-2)
    .map((request) => request.body as unknown as Sent)
  expect(failed?.messages[1]).toHaveProperty('reasoning_content')
  expect(answered?.messages[1]).not.toHaveProperty('reasoning_content')
})
