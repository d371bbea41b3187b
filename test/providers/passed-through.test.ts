/** Tests that everything an OpenAI upstream sends reaches the caller, whole and streamed, including unknown fields. */
import { beforeAll, expect, test } from 'vitest'
import type { FakeModel } from '../fake-provider.ts'
import { endOfGroup } from '../rules/end-of-group.ts'
import { hello, startTestService, type TestService } from '../test-service.ts'

const usage = {
  prompt_tokens: 12,
  completion_tokens: 8,
  total_tokens: 20,
  prompt_tokens_details: { audio_tokens: 3, cached_tokens: 0 },
  cost_details: { upstream: 1 },
}
const top = {
  system_fingerprint: 'fp_1',
  service_tier: 'default',
  _meta: { cost: 0 },
  id: 'theirs',
}
const citation = { type: 'url_citation', url_citation: { url: 'https://example.org' } }
const signature = { google: { thought_signature: 'abc' } }
const custom = { id: 'call_1', type: 'custom', custom: { name: 'sql', input: 'select 1' } }
const annotated = { id: 'call_1', type: 'custom', custom: { ...custom.custom, dialect: 'lite' } }
const called = {
  id: 'call_2',
  type: 'function',
  function: { name: 'f', arguments: '{}' },
  extra_content: signature,
}

function wholeReply(choice: object): FakeModel {
  const body = JSON.stringify({ ...top, choices: [{ index: 0, ...choice }], usage })
  return { reply: { status: 200, headers: { 'content-type': 'application/json' }, body } }
}

function streamReply(...choices: object[]): FakeModel {
  const events = choices.map((choice) => ({ ...top, choices: [{ index: 0, ...choice }] }))
  return {
    events: [...events, { ...top, choices: [], usage }].map((event) => JSON.stringify(event)),
  }
}

const described = {
  id: 'call_3',
  type: 'function',
  function: { name: 'f', arguments: '{}', description: 'Finds.', parsed: { a: [1] } },
}
const thought = { type: 'thinking', thinking: [{ type: 'text', text: 'Hm' }] }
const contentParts = [thought, { type: 'text', text: 'Hi' }]

const parts: [string, object, string][] = [
  ['a legacy function call', { function_call: { name: 'f', arguments: '{}' } }, 'function_call'],
  ['a call of a custom tool', { tool_calls: [custom] }, 'tool_calls'],
  ['a further field of a called function', { tool_calls: [described] }, 'tool_calls'],
  ['a further field of a called custom tool', { tool_calls: [annotated] }, 'tool_calls'],
  ['content in parts', { content: contentParts }, 'stop'],
  ['extra content of a tool call', { tool_calls: [called] }, 'tool_calls'],
  ['audio', { audio: { id: 'a', data: 'AA', transcript: 'Hi', expires_at: 1 } }, 'stop'],
  ['annotations', { content: 'Hi', annotations: [citation] }, 'stop'],
  ['reasoning details', { content: 'Hi', reasoning_details: [{ type: 'x', data: 'y' }] }, 'stop'],
  ['an unknown field', { content: 'Hi', mystery: { a: [1] } }, 'stop'],
]

/** One service for all answers that are scripted for its only model. */
const atEnd = endOfGroup()
let running: TestService

beforeAll(async () => {
  running = await startTestService({ models: { m: {} } }, atEnd)
})

/** @returns the answer to a prompt when the upstream's is scripted so */
async function ask(script: FakeModel, body: object = {}) {
  running.fake.setModel('m', script)
  return await running.post('chat/completions', { ...hello, ...body })
}

test.each(parts)('%s is in a whole answer', async (_what, part, finish_reason) => {
  const message = { role: 'assistant', content: null, ...part }

  const body = await (await ask(wholeReply({ message, finish_reason, stop_reason: 7 }))).json()

  expect(body).toMatchObject({
    choices: [{ message: part, finish_reason, stop_reason: 7 }],
    system_fingerprint: 'fp_1',
    service_tier: 'default',
    usage,
    _meta: { modelUsed: 'fake:m' },
  })
  expect(body).not.toMatchObject({ id: 'theirs' })
})

test.each(parts)('%s is in a stream', async (_what, part, finish_reason) => {
  const script = streamReply({ delta: part }, { delta: {}, finish_reason })

  const answer = await ask(script, { stream: true })
  const events = (await answer.text()).split('\n\n').filter((event) => event.startsWith('data: {'))
  const [first, last] = [events[0], events.at(-1)].map(
    (event = '') => JSON.parse(event.slice(6)) as object,
  )

  const delta = 'tool_calls' in part ? { tool_calls: [{ index: 0 }] } : part
  expect(first).toMatchObject({ choices: [{ delta: part }], system_fingerprint: 'fp_1' })
  expect(first).toMatchObject({ choices: [{ delta }] })
  expect(last).toMatchObject({ choices: [{ finish_reason }], system_fingerprint: 'fp_1' })
  expect(first).not.toMatchObject({ id: 'theirs' })
})

/** A server that streams even if the request does not ask for it. */
function alwaysStreamed(...choices: object[]): FakeModel {
  const { events = [] } = streamReply(...choices)
  const body = [...events, '[DONE]'].map((event) => `data: ${event}\n\n`).join('')
  return { reply: { status: 200, headers: { 'content-type': 'text/event-stream' }, body } }
}

test.each(parts)(
  '%s in a stream is in the whole answer built from it',
  async (_what, part, finish_reason) => {
    const script = alwaysStreamed({ delta: part }, { delta: {}, finish_reason })

    const body = await (await ask(script)).json()

    expect(body).toMatchObject({ choices: [{ message: part, finish_reason }], usage })
  },
)

test('streamed content of text and parts becomes one list of parts', async () => {
  const contents = ['He', 'llo', [thought], [{ type: 'text', text: 'Hi' }], ' there']
  const deltas = contents.map((content) => ({ delta: { content } }))

  const answer = await ask(alwaysStreamed(...deltas, { delta: {}, finish_reason: 'stop' }))
  const body = await answer.json()

  const content = [{ type: 'text', text: 'Hello' }, thought, { type: 'text', text: 'Hi there' }]
  expect(body).toMatchObject({ choices: [{ message: { content } }] })
})

test('a stream has every other field of a called function, also one from a later delta', async () => {
  const first = {
    index: 0,
    id: 'call_1',
    type: 'function',
    function: { name: 'f', arguments: '{' },
  }
  const later = { index: 0, function: { arguments: '}', parsed: { a: 1 } } }
  const script = streamReply(
    { delta: { tool_calls: [first] } },
    { delta: { tool_calls: [later] }, finish_reason: 'tool_calls' },
  )

  const text = await (await ask(script, { stream: true })).text()

  expect(text).toContain('"function":{"parsed":{"a":1},"arguments":"}"}')
})

test('without reported usage, the text of content parts is counted', async () => {
  const text = 'x'.repeat(400)
  const choice = { message: { role: 'assistant', content: [{ type: 'text', text }] } }
  const body = JSON.stringify({ choices: [{ index: 0, ...choice, finish_reason: 'stop' }] })
  const headers = { 'content-type': 'application/json' }

  const answer = (await (await ask({ reply: { status: 200, headers, body } })).json()) as {
    usage: { completion_tokens: number }
  }

  expect(answer.usage.completion_tokens).toBeGreaterThan(50)
})

test('a whole answer has logprobs and refusal, also if they are null', async () => {
  const body = await (await ask({})).json()

  expect(body).toMatchObject({ choices: [{ logprobs: null, message: { refusal: null } }] })
})

test.each([false, true])(
  'an unknown finish reason is passed through (stream %s)',
  async (stream) => {
    const answer = await ask({ finishReason: 'malformed_call' }, { stream })

    expect(await answer.text()).toContain('"finish_reason":"malformed_call"')
  },
)

test.each([false, true])(
  'endlessly nested log probabilities count as a provider failure (stream %s)',
  async (stream) => {
    const nested = `${'['.repeat(20_000)}${']'.repeat(20_000)}`
    const event = `{"choices":[{"index":0,"delta":{"content":"Hi"},"finish_reason":"stop","logprobs":${nested}}]}`
    const whole = event.replace('"delta"', '"message"')
    const headers = { 'content-type': 'application/json' }
    const first = stream ? { events: [event] } : { reply: { status: 200, headers, body: whole } }
    const { post, ledger } = await startTestService({
      models: { first, second: { text: 'Fine.' } },
    })

    const answer = await post('chat/completions', { ...hello, stream })

    expect(answer.status).toBe(200)
    expect(await answer.text()).toContain('fake:second')
    expect(await ledger(1)).toMatchObject([{ status: 200, attempts: 2, modelUsed: 'fake:second' }])
  },
)

test.each([
  [{ max_tokens: 5 }, 5],
  [{ max_completion_tokens: 5, n: 2 }, 10],
])('an estimate with %j is at most %i tokens', async (limits, most) => {
  const models = { m: { text: 'x'.repeat(2_000), usage: 'none' as const } }
  const { post, service } = await startTestService({ models })
  const figures = { inputUsdPerMtok: 1, outputUsdPerMtok: 2, contextTokens: 10_000 }
  await service.dashboard.saveModel({ id: 'fake:m', ...figures, capabilities: ['n'] })

  const body = await (await post('chat/completions', { ...hello, ...limits })).json()

  expect(body).toMatchObject({ usage: { completion_tokens: most } })
})
