/** The service with an upstream in Anthropic's form, which records every byte that it gets. */
import { onTestFinished } from 'vitest'
import { startTestService, type TestService } from '../test-service.ts'
import { startRecordingUpstream, type RecordingUpstream } from './recording-upstream.ts'

export interface WithMessagesUpstream extends TestService {
  upstream: RecordingUpstream
}

/** The router's first model is `claude:claude-opus-4-8`; the fake's models in OpenAI's form follow it. */
export async function startWithMessagesUpstream(
  options: Parameters<typeof startTestService>[0] = {},
): Promise<WithMessagesUpstream> {
  const upstream = await startRecordingUpstream(streamed('Hello'), onTestFinished)
  const started = await startTestService(options)
  const { dashboard } = started.service
  await dashboard.addProvider({
    id: 'claude',
    type: 'anthropic',
    baseUrl: upstream.origin,
    apiKey: 'sk-ant-fake',
  })
  const id = 'claude:claude-opus-4-8'
  await dashboard.saveModel({
    id,
    inputUsdPerMtok: 1,
    outputUsdPerMtok: 2,
    capabilities: [...all],
    contextTokens: 200_000,
  })
  const models = Object.keys(options.models ?? {}).map((name) => `fake:${name}`)
  await dashboard.updateRouter(started.routerId, {
    name: 'Test',
    strategy: 'priority',
    models: [id, ...models],
    ...options.router,
  })
  return Object.assign(started, { upstream })
}

const all = ['tools', 'vision', 'json', 'files'] as const

const head = { id: 'msg_upstream', type: 'message', role: 'assistant', model: 'claude-opus-4-8' }
const usage = {
  input_tokens: 7,
  cache_read_input_tokens: 90,
  cache_creation_input_tokens: 3,
  output_tokens: 1,
  future: 'x',
}

/** Events as Anthropic sends them, with fields and an event that this program does not know. */
export function streamed(text: string): string[] {
  return [
    { type: 'message_start', message: { ...head, content: [], stop_reason: null, usage } },
    {
      type: 'content_block_start',
      index: 0,
      content_block: { type: 'thinking', thinking: '', signature: '' },
    },
    { type: 'ping' },
    { type: 'content_block_delta', index: 0, delta: { type: 'thinking_delta', thinking: 'Hm.' } },
    {
      type: 'content_block_delta',
      index: 0,
      delta: { type: 'signature_delta', signature: 'sig+/=' },
    },
    { type: 'content_block_stop', index: 0 },
    {
      type: 'content_block_start',
      index: 1,
      content_block: { type: 'server_tool_use', id: 'srvtoolu_1', name: 'web_search', input: {} },
    },
    { type: 'content_block_stop', index: 1 },
    { type: 'content_block_start', index: 2, content_block: { type: 'text', text: '' } },
    { type: 'content_block_delta', index: 2, delta: { type: 'text_delta', text }, future: 1 },
    { type: 'content_block_stop', index: 2 },
    {
      type: 'message_delta',
      delta: { stop_reason: 'end_turn', stop_sequence: null },
      usage: { output_tokens: 4 },
    },
    { type: 'message_stop' },
  ].map((event) => JSON.stringify(event))
}

export function whole(text: string): string {
  return JSON.stringify({
    ...head,
    content: [
      { type: 'thinking', thinking: 'Hm.', signature: 'sig+/=' },
      { type: 'text', text, citations: null, future: true },
    ],
    stop_reason: 'end_turn',
    stop_sequence: null,
    usage,
    future: { a: 1 },
  })
}

/** The events of a streamed answer: the name of its `event:` line and its data. */
export function eventsOf(text: string): { event: string; data: Record<string, unknown> }[] {
  return text
    .split('\n\n')
    .filter(Boolean)
    .map((lines) => {
      const [event = '', data = ''] = lines.split('\n')
      // Each event has a JSON object.
      const parsed = JSON.parse(data.slice('data: '.length)) as Record<string, unknown>
      return { event: event.slice('event: '.length), data: parsed }
    })
}
