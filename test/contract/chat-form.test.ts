/** What goes through as it was written: parts and roles that Modelport does not know, and long numbers. */
import { expect, onTestFinished, test } from 'vitest'
import { startRecordingUpstream } from '../endpoints/recording-upstream.ts'
import { startWithMessagesUpstream } from '../endpoints/messages-upstream.ts'
import { hello, startTestService } from '../test-service.ts'

const long = '12345678901234567890'
const usage = '"usage":{"prompt_tokens":1,"completion_tokens":1,"total_tokens":2}'
const calls = `"tool_calls":[{"id":"c","type":"function","function":{"name":"f","arguments":"{\\"id\\":${long}}"},"own":${long}}]`
const message = `{"role":"assistant","content":null,${calls},"own":{"id":${long}}}`
const answer = `{"id":"x","object":"chat.completion","choices":[{"index":0,"message":${message},"finish_reason":"tool_calls"}],"own":[${long}],${usage}}`

/** A model of the chat form, whose upstream records each byte. */
async function startWithChatUpstream() {
  const upstream = await startRecordingUpstream([answer], onTestFinished)
  const started = await startTestService()
  const { dashboard } = started.service
  await dashboard.addProvider({
    id: 'own',
    type: 'openai-compatible',
    baseUrl: `${upstream.origin}/v1`,
    apiKey: 'sk-fake',
  })
  await dashboard.saveModel({
    id: 'own:m',
    inputUsdPerMtok: 1,
    outputUsdPerMtok: 2,
    contextTokens: 100_000,
    capabilities: ['tools'],
  })
  const use = (...models: string[]) =>
    dashboard.updateRouter(started.routerId, { name: 'Test', strategy: 'priority', models })
  await use('own:m')
  return Object.assign(started, { upstream, use })
}

const messages = [
  {
    role: 'user',
    content: [
      { type: 'text', text: 'Hi' },
      { type: 'video_url', video_url: { url: 'https://a.example/v.mp4' } },
      { type: 'audio_url', audio_url: { url: 'https://a.example/a.mp3' } },
      { type: 'document_url', document_url: 'https://a.example/d.pdf' },
    ],
  },
  {
    role: 'assistant',
    content: [
      { type: 'thinking', thinking: [{ type: 'text', text: 'Hm.' }] },
      { type: 'refusal', refusal: 'No.' },
    ],
  },
  { role: 'ipython', content: 'stdout' },
]

test('parts and roles that Modelport does not know go to a provider of the same form', async () => {
  const { post, fake } = await startTestService()

  const sent = await post('chat/completions', { messages })

  expect(sent.status).toBe(200)
  expect(fake.requests[0]?.body?.['messages']).toEqual(messages)
})

test.each([
  [[messages[0]], 'messages[0].content[1].type', 'parts of the type "video_url"'],
  [messages.slice(1), 'messages[0].content[0].type', 'parts of the type "thinking"'],
  [messages.slice(2), 'messages[0].role', 'the role "ipython"'],
])('for a provider of another form they are a need: %j', async (given, param, what) => {
  const { post, upstream, service, routerId } = await startWithMessagesUpstream({
    models: { m: {} },
  })

  const other = await post('chat/completions', { messages: given })
  expect(await other.json()).toMatchObject({ model: 'fake:m' })

  const models = ['claude:claude-opus-4-8']
  await service.dashboard.updateRouter(routerId, { name: 'T', strategy: 'priority', models })
  const refused = await post('chat/completions', { messages: given })
  expect(refused.status).toBe(400)
  expect(await refused.json()).toMatchObject({
    error: { code: 'no_capable_model', param, message: expect.stringContaining(what) as string },
  })
  expect(upstream.requests).toEqual([])
})

test('a refusal of an earlier turn reaches a provider of another form as text', async () => {
  const { post, upstream } = await startWithMessagesUpstream()
  const refusal = { role: 'assistant', content: [{ type: 'refusal', refusal: 'I cannot.' }] }

  await post('chat/completions', { messages: [...hello.messages, refusal, ...hello.messages] })

  expect(upstream.requests[0]?.text).toContain('{"type":"text","text":"I cannot."}')
})

test('long numbers of a request and its answer keep their digits in the same form', async () => {
  const { post, upstream } = await startWithChatUpstream()
  const own = `"own":{"id":${long},"list":[-${long}]}`
  const schema = `{"type":"object","properties":{"id":{"minimum":${long}}}}`
  const tools = `"tools":[{"type":"function","function":{"name":"f","parameters":${schema}}}]`

  const got = await post(
    'chat/completions',
    `{"messages":[{"role":"user","content":"Hi"}],${own},${tools}}`,
  )
  const text = await got.text()

  expect(upstream.requests[0]?.text).toContain(own)
  expect(upstream.requests[0]?.text).toContain(tools)
  expect(text).toContain(`"own":[${long}]`)
  expect(text).toContain(`"own":{"id":${long}}`)
  expect(text).toContain(`"own":${long}`)
})

const fromClaude = `{"id":"msg_1","type":"message","role":"assistant","model":"claude-opus-4-8","content":[{"type":"tool_use","id":"t","name":"f","input":{"id":${long}}}],"stop_reason":"tool_use","stop_sequence":null,"usage":{"input_tokens":1,"output_tokens":1},"own":${long}}`

test('long numbers of tools keep their digits between the chat form and Anthropic’s', async () => {
  const claude = await startWithMessagesUpstream()
  claude.upstream.answer = [fromClaude]
  const turns = `[{"role":"user","content":"Hi"},${message},{"role":"tool","tool_call_id":"c","content":"x"}]`

  const chat = await (await claude.post('chat/completions', `{"messages":${turns}}`)).text()
  const same = await (
    await claude.post('v1/messages', `{"max_tokens":9,"messages":[{"role":"user","content":"Hi"}]}`)
  ).text()

  expect(claude.upstream.requests[0]?.text).toContain(`"input":{"id":${long}}`)
  expect(chat).toContain(`"arguments":"{\\"id\\":${long}}"`)
  expect(same).toContain(`"input":{"id":${long}}`)
  expect(same).toContain(`"own":${long}`)
})

test('long numbers of tools keep their digits from Anthropic’s, the Responses and Gemini’s form', async () => {
  const own = await startWithChatUpstream()
  const turns = `[{"role":"user","content":"Hi"},{"role":"assistant","content":[{"type":"tool_use","id":"t","name":"f","input":{"id":${long}}}]},{"role":"user","content":[{"type":"tool_result","tool_use_id":"t","content":"x"}]}]`
  const schema = `{"type":"object","properties":{"id":{"minimum":${long}}}}`
  const tools = `"tools":[{"type":"function","name":"f","parameters":${schema}}]`

  const messagesAnswer = await own.post('v1/messages', `{"max_tokens":9,"messages":${turns}}`)
  await own.post('v1/responses', `{"input":"Hi",${tools}}`)
  const call = `{"functionCall":{"name":"f","args":{"id":${long}}}}`
  const contents = `[{"role":"user","parts":[{"text":"Hi"}]},{"role":"model","parts":[${call}]}]`
  const gemini = await own.post('v1beta/models/auto:generateContent', `{"contents":${contents}}`)

  expect(await messagesAnswer.text()).toContain(`"input":{"id":${long}}`)
  expect(own.upstream.requests[0]?.text).toContain(`"arguments":"{\\"id\\":${long}}"`)
  expect(own.upstream.requests[1]?.text).toContain(`"parameters":${schema}`)
  expect(own.upstream.requests[2]?.text).toContain(`"arguments":"{\\"id\\":${long}}"`)
  expect(await gemini.text()).toContain(`"args":{"id":${long}}`)
})
