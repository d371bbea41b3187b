/** Tool calls of unusual upstreams, as OpenAI's SDK receives them from the service. */
import { expect, test } from 'vitest'
import type { FakeModel } from '../fake-provider.ts'
import { hello, startTestService } from '../test-service.ts'

const request = {
  model: '',
  ...hello,
  tools: [{ type: 'function' as const, function: { name: 'weather' } }],
}

function eventOf(choice: object): string {
  return JSON.stringify({ object: 'chat.completion.chunk', choices: [{ index: 0, ...choice }] })
}

const callsOf = (cities: readonly string[]) =>
  cities.map((city) => ({ function: { name: 'weather', arguments: { city } } }))

/** Like Ollama and some gateways: no index, no id, parsed arguments, `stop` at the end. */
const careless: FakeModel = {
  events: [
    ...callsOf(['Rome', 'Oslo']).map((call) => eventOf({ delta: { tool_calls: [call] } })),
    eventOf({ delta: {}, finish_reason: 'stop' }),
  ],
}

const carelessWhole: FakeModel = {
  reply: {
    status: 200,
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({
      choices: [
        { index: 0, message: { tool_calls: callsOf(['Rome', 'Oslo']) }, finish_reason: 'stop' },
      ],
    }),
  },
}

const expected = ['Rome', 'Oslo'].map((city) => ({
  id: expect.stringMatching(/^call_\w{24}$/),
  type: 'function',
  function: { name: 'weather', arguments: JSON.stringify({ city }) },
}))

test('a malformed stream reads like OpenAI’s own', async () => {
  const { openai } = await startTestService({ models: { 'fake-model': careless } })

  const answer = await openai().chat.completions.stream(request).finalChatCompletion()

  expect(answer.choices[0]).toMatchObject({
    finish_reason: 'tool_calls',
    message: { tool_calls: expected },
  })
})

test('a malformed answer in one piece reads like OpenAI’s own', async () => {
  const { openai } = await startTestService({ models: { 'fake-model': carelessWhole } })

  const answer = await openai().chat.completions.create(request)

  expect(answer.choices[0]).toMatchObject({
    finish_reason: 'tool_calls',
    message: { tool_calls: expected },
  })
})

test('the indices on the wire are 0 and 1, each first delta whole', async () => {
  const { openai } = await startTestService({ models: { 'fake-model': careless } })

  const deltas = []
  for await (const chunk of await openai().chat.completions.create({ ...request, stream: true })) {
    deltas.push(...(chunk.choices[0]?.delta.tool_calls ?? []))
  }

  expect(deltas).toEqual(expected.map((call, index) => ({ index, ...call })))
})
