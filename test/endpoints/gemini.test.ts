/** Google's SDK at a router whose models speak OpenAI's form: everything is translated, both ways. */
import {
  ApiError,
  FunctionCallingConfigMode,
  Type,
  type GenerateContentResponse,
} from '@google/genai'
import { expect, test } from 'vitest'
import { errorReply } from '../fake-provider.ts'
import { startTestService, type TestService } from '../test-service.ts'

const hello = { model: 'auto', contents: 'Hello' }
const declaration = {
  name: 'read',
  description: 'Reads a file.',
  parameters: {
    type: Type.OBJECT,
    properties: { path: { type: Type.STRING, nullable: true }, lines: { type: Type.INTEGER } },
    required: ['path'],
  },
}
const calls = {
  toolCalls: [
    { id: 'call_a', name: 'read', argumentPieces: ['{"path":', '"a"}'] },
    { id: 'call_b', name: 'read', argumentPieces: ['{"path":"b"}'] },
  ],
}

function metaOf(answer: object): unknown {
  return new Map<string, unknown>(Object.entries(answer)).get('_meta')
}

function sentBody({ fake }: TestService): Record<string, unknown> {
  return fake.requests.at(-1)?.body ?? {}
}

async function eventsOf(
  stream: AsyncIterable<GenerateContentResponse>,
): Promise<GenerateContentResponse[]> {
  const events: GenerateContentResponse[] = []
  for await (const event of stream) events.push(event)
  return events
}

test('an answer in one piece has the text, the usage and _meta', async () => {
  const { post, gemini, ledger } = await startTestService({ models: { one: { text: 'Paris.' } } })

  const answer = await gemini().models.generateContent(hello)

  expect(answer.text).toBe('Paris.')
  expect(answer.modelVersion).toBe('fake:one')
  expect(answer.candidates).toMatchObject([{ finishReason: 'STOP', index: 0 }])
  const [row] = await ledger(1)
  expect(answer.usageMetadata).toMatchObject({
    promptTokenCount: row?.reportedPromptTokens,
    candidatesTokenCount: row?.reportedCompletionTokens,
  })
  const raw = await post('v1beta/models/auto:generateContent', {
    contents: [{ parts: [{ text: 'Hello' }] }],
  })
  expect(metaOf(Object(await raw.json()))).toMatchObject({ modelUsed: 'fake:one' })
})

test('a stream has the pieces of the text, and its last event the usage and _meta', async () => {
  const { post, gemini } = await startTestService({
    models: { one: { text: 'One two three', reasoning: 'Let me count.' } },
  })
  const config = { thinkingConfig: { includeThoughts: true } }

  const events = await eventsOf(await gemini().models.generateContentStream({ ...hello, config }))

  expect(events.length).toBeGreaterThan(2)
  expect(events.map(({ text }) => text ?? '').join('')).toBe('One two three')
  const thoughts = events.flatMap(({ candidates }) => candidates?.[0]?.content?.parts ?? [])
  expect(thoughts.filter(({ thought }) => thought)).toEqual([
    { text: 'Let me count.', thought: true },
  ])
  expect(events.at(-1)?.candidates?.[0]?.finishReason).toBe('STOP')
  expect(events.at(-1)?.usageMetadata?.totalTokenCount).toBeGreaterThan(0)
  const raw = await post('v1beta/models/auto:streamGenerateContent?alt=sse', {
    contents: [{ parts: [{ text: 'Hello' }] }],
  })
  const last = (await raw.text()).trim().split('\n\n').at(-1) ?? ''
  expect(metaOf(JSON.parse(last.slice('data: '.length)))).toMatchObject({ modelUsed: 'fake:one' })
})

test('a chat of the SDK keeps the streamed answer in its history', async () => {
  const { gemini } = await startTestService({ models: { one: { text: 'One two' } } })
  const chat = gemini().chats.create({ model: 'auto' })

  await eventsOf(await chat.sendMessageStream({ message: 'Hello' }))

  const [, ...answers] = chat.getHistory(true)
  const texts = answers.flatMap(({ parts }) => parts?.map(({ text }) => text) ?? [])
  expect(texts.join('')).toBe('One two')
})

test('without alt=sse a stream is a JSON list, and an idempotency key replays it as one', async () => {
  const { post } = await startTestService({ models: { one: { text: 'One two three' } } })
  const body = { contents: [{ role: 'user', parts: [{ text: 'Hello' }] }] }
  const send = () =>
    post('v1beta/models/auto:streamGenerateContent', body, { headers: { 'idempotency-key': 'a' } })

  const first = await send()
  const text = await first.text()
  const again = await send()

  expect(first.headers.get('content-type')).toBe('application/json; charset=utf-8')
  const list = JSON.parse(text) as GenerateContentResponse[]
  const parts = list.flatMap(({ candidates }) => candidates?.[0]?.content?.parts ?? [])
  expect(parts.map((part) => part.text).join('')).toBe('One two three')
  expect(metaOf(list.at(-1) ?? {})).toMatchObject({ modelUsed: 'fake:one' })
  expect(again.headers.get('idempotent-replayed')).toBe('true')
  expect(again.headers.get('content-type')).toBe('application/json; charset=utf-8')
  expect(await again.text()).toBe(text)
})

test('the same body at another address is another request for an idempotency key', async () => {
  const { post } = await startTestService()
  const body = { contents: [{ role: 'user', parts: [{ text: 'Hello' }] }] }
  const headers = { 'idempotency-key': 'a' }
  await (await post('v1beta/models/auto:generateContent', body, { headers })).text()

  const other = await post('v1beta/models/fake:fake-model:generateContent', body, { headers })

  expect(other.status).toBe(422)
})

test.each([true, false])('parallel calls arrive whole and in order (stream %s)', async (stream) => {
  const { gemini } = await startTestService({ models: { one: calls } })
  const request = { ...hello, config: { tools: [{ functionDeclarations: [declaration] }] } }
  const { models } = gemini()

  const events = stream
    ? await eventsOf(await models.generateContentStream(request))
    : [await models.generateContent(request)]

  expect(events.flatMap(({ functionCalls }) => functionCalls ?? [])).toEqual([
    { id: 'call_a', name: 'read', args: { path: 'a' } },
    { id: 'call_b', name: 'read', args: { path: 'b' } },
  ])
  expect(events.at(-1)?.candidates?.[0]?.finishReason).toBe('STOP')
})

test('tools, forced choice, format, reasoning and limits reach the upstream in its form', async () => {
  const started = await startTestService()

  await started.gemini().models.generateContent({
    ...hello,
    config: {
      systemInstruction: 'Be brief.',
      tools: [{ functionDeclarations: [declaration] }],
      toolConfig: {
        functionCallingConfig: {
          mode: FunctionCallingConfigMode.ANY,
          allowedFunctionNames: ['read'],
        },
      },
      responseMimeType: 'application/json',
      responseSchema: { type: Type.OBJECT, properties: { city: { type: Type.STRING } } },
      thinkingConfig: { thinkingBudget: 0 },
      stopSequences: ['END'],
      temperature: 0.5,
      topP: 0.9,
      maxOutputTokens: 321,
      seed: 7,
    },
  })

  expect(sentBody(started)).toMatchObject({
    messages: [
      { role: 'system', content: 'Be brief.' },
      { role: 'user', content: 'Hello' },
    ],
    tools: [
      {
        type: 'function',
        function: {
          name: 'read',
          description: 'Reads a file.',
          parameters: {
            type: 'object',
            properties: { path: { type: ['string', 'null'] }, lines: { type: 'integer' } },
            required: ['path'],
          },
        },
      },
    ],
    tool_choice: { type: 'function', function: { name: 'read' } },
    response_format: {
      type: 'json_schema',
      json_schema: { schema: { type: 'object', properties: { city: { type: 'string' } } } },
    },
    stop: ['END'],
    temperature: 0.5,
    top_p: 0.9,
    seed: 7,
  })
})

test('a conversation with calls, results, pictures and files reaches the upstream', async () => {
  const started = await startTestService({
    models: { one: {} },
  })
  const png = { inlineData: { mimeType: 'image/png', data: 'aGk=' } }
  const call = (args: object) => ({ functionCall: { name: 'read', args: { ...args } } })

  await started.post('v1beta/models/auto:generateContent', {
    system_instruction: { parts: { text: 'Be brief.' } },
    contents: [
      { role: 'user', parts: [{ text: 'Look' }, png] },
      {
        role: 'model',
        parts: [{ text: 'Hm', thought: true }, { text: 'I read.' }, call({ a: 1 }), call({ a: 2 })],
      },
      {
        role: 'user',
        parts: [
          { function_response: { name: 'read', response: { output: 'one' } } },
          { functionResponse: { name: 'read', response: { error: 'no' } } },
        ],
      },
    ],
    tools: [{ functionDeclarations: [{ name: 'read' }] }, { googleSearch: {} }],
  })

  expect(sentBody(started)['messages']).toEqual([
    { role: 'system', content: 'Be brief.' },
    {
      role: 'user',
      content: [
        { type: 'text', text: 'Look' },
        { type: 'image_url', image_url: { url: 'data:image/png;base64,aGk=' } },
      ],
    },
    {
      role: 'assistant',
      content: 'I read.',
      tool_calls: [
        { id: 'call_1_2', type: 'function', function: { name: 'read', arguments: '{"a":1}' } },
        { id: 'call_1_3', type: 'function', function: { name: 'read', arguments: '{"a":2}' } },
      ],
    },
    expect.objectContaining({ role: 'tool', tool_call_id: 'call_1_2', content: 'one' }),
    expect.objectContaining({ role: 'tool', tool_call_id: 'call_1_3', content: 'no' }),
  ])
})

test('what other vendors lack is left out and reported, or a need', async () => {
  const { post } = await startTestService()
  const contents = [{ role: 'user', parts: [{ text: 'Hello' }] }]
  const path = 'v1beta/models/auto:generateContent'

  const offered = await post(path, {
    contents,
    tools: [{ googleSearch: {} }],
    safetySettings: [{ category: 'HARM_CATEGORY_HARASSMENT', threshold: 'OFF' }],
    generationConfig: { topK: 5 },
  })
  const picture = await post(path, {
    contents,
    generationConfig: { responseModalities: ['IMAGE'] },
  })

  expect(offered.status).toBe(200)
  expect(offered.headers.get('x-modelport-adjusted')).toMatch(/tools.*safetySettings|topK/)
  expect(picture.status).toBe(400)
  expect(await picture.json()).toMatchObject({
    error: { status: 'INVALID_ARGUMENT', message: expect.stringContaining('[no_capable_model]') },
  })
})

test('the model in the address is pinned, unknown, or any name for a key that accepts it', async () => {
  const started = await startTestService({ models: { one: { text: 'a' }, two: { text: 'b' } } })
  const { gemini, post } = started
  const contents = 'Hello'

  const pinned = await gemini().models.generateContent({ model: 'fake:two', contents })
  const unknown = gemini().models.generateContent({ model: 'gemini-3-pro', contents })

  expect(pinned.modelVersion).toBe('fake:two')
  await expect(unknown).rejects.toMatchObject({ status: 404 })
  const { key } = await started.service.dashboard.createApiKey({
    name: 'CLI',
    routers: 'all',
    acceptAnyModel: true,
  })
  const body = { contents: [{ parts: [{ text: contents }] }] }
  const headers = { authorization: `Bearer ${key}` }
  for (const name of ['gemini-3-pro', 'fake:two']) {
    const any = await post(`v1beta/models/${name}:generateContent`, body, { headers })
    expect(await any.json()).toMatchObject({ modelVersion: 'fake:one' })
  }
})

test('tokens are counted, with and without the rest of the request', async () => {
  const { gemini, post, ledger } = await startTestService()
  const contents = [{ role: 'user', parts: [{ text: 'Hello' }] }]

  const { totalTokens } = await gemini().models.countTokens({ model: 'auto', contents })
  const whole = await post('v1beta/models/auto:countTokens', {
    generateContentRequest: {
      contents,
      systemInstruction: { parts: [{ text: 'Be very, very brief, please.' }] },
    },
  })

  expect(totalTokens).toBeGreaterThan(0)
  expect(whole.headers.get('x-modelport-estimated')).toBe('true')
  expect(Object(await whole.json()).totalTokens).toBeGreaterThan(totalTokens ?? 0)
  expect(await ledger(0)).toEqual([])
})

test.each<[string, object]>([
  ['a number as a text', { generation_config: { candidate_count: '8' } }],
  [
    'a setting in two spellings',
    { generationConfig: { maxOutputTokens: 1, max_output_tokens: 9 } },
  ],
  ['a field in two spellings', { generationConfig: {}, generation_config: {} }],
])('%s is refused, because Google would count it and a budget would not', async (_what, more) => {
  const { post, fake } = await startTestService()
  const body = { contents: [{ parts: [{ text: 'Hello' }] }], ...more }

  expect((await post('v1beta/models/auto:generateContent', body)).status).toBe(400)
  expect(fake.requestCount()).toBe(0)
})

test('errors have Google’s form, with the code in three places', async () => {
  const { post, gemini } = await startTestService()
  const body = { contents: [{ parts: [{ text: 'Hello' }] }] }

  const answer = await post('v1beta/models/auto:generateContent', { contents: [] })
  const method = await post('v1beta/models/auto:embedContent', body)
  const wrong = await post('v1beta/models/auto:generateContent', body, {
    headers: { 'x-goog-api-key': 'mp_other' },
  })

  expect(answer.status).toBe(400)
  expect(answer.headers.get('x-modelport-error-code')).toBe('invalid_parameter')
  expect(await answer.json()).toEqual({
    error: {
      code: 400,
      status: 'INVALID_ARGUMENT',
      message: expect.stringContaining('[invalid_parameter]'),
      details: [expect.objectContaining({ reason: 'INVALID_PARAMETER', domain: 'modelport' })],
    },
  })
  expect(method.status).toBe(404)
  expect(wrong.status).toBe(400)
  await expect(
    gemini().models.generateContent({ ...hello, config: { httpOptions: { headers: noKey } } }),
  ).rejects.toThrow(ApiError)
})

const noKey = { 'x-goog-api-key': 'mp_wrong' }

test('a used-up daily limit says so as Google does, so that clients stop', async () => {
  const { post, gemini } = await startTestService({ router: { tier: 'enterprise', dailyLimit: 1 } })
  await gemini().models.generateContent(hello)

  const answer = await post('v1beta/models/auto:generateContent', {
    contents: [{ parts: [{ text: 'Hello' }] }],
  })

  expect(answer.status).toBe(429)
  const { error } = Object(await answer.json())
  expect(error.status).toBe('RESOURCE_EXHAUSTED')
  expect(error.details).toContainEqual({
    '@type': 'type.googleapis.com/google.rpc.QuotaFailure',
    violations: [{ quotaId: 'RequestsPerDayPerRouter', description: expect.any(String) }],
  })
})

test('a stream that breaks ends with an error that the SDK throws', async () => {
  const { gemini } = await startTestService({
    models: { one: { text: 'One two three', fault: { kind: 'reset', afterEvents: 3 } } },
  })

  const stream = await gemini().models.generateContentStream(hello)

  await expect(eventsOf(stream)).rejects.toThrow(/\[\w+\]/)
})

test('a request that no model answers is a 503 that the SDK throws', async () => {
  const { gemini } = await startTestService({ models: { one: { reply: errorReply(500) } } })

  await expect(gemini().models.generateContent(hello)).rejects.toMatchObject({ status: 503 })
})

test('aborting the request aborts the upstream', async () => {
  const { gemini, ledger } = await startTestService({
    models: { one: { text: 'a '.repeat(200), chunks: 200, chunkDelayMs: 50 } },
  })
  const abort = new AbortController()
  const config = { abortSignal: abort.signal }

  const stream = await gemini().models.generateContentStream({ ...hello, config })
  await stream.next()
  abort.abort()

  const [row] = await ledger(1)
  expect(row?.status).toBe(499)
})

test('a preview has the decision, and no model is asked', async () => {
  const { post, fake } = await startTestService()

  const answer = await post(
    'v1beta/models/auto:generateContent',
    { contents: [{ parts: [{ text: 'Hello' }] }] },
    { headers: { 'x-modelport-preview': 'true' } },
  )

  expect(await answer.json()).toMatchObject({ model: 'fake:fake-model' })
  expect(fake.requests).toEqual([])
})
