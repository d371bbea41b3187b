/** Gemini in and out: the body and the events of the answer stay as they were written. */
import { expect, onTestFinished, test } from 'vitest'
import { errorReply } from '../fake-provider.ts'
import { startTestService, type TestService } from '../test-service.ts'
import { startRecordingUpstream, type RecordingUpstream } from './recording-upstream.ts'

const path = 'v1beta/models/auto'
const usageMetadata = {
  promptTokenCount: 100,
  cachedContentTokenCount: 90,
  candidatesTokenCount: 4,
  thoughtsTokenCount: 6,
  totalTokenCount: 110,
  future: 'x',
}

/** A request as agents send it, with fields, names and numbers that would not survive a translation. */
const sent =
  '{"system_instruction":{"parts":{"text":"You are \\u00e9 tool."}}, "future":{"b":1,"a":1.0},' +
  '"generationConfig":{"topK":64,"temperature":0.70,"thinkingConfig":{"includeThoughts":true}},' +
  '"tools":[{"googleSearch":{}},{"functionDeclarations":[{"name":"read","parameters":{"type":"OBJECT"}}]}],' +
  '"contents":[{"role":"user","parts":[{"text":"Hi"}]},' +
  '{"role":"model","parts":[{"functionCall":{"name":"read","args":{"n":12345678901234567890}},"thoughtSignature":"c2ln"}]},' +
  '{"role":"user","parts":[{"functionResponse":{"name":"read","response":{"output":"x"}}}]}]}'

const event = (parts: object[], more: object = {}) => ({
  candidates: [{ content: { parts, role: 'model' }, index: 0, ...more }],
  modelVersion: 'gemini-3-pro',
  responseId: 'r1',
  future: [1],
})
const events = [
  event([{ text: 'Hm.', thought: true }]),
  event([{ text: 'Hello', thoughtSignature: 'c2ln' }], { groundingMetadata: { future: 1 } }),
  { ...event([{ text: '' }], { finishReason: 'STOP' }), usageMetadata },
].map((each) => JSON.stringify(each))

const ours = {
  modelVersion: 'google:gemini-3-pro',
  _meta: expect.objectContaining({ modelUsed: 'google:gemini-3-pro' }),
}

interface WithGoogle extends TestService {
  upstream: RecordingUpstream
}

interface GoogleOptions extends NonNullable<Parameters<typeof startTestService>[0]> {
  isLast?: true
}

/** The router has `google:gemini-3-pro` first or last, beside the fake's models in OpenAI's form. */
async function startWithGoogle({ isLast, ...options }: GoogleOptions = {}): Promise<WithGoogle> {
  const upstream = await startRecordingUpstream(events, onTestFinished)
  const started = await startTestService(options)
  const { dashboard } = started.service
  const baseUrl = `${upstream.origin}/v1beta`
  await dashboard.addProvider({ id: 'google', type: 'google', baseUrl, apiKey: 'AIza-fake' })
  const id = 'google:gemini-3-pro'
  await dashboard.saveModel({
    id,
    inputUsdPerMtok: 1,
    outputUsdPerMtok: 2,
    capabilities: ['tools', 'vision', 'json', 'files'],
    contextTokens: 200_000,
  })
  const models = Object.keys(options.models ?? {}).map((name) => `fake:${name}`)
  await dashboard.updateRouter(started.routerId, {
    name: 'Test',
    strategy: 'priority',
    models: isLast ? [...models, id] : [id, ...models],
  })
  return Object.assign(started, { upstream })
}

function eventsOf(text: string): Record<string, unknown>[] {
  return text
    .split('\n\n')
    .filter(Boolean)
    .map((line) => JSON.parse(line.slice('data: '.length)) as Record<string, unknown>)
}

function textOf({ candidates }: Record<string, unknown>): string[] {
  const [candidate] = candidates as { content: { parts: { text: string }[] } }[]
  return candidate?.content.parts.map(({ text }) => text) ?? []
}

test('the body arrives byte for byte, with the address of the chosen model and its key', async () => {
  const { post, upstream } = await startWithGoogle()

  await (await post(`${path}:streamGenerateContent?alt=sse`, sent)).text()
  upstream.answer = [events[2] ?? '']
  await (await post(`${path}:generateContent`, sent)).text()

  expect(upstream.requests.map(({ text }) => text)).toEqual([sent, sent])
  expect(upstream.requests.map((request) => request.path)).toEqual([
    '/v1beta/models/gemini-3-pro:streamGenerateContent?alt=sse',
    '/v1beta/models/gemini-3-pro:generateContent',
  ])
  expect(upstream.requests[0]?.headers).toMatchObject({ 'x-goog-api-key': 'AIza-fake' })
  expect(upstream.requests[0]?.headers).not.toHaveProperty('authorization')
})

test('the events of the answer are the upstream’s own, but for the model and _meta', async () => {
  const { post, ledger } = await startWithGoogle()

  const text = await (await post(`${path}:streamGenerateContent?alt=sse`, sent)).text()

  const { modelVersion } = ours
  const expected = events.map((each) => ({ ...(JSON.parse(each) as object), modelVersion }))
  expect(eventsOf(text)).toEqual(expected.with(2, { ...expected[2], ...ours }))
  const [row] = await ledger(1)
  expect(row).toMatchObject({ reportedPromptTokens: 100, reportedCompletionTokens: 10 })
})

test('a whole answer is the upstream’s own, but for the model and _meta', async () => {
  const { post, upstream } = await startWithGoogle()
  upstream.answer = [events[2] ?? '']

  const answer = await (await post(`${path}:generateContent`, sent)).json()

  expect(answer).toEqual({ ...(JSON.parse(events[2] ?? '') as object), ...ours })
})

test('long numbers keep their digits in a whole answer, and where a signature is added', async () => {
  const { post, upstream } = await startWithGoogle()
  const long = '12345678901234567890'
  upstream.answer = [(events[2] ?? '').replace('{', `{"own":${long},`)]
  const call = `{"functionCall":{"name":"read","args":{"n":${long}}}}`
  const contents = `[{"role":"user","parts":[{"text":"Hi"}]},{"role":"model","parts":[${call}]}]`

  const answer = await post(`${path}:generateContent`, `{"contents":${contents}}`)

  expect(await answer.text()).toContain(`"own":${long}`)
  expect(upstream.requests[0]?.text).toContain(`"args":{"n":${long}}`)
  expect(upstream.requests[0]?.text).toContain('thoughtSignature')
})

test('a call of another vendor’s model gets Google’s stand-in for its signature', async () => {
  const { post, upstream } = await startWithGoogle()
  const contents = [
    { role: 'user', parts: [{ text: 'Hi' }] },
    { role: 'model', parts: [{ text: 'I read.' }, { functionCall: { name: 'read', args: {} } }] },
    { role: 'user', parts: [{ functionResponse: { name: 'read', response: { output: 'x' } } }] },
  ]

  await (await post(`${path}:generateContent`, { contents })).text()

  const body = JSON.parse(upstream.requests[0]?.text ?? '') as { contents: typeof contents }
  expect(body.contents[1]?.parts).toEqual([
    { text: 'I read.' },
    {
      functionCall: { name: 'read', args: {} },
      thoughtSignature: 'skip_thought_signature_validator',
    },
  ])
})

test('what only the user may set does not go on, and what the model cannot give is lowered', async () => {
  const { post, upstream, service } = await startWithGoogle()
  await service.dashboard.saveModel({
    id: 'google:gemini-3-pro',
    inputUsdPerMtok: 1,
    outputUsdPerMtok: 2,
    contextTokens: 200_000,
    maxOutputTokens: 1_000,
    refuses: ['temperature'],
  })
  const contents = [{ role: 'user', parts: [{ text: 'Hi' }] }]

  const answer = await post(`${path}:generateContent`, {
    contents,
    service_tier: 'priority',
    store: true,
    generationConfig: { topK: 5, maxOutputTokens: 9_000, temperature: 0.5 },
  })

  expect(JSON.parse(upstream.requests[0]?.text ?? '')).toMatchObject({
    contents,
    generationConfig: { topK: 5 },
  })
  expect(upstream.requests[0]?.text).not.toContain('service_tier')
  expect(upstream.requests[0]?.text).not.toContain('temperature')
  expect(upstream.requests[0]?.text).not.toContain('store')
  expect(answer.headers.get('x-modelport-adjusted')).toContain('serviceTier')
})

test('a fall-over to another wire before the first piece is translated', async () => {
  const { post, upstream } = await startWithGoogle({ models: { one: { text: 'Other' } } })
  upstream.answer = ['{"error":{"code":500,"message":"no","status":"INTERNAL"}}']

  const text = await (await post(`${path}:streamGenerateContent?alt=sse`, sent)).text()

  const read = eventsOf(text)
  expect(read.every(({ modelVersion }) => modelVersion === 'fake:one')).toBe(true)
  expect(read.flatMap(textOf).join('')).toBe('Other')
})

test('a fall-over from another wire sends the caller’s own body', async () => {
  const { post, upstream } = await startWithGoogle({
    models: { one: { reply: errorReply(500) } },
    isLast: true,
  })

  await (await post(`${path}:streamGenerateContent?alt=sse`, sent)).text()

  expect(upstream.requests.map(({ text }) => text)).toEqual([sent])
})

test('an answer that Google must give goes to a model of Google only', async () => {
  const { post, upstream } = await startWithGoogle({
    models: { one: { text: 'Other' } },
    isLast: true,
  })
  const fileUri = 'https://generativelanguage.googleapis.com/v1beta/files/abc'
  const contents = [{ role: 'user', parts: [{ fileData: { fileUri, mimeType: 'image/png' } }] }]

  await (await post(`${path}:streamGenerateContent?alt=sse`, { contents })).text()

  expect(upstream.requests).toHaveLength(1)
})

test('Google counts the tokens of a request', async () => {
  const { gemini, upstream, ledger } = await startWithGoogle()
  upstream.answer = ['{"totalTokens":4321}']

  const { totalTokens } = await gemini().models.countTokens({ model: 'auto', contents: 'Hello' })

  expect(totalTokens).toBe(4321)
  expect(upstream.requests[0]?.path).toBe('/v1beta/models/gemini-3-pro:countTokens')
  expect(await ledger(0)).toEqual([])
})

test('a repeated field is refused, because the upstream might read the other one', async () => {
  const { post } = await startWithGoogle()

  const answer = await post(`${path}:generateContent`, sent.replace('{', '{"contents":[],'))

  expect(answer.status).toBe(400)
})
