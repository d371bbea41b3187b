/** Ollama's form, for the suite of all wires. The schema of requests and the lines of answers are the stand-in's. */
import { z } from 'zod'
import {
  jsonReply,
  type AnswerMeaning,
  type FakeFormat,
  type RecordedRequest,
  type ToolCallMeaning,
} from '../harness.ts'
import {
  fieldsOf,
  textOrNull,
  type Item,
  type Part,
  type RequestMeaning,
} from '../request-meaning.ts'
import { dress, lastLine, tagOf, textLine, wholeOf } from './fake.ts'
import { chatRequestSchema, type OllamaChatRequest } from './requests.ts'

export const ollamaFormat: FakeFormat = {
  route({ method, path, body }) {
    if (method === 'GET' && path === '/api/tags') return 'models'
    if (method !== 'POST' || path !== '/api/chat') return null
    return fieldsOf(body)['stream'] === false ? 'whole' : 'stream'
  },
  problems({ method, headers, body }) {
    const key = headers.authorization?.startsWith('Bearer ') ? [] : ['the key is missing']
    if (method !== 'POST') return key
    const parsed = chatRequestSchema.safeParse(body)
    return parsed.success ? key : [...key, z.prettifyError(parsed.error)]
  },
  read: ({ body }) => meaningOf(chatRequestSchema.parse(body)),
  whole: (answer, request) => jsonReply(200, wholeOf(linesOf(answer, request))),
  stream: (answer, request) => ({
    headers: { 'content-type': 'application/x-ndjson' },
    events: linesOf(answer, request).map((line) => Buffer.from(`${JSON.stringify(line)}\n`)),
  }),
  models: (names) => jsonReply(200, { models: names.map((name) => tagOf([name, {}])) }),
  rateLimited: jsonReply(429, { error: 'too many requests' }),
}

/** One line for each piece; calls arrive whole. */
function linesOf(
  { reasoning, texts, toolCalls, stop, usage }: AnswerMeaning,
  { body }: RecordedRequest,
) {
  const lines = [
    ...reasoning.map((thinking) => messageLine({ thinking })),
    ...texts.map(textLine),
    ...toolCalls.map((call) => messageLine({ tool_calls: [callOf(call)] })),
    lastLine({
      done_reason: stop ?? 'stop',
      prompt_eval_count: usage.promptTokens,
      prompt_eval_cached_count: usage.cachedTokens,
      eval_count: usage.completionTokens,
    }),
  ]
  const model = String(fieldsOf(body)['model'])
  return lines.map((line) => dress(line, { model, loadMs: 8 }))
}

function messageLine(message: { thinking?: string; tool_calls?: readonly object[] }) {
  return { message: { role: 'assistant', content: '', ...message }, done: false }
}

function callOf({ id, name, arguments: text }: ToolCallMeaning): object {
  return { id, function: { index: 0, name, arguments: JSON.parse(text) as unknown } }
}

function meaningOf(body: OllamaChatRequest): RequestMeaning {
  const { model, messages, tools = [], options = {}, format, think } = body
  return {
    model,
    items: messages.flatMap(itemsOf),
    tools: tools.map(({ function: { name, description, parameters } }) => ({
      name,
      description: description ?? null,
      parameters: parameters ?? null,
    })),
    toolChoice: null,
    parallelToolCalls: null,
    format: format === undefined ? null : format === 'json' ? 'json_object' : { schema: format },
    maxTokens: options.num_predict ?? null,
    temperature: options.temperature ?? null,
    topP: options.top_p ?? null,
    stops: options.stop ?? [],
    effort: textOrNull(think),
    thinkingTokens: null,
    cacheMarks: 0,
  }
}

/** Ollama recognizes the type of an image by its bytes. */
const anyImage = 'image/*'

function itemsOf({
  role,
  content,
  images = [],
  tool_calls = [],
  tool_call_id: callId = '',
}: OllamaChatRequest['messages'][number]): Item[] {
  const parts: Part[] = images.map((base64) => ({ kind: 'image', mediaType: anyImage, base64 }))
  if (content !== '') parts.unshift({ kind: 'text', text: content })
  if (role === 'tool') return [{ from: 'tool', kind: 'result', callId, isFailed: false, parts }]
  return [
    ...parts.map((part): Item => ({ from: role, ...part })),
    ...tool_calls.map(({ id = '', function: { name, arguments: input } }): Item => {
      return { from: 'assistant', kind: 'call', id, name, input }
    }),
  ]
}

/** The meaning without types of images, which Ollama's form does not have; for both sides of a comparison. */
export function withoutImageTypes(meaning: RequestMeaning): RequestMeaning {
  const items = meaning.items.map((item): Item => {
    if (item.kind === 'result') return { ...item, parts: item.parts.map(untyped) }
    return untyped(item)
  })
  return { ...meaning, items }
}

function untyped<Carrier extends Item | Part>(carrier: Carrier): Carrier {
  return 'mediaType' in carrier ? { ...carrier, mediaType: anyImage } : carrier
}
