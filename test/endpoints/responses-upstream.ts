/** The service with an upstream in the form of the Responses API, which records every byte that it gets. */
import { startTestService, type TestService } from '../test-service.ts'
import { startRecordingUpstream, type RecordingUpstream } from './recording-upstream.ts'

export interface WithResponsesUpstream extends TestService {
  upstream: RecordingUpstream
  /** Makes these the router's models, in this order. */
  use(...models: string[]): Promise<void>
}

export const model = 'openai:gpt-5.5'

/** The router's first model is `openai:gpt-5.5`; the fake's models in the chat form follow it. */
export async function startWithResponsesUpstream(
  options: Parameters<typeof startTestService>[0] = {},
  atEnd: (end: () => Promise<void>) => void,
): Promise<WithResponsesUpstream> {
  const upstream = await startRecordingUpstream(streamed('Hello'), atEnd)
  const started = await startTestService(options, atEnd)
  const { dashboard } = started.service
  const baseUrl = `${upstream.origin}/v1`
  await dashboard.addProvider({ id: 'openai', type: 'openai', baseUrl, apiKey: 'sk-fake' })
  const price = { inputUsdPerMtok: 1, outputUsdPerMtok: 2, contextTokens: 200_000 }
  await dashboard.saveModel({
    id: model,
    ...price,
    capabilities: ['tools', 'vision', 'json', 'files'],
  })
  const use = async (...models: string[]) => {
    await dashboard.updateRouter(started.routerId, {
      name: 'Test',
      strategy: 'priority',
      models,
      ...options.router,
    })
  }
  await use(model, ...Object.keys(options.models ?? {}).map((name) => `fake:${name}`))
  return Object.assign(started, { upstream, use })
}

const head = {
  id: 'resp_upstream',
  object: 'response',
  created_at: 1_790_000_000,
  model: 'gpt-5.5-2026-04-23',
  future: { a: 1 },
}
const usage = {
  input_tokens: 100,
  input_tokens_details: { cached_tokens: 90, cache_write_tokens: 3, future: 1 },
  output_tokens: 7,
  output_tokens_details: { reasoning_tokens: 2 },
  total_tokens: 107,
}

const reasoning = {
  type: 'reasoning',
  id: 'rs_1',
  summary: [],
  encrypted_content: 'secret+/=',
  future: true,
}
const search = { type: 'web_search_call', id: 'ws_1', status: 'completed', action: { query: 'x' } }

function messageOf(text: string): object {
  const content = [{ type: 'output_text', text, annotations: [], future: 1 }]
  return { type: 'message', id: 'msg_1', role: 'assistant', status: 'completed', content }
}

function completedOf(text: string): object {
  const output = [reasoning, search, messageOf(text)]
  return { ...head, status: 'completed', output, usage, error: null, incomplete_details: null }
}

/** Events as OpenAI sends them, with fields and an event that this program does not know. */
export function streamed(text: string): string[] {
  const begun = { ...head, status: 'in_progress', output: [], usage: null }
  const message = { item_id: 'msg_1', output_index: 2, content_index: 0 }
  return [
    { type: 'response.created', response: begun },
    { type: 'response.in_progress', response: begun },
    { type: 'response.output_item.added', output_index: 0, item: { ...reasoning, summary: [] } },
    { type: 'response.output_item.done', output_index: 0, item: reasoning },
    { type: 'response.output_item.added', output_index: 1, item: search },
    { type: 'response.web_search_call.searching', output_index: 1, item_id: 'ws_1' },
    { type: 'response.output_item.done', output_index: 1, item: search },
    {
      type: 'response.output_item.added',
      output_index: 2,
      item: { ...messageOf(''), content: [] },
    },
    { type: 'response.content_part.added', ...message, part: { type: 'output_text', text: '' } },
    { type: 'response.future', future: 1 },
    { type: 'response.output_text.delta', ...message, delta: text, logprobs: [], obfuscation: 'x' },
    { type: 'response.output_text.done', ...message, text },
    { type: 'response.output_item.done', output_index: 2, item: messageOf(text) },
    { type: 'response.completed', response: completedOf(text) },
  ].map((event, sequence_number) => JSON.stringify({ ...event, sequence_number }))
}

export function whole(text: string): string {
  return JSON.stringify(completedOf(text))
}
