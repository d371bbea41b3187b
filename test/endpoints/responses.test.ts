/** OpenAI's SDK at a router whose models speak the chat form: everything is translated, both ways. */
import {
  type OpenAI,
  AuthenticationError,
  BadRequestError,
  InternalServerError,
  NotFoundError,
} from 'openai'
import { zodTextFormat } from 'openai/helpers/zod'
import { beforeAll, expect, test } from 'vitest'
import { z } from 'zod'
import { apply, echo, twoSteps } from '../agents/sample-agent.ts'
import { errorReply, type FakeModel } from '../fake-provider.ts'
import { startTestService, type TestService } from '../test-service.ts'
import { endOfGroup } from '../rules/end-of-group.ts'

const hello = { model: 'auto', input: 'Hello' }
const tool: OpenAI.Responses.FunctionTool = {
  type: 'function',
  name: 'read',
  description: 'Reads a file.',
  parameters: { type: 'object', properties: { path: { type: 'string' } } },
  strict: false,
}
const calls = {
  toolCalls: [
    { id: 'call_a', name: 'read', argumentPieces: ['{"path":', '"a"}'] },
    { id: 'call_b', name: 'read', argumentPieces: ['{"path":"b"}'] },
  ],
}
const image = { type: 'input_image', image_url: 'data:image/png;base64,AAAA' } as const

let started: TestService

const atEnd = endOfGroup()
beforeAll(async () => {
  started = await startTestService({ models: { one: {} } }, atEnd)
})

function answerWith(script: FakeModel): void {
  started.fake.setModel('one', script)
}

function metaOf(answer: object): unknown {
  return new Map<string, unknown>(Object.entries(answer)).get('_meta')
}

function sentBody(): Record<string, unknown> {
  return started.fake.requests.at(-1)?.body ?? {}
}

type Request = Omit<OpenAI.Responses.ResponseCreateParamsNonStreaming, 'stream'>

/** The same answer whole and streamed; the SDK checks the order of the events. */
async function ask(request: Request, stream: boolean): Promise<OpenAI.Responses.Response> {
  const { responses } = started.openai()
  if (!stream) return await responses.create(request)
  return await responses.stream(request).finalResponse()
}

test.each([false, true])('an answer has text, usage and _meta (stream %s)', async (stream) => {
  answerWith({ text: 'One two three', reasoning: 'Let me count.' })

  const answer = await ask({ ...hello, instructions: 'Be brief.' }, stream)

  expect(answer).toMatchObject({
    object: 'response',
    status: 'completed',
    model: 'fake:one',
    instructions: 'Be brief.',
    output: [
      { type: 'reasoning', summary: [{ type: 'summary_text', text: 'Let me count.' }] },
      { type: 'message', role: 'assistant', status: 'completed' },
    ],
    output_text: 'One two three',
    store: false,
  })
  expect(answer.id).toMatch(/^resp_[0-9a-f-]{36}$/)
  expect(metaOf(answer)).toMatchObject({ modelUsed: 'fake:one', routerDecision: 'priority' })
  const [row] = await started.ledger(1)
  expect(answer.usage).toMatchObject({
    input_tokens: row?.reportedPromptTokens,
    output_tokens: row?.reportedCompletionTokens,
  })
})

test.each([false, true])('parallel tool calls arrive whole (stream %s)', async (stream) => {
  answerWith(calls)

  const answer = await ask({ ...hello, tools: [tool], tool_choice: 'required' }, stream)

  expect(answer.output).toMatchObject([
    { type: 'function_call', call_id: 'call_a', name: 'read', arguments: '{"path":"a"}' },
    { type: 'function_call', call_id: 'call_b', name: 'read', arguments: '{"path":"b"}' },
  ])
})

test('structured output is parsed by the SDK', async () => {
  answerWith({ text: '{"city":"Paris"}' })
  const format = zodTextFormat(z.object({ city: z.string() }), 'place')

  const answer = await started.openai().responses.parse({ ...hello, text: { format } })

  expect(answer.output_parsed).toEqual({ city: 'Paris' })
  expect(sentBody()['response_format']).toMatchObject({
    type: 'json_schema',
    json_schema: { name: 'place', strict: true, schema: { required: ['city'] } },
  })
})

test('tools, forced choice, limits and instructions reach the upstream in its form', async () => {
  answerWith({})

  await ask(
    {
      ...hello,
      instructions: 'Be brief.',
      tools: [tool],
      tool_choice: { type: 'function', name: 'read' },
      parallel_tool_calls: false,
      max_output_tokens: 500,
      temperature: 0.5,
      top_p: 0.9,
    },
    false,
  )

  const { name, description, parameters } = tool
  expect(sentBody()).toMatchObject({
    messages: [
      { role: 'system', content: 'Be brief.' },
      { role: 'user', content: 'Hello' },
    ],
    max_completion_tokens: 500,
    temperature: 0.5,
    top_p: 0.9,
    tools: [{ type: 'function', function: { name, description, parameters } }],
    tool_choice: { type: 'function', function: { name: 'read' } },
    parallel_tool_calls: false,
  })
})

test('every kind of input item reaches the upstream in its form', async () => {
  answerWith({})

  await ask(
    {
      model: 'auto',
      tools: [tool],
      input: [
        { role: 'developer', content: 'Instructions' },
        { type: 'message', role: 'system', content: [{ type: 'input_text', text: 'More' }] },
        {
          role: 'user',
          content: [
            { type: 'input_text', text: 'Look' },
            { ...image, detail: 'original' },
          ],
        },
        { type: 'reasoning', id: 'rs_1', summary: [], encrypted_content: 'secret' },
        {
          role: 'assistant',
          content: [{ type: 'output_text', text: 'Reading.', annotations: [] }],
          id: 'msg_1',
          status: 'completed',
          type: 'message',
        },
        { type: 'function_call', call_id: 'c1', name: 'read', arguments: '{"path":"a"}' },
        { type: 'function_call', call_id: 'c2', name: 'read', arguments: '{"path":"b"}' },
        { role: 'developer', content: 'In between' },
        { type: 'function_call_output', call_id: 'c1', output: [{ ...image, detail: 'low' }] },
        { type: 'function_call_output', call_id: 'c2', output: 'B' },
        { role: 'user', content: 'Go on' },
      ],
    },
    false,
  )

  const part = (detail: string) => ({
    type: 'image_url',
    image_url: { url: image.image_url, detail },
  })
  const call = (id: string, path: string) => ({
    id,
    type: 'function',
    function: { name: 'read', arguments: `{"path":"${path}"}` },
  })
  expect(sentBody()['messages']).toEqual([
    { role: 'system', content: 'Instructions\n\nMore' },
    { role: 'user', content: [{ type: 'text', text: 'Look' }, part('high')] },
    { role: 'assistant', content: 'Reading.', tool_calls: [call('c1', 'a'), call('c2', 'b')] },
    { role: 'tool', tool_call_id: 'c1', content: [part('low')] },
    { role: 'tool', tool_call_id: 'c2', content: 'B' },
    { role: 'system', content: 'In between' },
    { role: 'user', content: 'Go on' },
  ])
})

test('what another vendor’s form does not carry is left out and reported', async () => {
  answerWith({})
  const request = {
    ...hello,
    tools: [tool, { type: 'web_search' }],
    text: { verbosity: 'low' },
    reasoning: { effort: 'high', summary: 'auto' },
    include: ['reasoning.encrypted_content'],
    prompt_cache_key: 'session',
    client_metadata: { session_id: 'secret' },
    truncation: 'auto',
    store: false,
    service_tier: 'priority',
  }

  const answer = await started.post('v1/responses', request)

  expect(answer.headers.get('x-modelport-adjusted')).toBe(
    'reasoning_effort=left_out, service_tier=left_out, temperature=sent_as_1, tools=left_out, ' +
      'client_metadata=left_out, truncation=left_out, text.verbosity=left_out',
  )
  expect(Object.keys(sentBody()).toSorted()).toEqual([
    'messages',
    'model',
    'stream',
    'temperature',
    'tools',
  ])
})

test.each([
  ['length', 'incomplete', { reason: 'max_output_tokens' }],
  ['content_filter', 'incomplete', { reason: 'content_filter' }],
  ['stop', 'completed', null],
  ['future_reason', 'incomplete', { reason: 'future_reason' }],
])('the finish reason %s is the status %s', async (finishReason, status, details) => {
  answerWith({ text: 'Hi', finishReason })

  const whole = await ask(hello, false)
  const streamed = await ask(hello, true)

  expect(whole).toMatchObject({ status, incomplete_details: details })
  expect(streamed).toMatchObject({ status, incomplete_details: details, output_text: 'Hi' })
})

test('usage has the tokens that were read from a cache and those of reasoning', async () => {
  answerWith({
    usage: {
      prompt_tokens: 100,
      completion_tokens: 20,
      total_tokens: 120,
      prompt_tokens_details: { cached_tokens: 90 },
      completion_tokens_details: { reasoning_tokens: 5 },
    },
  })

  const { usage } = await ask(hello, false)

  expect(usage).toEqual({
    input_tokens: 100,
    input_tokens_details: { cached_tokens: 90, cache_write_tokens: 0 },
    output_tokens: 20,
    output_tokens_details: { reasoning_tokens: 5 },
    total_tokens: 120,
  })
})

test('a refusal is a refusal part', async () => {
  const delta = { refusal: 'I cannot help with that.' }
  const chunk = (choice: object) =>
    JSON.stringify({ id: 'x', object: 'chat.completion.chunk', choices: [{ index: 0, ...choice }] })
  answerWith({
    events: [
      chunk({ delta, finish_reason: null }),
      chunk({ delta: {}, finish_reason: 'stop' }),
      '[DONE]',
    ],
  })

  const { output } = await ask(hello, true)

  expect(output).toMatchObject([{ type: 'message', content: [{ type: 'refusal', ...delta }] }])
})

test('errors are the SDK’s own classes, with our codes', async () => {
  const { responses } = started.openai()
  const wrongKey = started.openai().withOptions({ apiKey: 'mp_wrong' })

  await expect(wrongKey.responses.create(hello)).rejects.toThrow(AuthenticationError)
  await expect(responses.create({ ...hello, model: 'none' })).rejects.toThrow(NotFoundError)
  await expect(responses.create({ model: 'auto' })).rejects.toMatchObject({
    code: 'missing_required_parameter',
    param: 'input',
  })
  await expect(responses.create({ ...hello, temperature: 3 })).rejects.toThrow(BadRequestError)
  answerWith({ reply: errorReply(500) })
  await expect(responses.create(hello)).rejects.toThrow(InternalServerError)
})

test.each([
  ['background', { background: true }, 'no_capable_model'],
  ['store', { store: true }, 'invalid_parameter'],
  ['previous_response_id', { previous_response_id: 'resp_1' }, 'invalid_parameter'],
  ['conversation', { conversation: 'conv_1' }, 'invalid_parameter'],
  ['input[0]', { input: [{ type: 'item_reference', id: 'x' }] }, 'invalid_parameter'],
  ['tool_choice', { tools: [{ type: 'web_search' }], tool_choice: 'required' }, 'no_capable_model'],
  ['tool_choice', { tool_choice: { type: 'file_search' } }, 'no_capable_model'],
  ['prompt', { prompt: { id: 'pmpt_1' } }, 'no_capable_model'],
  ['input[0]', { input: [{ type: 'computer_call', call_id: 'x' }] }, 'no_capable_model'],
])('%s that no model of the router can serve is a 400 that says so', async (param, more, code) => {
  const answer = await started.post('v1/responses', { ...hello, ...more })

  expect(answer.status).toBe(400)
  expect(await answer.json()).toMatchObject({ error: { param, code } })
})

test('leaving a stream aborts the upstream', async () => {
  answerWith({ chunkDelayMs: 200, chunks: 50, text: 'word '.repeat(50) })
  const stream = await started.openai().responses.create({ ...hello, stream: true })

  for await (const event of stream) if (event.type.endsWith('delta')) stream.controller.abort()

  await expect.poll(() => started.fake.requests.at(-1)?.abortedAtMs).not.toBeNull()
})

test('a repeated Idempotency-Key replays the answer, and a preview answers nothing', async () => {
  answerWith({ text: 'Once' })
  const headers = { 'idempotency-key': 'a' }
  const count = started.fake.requestCount()

  const first = await started.post('v1/responses', hello, { headers })
  const again = await started.post('v1/responses', hello, { headers })
  const preview = await started.post('v1/responses', hello, {
    headers: { 'x-modelport-preview': 'true' },
  })

  expect(await again.json()).toEqual(await first.json())
  expect(again.headers.get('idempotent-replayed')).toBe('true')
  expect(await preview.json()).toMatchObject({ model: 'fake:one' })
  expect(started.fake.requestCount()).toBe(count + 1)
})

test.each([false, true])('an agent answers in this form too (stream %s)', async (stream) => {
  started.fake.setModel('one', echo)
  await apply(started, twoSteps)

  const answer = await ask({ model: 'agent:test', input: 'Hello' }, stream)

  expect(answer).toMatchObject({ model: 'agent:test', output_text: '<two <one Hello>>' })
  expect(metaOf(answer)).toMatchObject({ agent_name: 'test', steps_executed: 2 })
})

test.each([
  ['previous_response_id', { previous_response_id: 'resp_1' }],
  ['tool_choice', { tool_choice: { type: 'file_search' } }],
])('%s, which needs one vendor, is refused for an agent', async (param, more) => {
  await apply(started, twoSteps)

  const answer = await started.post('v1/responses', { model: 'agent:test', input: 'Hi', ...more })

  expect(answer.status).toBe(400)
  expect(await answer.json()).toMatchObject({ error: { code: 'invalid_parameter', param } })
})

test('an address for stored responses says that the whole conversation must be sent', async () => {
  const answer = await started.get('v1/responses/resp_1')

  expect(answer.status).toBe(404)
  expect(await answer.json()).toMatchObject({
    error: { message: expect.stringContaining('Send the whole conversation') as unknown },
  })
})
