/** Ollama's wire against a stand-in that refuses every request that the real server would not understand. */
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { Outbound } from '../../../src/service/providers/outbound.ts'
import { ProviderError, type Provider } from '../../../src/service/providers/provider.ts'
import { ollama } from '../../../src/service/families/ollama/upstream/ollama.ts'
import type { ChatRequest } from '../../../src/shared/chat/chat.ts'
import { lastLine, startFakeOllama, textLine, type FakeOllama } from './fake.ts'
import { asLateAsSockets } from '../../http/as-late-as-sockets.ts'

let fake: FakeOllama
let provider: Provider

const outbound = new Outbound({
  use: null,
  proxyChoice: () => ({ setting: 'direct', env: {} }),
  extraRoots: async () => [],
})

function open(options: Record<string, string> = {}): Provider {
  return ollama.create({
    baseUrl: fake.url,
    apiKey: () => null,
    privateNetwork: false,
    options,
    now: Date.now,
    connector: (connectMs) =>
      outbound.connector({ id: 'providers', privateNetwork: false, connectMs }),
  })
}

beforeEach(async () => {
  fake = await startFakeOllama({ models: { m: {} } })
  provider = open()
})

afterEach(async () => {
  await provider.close()
  await fake.close()
})

const hello = [{ role: 'user' as const, content: 'Hello' }]

/** The whole answer, streamed and not; both must be the same. */
async function answers(body: Partial<ChatRequest> = {}) {
  const request = { model: 'm', body: { messages: hello, ...body } }
  const signal = new AbortController().signal
  const joined = { content: '', reasoning: '', calls: 0, end: '', usage: {}, timings: {} }
  for await (const { choices, usage, timings } of provider.stream(request, signal)) {
    for (const { delta, finish_reason } of choices) {
      if (typeof delta.content === 'string') joined.content += delta.content
      joined.reasoning += delta.reasoning_content ?? ''
      joined.calls += delta.tool_calls?.length ?? 0
      joined.end = finish_reason ?? joined.end
    }
    joined.usage = usage ?? joined.usage
    joined.timings = timings ?? joined.timings
  }
  const whole = await provider.complete(request, signal)
  return { joined, whole: whole.choices[0], usage: whole.usage, timings: whole.timings }
}

async function failure(body: Partial<ChatRequest> = {}, model = 'm'): Promise<ProviderError> {
  const request = { model, body: { messages: hello, ...body } }
  const error: unknown = await provider
    .complete(request, new AbortController().signal)
    .catch((reason: unknown) => reason)
  if (error instanceof ProviderError) return error
  throw new Error('the request did not fail', { cause: error })
}

/** The last request, as the server got it. */
function sent() {
  const body = fake.chats.at(-1)?.body
  if (!body) throw new Error('nothing was sent')
  return body
}

test('text, counts and times of an answer arrive, streamed and whole', async () => {
  fake.setModel('m', { loadMs: 20 })
  const { joined, whole, usage, timings } = await answers()

  expect(joined).toMatchObject({ content: 'You said: Hello', end: 'stop' })
  expect(whole).toMatchObject({ delta: { content: 'You said: Hello' }, finish_reason: 'stop' })
  expect(joined.usage).toEqual({ prompt_tokens: 26, completion_tokens: 20, total_tokens: 46 })
  expect(usage).toEqual(joined.usage)
  const speed = { promptTokens: 26, promptMs: 130, outputTokens: 20, outputMs: 400 }
  expect(joined.timings).toEqual({ loadMs: 20, ...speed })
  expect(timings).toEqual({ loadMs: 8, ...speed })
})

test('cached prompt tokens are part of the prompt, and do not count as read', async () => {
  const lines = [
    textLine('Hi'),
    lastLine({ prompt_eval_count: 900, prompt_eval_cached_count: 850 }),
  ]
  fake.setModel('m', { reply: () => ({ lines }) })
  const { usage, timings } = await answers()

  expect(usage).toMatchObject({
    prompt_tokens: 900,
    prompt_tokens_details: { cached_tokens: 850 },
  })
  expect(timings?.promptTokens).toBe(50)
})

test('an answer without counts has no usage', async () => {
  const lines = [textLine('Hi'), lastLine({ prompt_eval_count: undefined })]
  fake.setModel('m', { reply: () => ({ lines }) })
  expect((await answers()).usage).toBeNull()
})

describe('a request', () => {
  test('has its parameters under options, and never lets the server cut the prompt', async () => {
    await answers({
      temperature: 0.5,
      top_p: 0.9,
      top_k: 40,
      seed: 7,
      presence_penalty: 1,
      frequency_penalty: -1,
      max_completion_tokens: 90,
      stop: 'END',
      keep_alive: '10m',
      user: 'somebody',
      metadata: { trace: 'x' },
    })
    expect(sent()).toEqual({
      model: 'm',
      messages: hello,
      stream: false,
      truncate: false,
      shift: false,
      keep_alive: '10m',
      options: {
        temperature: 0.5,
        top_p: 0.9,
        top_k: 40,
        seed: 7,
        presence_penalty: 1,
        frequency_penalty: -1,
        num_predict: 90,
        stop: ['END'],
      },
    })
  })

  test('leaves keep_alive and the context to the server', async () => {
    await answers()
    expect(sent()).toEqual({
      model: 'm',
      messages: hello,
      stream: false,
      truncate: false,
      shift: false,
      options: {},
    })
  })

  test('asks for the context length that the user set', async () => {
    provider = open({ context: '16384' })
    await answers()
    expect(sent().options).toEqual({ num_ctx: 16_384 })
  })

  test('carries images, system prompts in any place and tool results with their tool’s name', async () => {
    fake.setModel('m', { capabilities: ['completion', 'tools', 'vision'] })
    const image = {
      type: 'image_url' as const,
      image_url: { url: 'data:image/png;base64,iVBORw0K' },
    }
    await answers({
      messages: [
        { role: 'developer', content: 'Be brief.' },
        { role: 'user', content: [{ type: 'text', text: 'What is this?' }, image] },
        {
          role: 'assistant',
          content: null,
          reasoning_content: 'A tool knows.',
          tool_calls: [
            { id: 'call_1', type: 'function', function: { name: 'look', arguments: '{"at":1}' } },
            { id: 'call_2', type: 'function', function: { name: 'ask', arguments: '' } },
          ],
        },
        { role: 'tool', tool_call_id: 'call_2', content: [{ type: 'text', text: 'no' }, image] },
        { role: 'tool', tool_call_id: 'call_1', content: 'a cat' },
        { role: 'system', content: 'Answer in English.' },
      ],
    })
    expect(sent().messages).toEqual([
      { role: 'system', content: 'Be brief.' },
      { role: 'user', content: 'What is this?', images: ['iVBORw0K'] },
      {
        role: 'assistant',
        content: '',
        thinking: 'A tool knows.',
        tool_calls: [
          { id: 'call_1', function: { name: 'look', arguments: { at: 1 } } },
          { id: 'call_2', function: { name: 'ask', arguments: {} } },
        ],
      },
      {
        role: 'tool',
        content: 'no',
        images: ['iVBORw0K'],
        tool_name: 'ask',
        tool_call_id: 'call_2',
      },
      { role: 'tool', content: 'a cat', tool_name: 'look', tool_call_id: 'call_1' },
      { role: 'system', content: 'Answer in English.' },
    ])
  })

  test.each([
    [
      'an image by its address',
      { type: 'image_url', image_url: { url: 'https://x.example/a.png' } },
    ],
    ['a document', { type: 'file', file: { file_data: 'data:application/pdf;base64,JVBERi0=' } }],
    ['audio', { type: 'input_audio', input_audio: { data: 'UklGRg==', format: 'wav' } }],
  ] as const)('is refused with %s before it is sent', async (_name, part) => {
    const error = await failure({ messages: [{ role: 'user', content: [part] }] })
    expect(error.kind).toBe('request')
    expect(error.upstreamMessage).toMatch(/^Ollama does not accept/)
    expect(fake.chats).toHaveLength(0)
  })

  test('has the schema of structured output as its format', async () => {
    const schema = { type: 'object', properties: { city: { type: 'string' } } }
    await answers({ response_format: { type: 'json_schema', json_schema: { name: 'c', schema } } })
    expect(sent().format).toEqual(schema)
    await answers({ response_format: { type: 'json_object' } })
    expect(sent().format).toBe('json')
    await answers({ response_format: { type: 'text' } })
    expect(sent().format).toBeUndefined()
  })
})

describe('tools', () => {
  const tools = ['weather', 'time'].map((name) => ({
    type: 'function',
    function: { name, parameters: { type: 'object', properties: {} } },
  }))
  const call = (name: string, given: object = {}) => ({
    message: {
      role: 'assistant',
      content: '',
      tool_calls: [{ ...given, function: { index: 0, name, arguments: { at: 'noon' } } }],
    },
    done: false,
  })

  test('calls that all have the index 0 are told apart and have ids', async () => {
    fake.setModel('m', { reply: () => ({ lines: [call('time'), call('time'), lastLine()] }) })
    const { whole } = await answers({ tools })
    const calls = whole?.delta.tool_calls ?? []
    expect(calls).toMatchObject([
      { index: 0, type: 'function', function: { name: 'time', arguments: '{"at":"noon"}' } },
      { index: 1, type: 'function', function: { name: 'time', arguments: '{"at":"noon"}' } },
    ])
    expect(new Set(calls.map(({ id }) => id)).size).toBe(2)
    expect(calls[0]?.id).toMatch(/^call_\w{30}$/)
    expect(whole?.finish_reason).toBe('tool_calls')
  })

  test('keep the ids that Ollama gave them', async () => {
    const lines = [call('time', { id: 'call_ab12cd34' }), lastLine()]
    fake.setModel('m', { reply: () => ({ lines }) })
    expect((await answers({ tools })).whole?.delta.tool_calls?.[0]?.id).toBe('call_ab12cd34')
  })

  test('only the first call is passed on where parallel calls are off', async () => {
    fake.setModel('m', { reply: () => ({ lines: [call('time'), call('weather'), lastLine()] }) })
    const { joined, whole } = await answers({ tools, parallel_tool_calls: false })
    expect(joined.calls).toBe(1)
    expect(whole?.delta.tool_calls).toHaveLength(1)
  })

  test('are not offered with tool_choice none, and only the chosen or allowed ones with their names', async () => {
    await answers({ tools, tool_choice: 'none' })
    expect(sent().tools).toBeUndefined()
    await answers({ tools, tool_choice: { type: 'function', function: { name: 'time' } } })
    expect(sent().tools?.map((tool) => tool.function.name)).toEqual(['time'])
    const allowed_tools = { mode: 'auto', tools: [{ type: 'function', name: 'weather' }] }
    await answers({ tools, tool_choice: { type: 'allowed_tools', allowed_tools } })
    expect(sent().tools?.map((tool) => tool.function.name)).toEqual(['weather'])
    await answers({ tools, tool_choice: 'auto' })
    expect(sent().tools).toHaveLength(2)
  })
})

describe('thinking', () => {
  test('is asked for with the level of the effort, and arrives before the text', async () => {
    fake.setModel('m', { capabilities: ['completion', 'thinking', 'levels'] })
    const { joined } = await answers({ reasoning_effort: 'xhigh' })
    expect(sent().think).toBe('high')
    expect(joined).toMatchObject({ reasoning: 'A greeting. ', content: 'You said: Hello' })
    await answers({ reasoning_effort: 'none' })
    expect(sent().think).toBe(false)
  })

  test('is only switched on for a model without levels', async () => {
    fake.setModel('m', { capabilities: ['completion', 'thinking'] })
    const { joined } = await answers({ reasoning_effort: 'low' })
    expect(joined.reasoning).toBe('A greeting. ')
    expect(fake.chats.map(({ body }) => body.think)).toEqual(['low', true, true])
  })

  test('is left out for a model that cannot think, after its first refusal', async () => {
    const { joined } = await answers({ reasoning_effort: 'low' })
    expect(joined.content).toBe('You said: Hello')
    expect(fake.chats.map(({ body }) => body.think)).toEqual(['low', undefined, undefined])
  })

  test('refusals of several requests at once are all answered', async () => {
    const all = await Promise.all(
      Array.from({ length: 5 }, () => answers({ reasoning_effort: 'low' })),
    )
    expect(all.map(({ joined }) => joined.content)).toEqual(Array(5).fill('You said: Hello'))
  })
})

describe('a field that Ollama does not take is reported:', () => {
  const tool = { type: 'function', function: { name: 'time' } }
  const allowed = (mode: string) => ({
    type: 'allowed_tools',
    allowed_tools: { mode, tools: [tool] },
  })
  test.each<[Partial<ChatRequest>, Record<string, string>]>([
    [{ temperature: 1, user: 'x', metadata: {}, stop: 'a', seed: 1, logit_bias: null }, {}],
    [{ logit_bias: { 50256: -100 } }, { logit_bias: 'left_out' }],
    [{ tools: [tool], tool_choice: 'required' }, { tool_choice: 'sent_as_auto' }],
    [
      { tools: [tool], tool_choice: { type: 'function', function: { name: 'time' } } },
      { tool_choice: 'sent_as_only_tool' },
    ],
    [{ tools: [tool], tool_choice: allowed('auto') }, {}],
    [{ tools: [tool], tool_choice: allowed('required') }, { tool_choice: 'sent_as_auto' }],
    [{ tools: [{ type: 'web_search' }, tool] }, { tools: 'sent_as_functions_only' }],
    [{ reasoning: { max_tokens: 500 } }, { 'reasoning.max_tokens': 'left_out' }],
    [{ reasoning_effort: 'low' }, {}],
  ])('%j', (body, expected) => {
    const adjusted = provider.leftOut?.({ messages: hello, ...body }, 'm') ?? []
    expect(Object.fromEntries(adjusted.map((one) => [one.parameter, one.change]))).toEqual(expected)
  })

  test('an effort, as soon as the model refused it', async () => {
    await answers({ reasoning_effort: 'low' })
    expect(provider.leftOut?.({ messages: hello, reasoning_effort: 'low' }, 'm')).toMatchObject([
      { parameter: 'reasoning_effort', change: 'left_out' },
    ])
  })
})

describe('the end of an answer', () => {
  test('that does not come leaves the answer without a finish reason', async () => {
    fake.setModel('m', { reply: () => ({ lines: [textLine('Hi')] }) })
    const chunks = provider.stream(
      { model: 'm', body: { messages: hello } },
      AbortSignal.timeout(60_000),
    )
    const reasons: unknown[] = []
    for await (const { choices } of chunks) reasons.push(...choices.map((c) => c.finish_reason))
    expect(reasons).toEqual([null])
  })

  test('that is an error has Ollama’s words', async () => {
    const error = 'model runner has stopped'
    const line = `${JSON.stringify({ error })}\n`
    fake.setModel('m', { reply: () => ({ lines: [textLine('Hi'), line] }) })

    await expect(answers()).rejects.toMatchObject({ kind: 'unavailable', upstreamMessage: error })
  })

  test('log probabilities have OpenAI’s form', async () => {
    const probable = { token: 'Hi', logprob: -0.1, bytes: [72, 105], top_logprobs: [] }
    const lines = [{ ...textLine('Hi'), logprobs: [probable] }, lastLine()]
    fake.setModel('m', { reply: () => ({ lines }) })
    const request = { model: 'm', body: { messages: hello, logprobs: true, top_logprobs: 2 } }
    const found: unknown[] = []
    for await (const { choices } of provider.stream(request, AbortSignal.timeout(60_000))) {
      found.push(...choices.flatMap(({ logprobs }) => logprobs ?? []))
    }
    expect(sent()).toMatchObject({ logprobs: true, top_logprobs: 2 })
    expect(found).toEqual([{ content: [probable], refusal: null }])
  })
})

describe('an error', () => {
  test.each([
    [400, 'prompt too long; exceeded max context length by 4 tokens', 'request'],
    [401, 'unauthorized', 'auth'],
    [402, 'out of usage', 'credit'],
    [403, 'this model requires a subscription', 'auth'],
    [404, 'model "m" not found, try pulling it first', 'unavailable'],
    [429, 'too many requests', 'rate_limit'],
    [500, 'model requires more system memory (9.1 GiB) than is available (6.0 GiB)', 'unavailable'],
    [503, 'server busy, please try again. maximum pending requests exceeded', 'unavailable'],
  ] as const)('%i %s is read', async (status, error, kind) => {
    fake.setModel('m', { reply: () => ({ status, error }) })
    const failed = await failure()
    expect(failed).toMatchObject({ kind, status })
    expect(failed.upstreamMessage).toBe(kind === 'request' ? error : null)
    // Ollama quotes names and paths of the user's files.
    expect(failed.message).not.toContain(error)
  })
})

test('an abort closes the connection within 100 ms, and the next request is decoded', async () => {
  fake.setModel('m', { lineMs: 20, reply: () => ({ lines: Array(500).fill(textLine('x ')) }) })
  const controller = new AbortController()
  const request = { model: 'm', body: { messages: hello } }
  const chunks = provider.stream(request, controller.signal)[Symbol.asyncIterator]()
  await chunks.next()
  controller.abort(new Error('the caller left'))
  const limit = asLateAsSockets(100)
  await expect(chunks.next()).rejects.toThrow('the caller left')
  await limit
  expect(fake.chats[0]?.abortedAtMs).toEqual(expect.any(Number))
  fake.setModel('m', {})
  await answers()
})
