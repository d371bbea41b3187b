/**
 * What every upstream gets and gives as it was written: whole numbers above 2^53, with their digits, and refusals of earlier
 * turns, as text.
 */
import { expect, onTestFinished, test } from 'vitest'
import { wires, type WireName } from '../../src/service/families/upstreams.ts'
import type { ProviderRequest } from '../../src/service/providers/provider.ts'
import { startRecordingUpstream } from '../endpoints/recording-upstream.ts'
import { accessKey } from './bedrock/fake.ts'
import { createAdapter, testKey } from './read-answer.ts'

const long = '12345678901234567890'
const input = `{"id":${long}}`
const inText = `"arguments":${JSON.stringify(input)}`
const own = `"own":${long}`

const call = { id: 'c', type: 'function' as const, function: { name: 'f', arguments: input } }
const request: ProviderRequest = {
  model: 'm',
  body: {
    messages: [
      { role: 'user', content: 'Hi' },
      { role: 'assistant', content: null, tool_calls: [call] },
      { role: 'tool', tool_call_id: 'c', content: 'x' },
    ],
    tools: [{ type: 'function', function: { name: 'f', parameters: { type: 'object' } } }],
  },
}

/** The wire's adapter, at an upstream that gives this answer. */
async function start(name: WireName, answer: readonly string[]) {
  const upstream = await startRecordingUpstream(answer, onTestFinished)
  const isBedrock = name === 'bedrock'
  const provider = createAdapter(
    {
      wire: wires[name],
      basePath: '',
      options: isBedrock ? { region: 'eu-central-1' } : {},
      apiKey: () => (isBedrock ? accessKey : testKey),
    },
    upstream.origin,
  )
  onTestFinished(() => provider.close())
  return { upstream, provider }
}

const { signal } = new AbortController()
const geminiPart = `{"functionCall":{"name":"f","args":${input}}}`
const gemini = `{"candidates":[{"index":0,"content":{"role":"model","parts":[${geminiPart}]},"finishReason":"STOP"}]}`
const counts = '"usage":{"input_tokens":1,"output_tokens":1}'
const citation = `{"type":"file_citation","file_id":"f",${own}}`

test.each<[wire: WireName, sent: string, answer: string]>([
  [
    'anthropic',
    `"input":${input}`,
    `{"type":"message","content":[{"type":"tool_use","id":"t","name":"f","input":${input}}],"stop_reason":"tool_use",${counts}}`,
  ],
  [
    'bedrock',
    `"input":${input}`,
    `{"output":{"message":{"role":"assistant","content":[{"toolUse":{"toolUseId":"t","name":"f","input":${input}}}]}},"stopReason":"tool_use"}`,
  ],
  ['google', `"args":${input}`, gemini],
  [
    'ollama',
    `"arguments":${input}`,
    `{"message":{"role":"assistant","content":"","tool_calls":[{"function":{"name":"f","arguments":${input}}}]},"done":true,"done_reason":"stop"}`,
  ],
])('at %s, calls keep long numbers, and are sent as %s', async (name, sent, answer) => {
  const { upstream, provider } = await start(name, [answer])

  const chunk = await provider.complete(request, signal)

  expect(upstream.requests.at(-1)?.text).toContain(sent)
  expect(JSON.stringify(chunk)).toContain(inText)
})

test('in a whole answer of the Responses form, passed-on fields keep long numbers', async () => {
  const content = `[{"type":"output_text","text":"Hi","annotations":[${citation}]}]`
  const output = `[{"type":"message","role":"assistant","content":${content}}]`
  const { provider } = await start('openai-responses', [
    `{"object":"response","status":"completed","output":${output},${counts}}`,
  ])

  const chunk = await provider.complete(request, signal)

  expect(JSON.stringify(chunk)).toContain(own)
})

test.each<[wire: WireName, kept: string, events: readonly string[]]>([
  ['google', inText, ['{"candidates":[{"index":0,"content":{"parts":[{"text":"Hi"}]}}]}', gemini]],
  [
    'openai-chat',
    own,
    [
      `{"choices":[{"index":0,"delta":{"content":"Hi",${own}},"finish_reason":null}]}`,
      '{"choices":[{"index":0,"delta":{},"finish_reason":"stop"}]}',
    ],
  ],
  [
    'anthropic',
    own,
    [
      `{"type":"message_start","message":{"role":"assistant",${counts}}}`,
      `{"type":"message_delta","delta":{"stop_reason":"refusal","stop_details":{${own}}}}`,
      '{"type":"message_stop"}',
    ],
  ],
  [
    'openai-responses',
    own,
    [
      `{"type":"response.output_text.annotation.added","item_id":"m","annotation":${citation}}`,
      `{"type":"response.completed","response":{"object":"response","status":"completed","output":[],${counts}}}`,
    ],
  ],
])('in a stream of %s, %s keeps its digits', async (name, kept, events) => {
  const { provider } = await start(name, events)
  const chunks: unknown[] = []

  for await (const chunk of provider.stream(request, signal)) chunks.push(chunk)

  expect(JSON.stringify(chunks)).toContain(kept)
})

test.each<WireName>([
  'openai-chat',
  'openai-responses',
  'anthropic',
  'bedrock',
  'google',
  'ollama',
])('at %s, a refusal of an earlier turn arrives', async (name) => {
  const { upstream, provider } = await start(name, ['{}'])
  const content = [{ type: 'refusal', refusal: 'I cannot.' }]
  const [hello] = request.body.messages
  if (hello === undefined) throw new Error('there is no message')
  const messages = [hello, { role: 'assistant', content }, hello]

  // Only what was sent matters here: the upstream's answer says nothing.
  await provider.complete({ model: 'm', body: { messages } }, signal).catch(() => null)

  expect(upstream.requests.at(-1)?.text).toContain('I cannot.')
})
