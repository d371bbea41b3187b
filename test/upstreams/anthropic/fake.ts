/** Anthropic's Messages form, for the suite of all wires. */
import type { AnySchemaObject } from 'ajv'
import {
  jsonReply,
  type AnswerMeaning,
  type FakeFormat,
  type RecordedRequest,
  type UsageMeaning,
} from '../harness.ts'
import {
  fieldsOf,
  textOrNull,
  type Item,
  type Part,
  type RequestMeaning,
} from '../request-meaning.ts'
import { sdkSchema } from '../sdk-schema.ts'

type Fields = Readonly<Record<string, unknown>>

const requestType = 'MessageCreateParamsBase'

/**
 * The SDK no longer names these, but models up to Opus 4.6 take them
 * (platform.claude.com/docs/en/about-claude/models/migration-guide).
 */
const sampling = {
  temperature: { type: 'number', minimum: 0, maximum: 1 },
  top_p: { type: 'number', minimum: 0, maximum: 1 },
  top_k: { type: 'integer', minimum: 0 },
} as const

function withSampling(schema: AnySchemaObject): AnySchemaObject {
  const definitions = fieldsOf(schema['definitions'])
  const request = fieldsOf(definitions[requestType])
  const properties = { ...fieldsOf(request['properties']), ...sampling }
  return { ...schema, definitions: { ...definitions, [requestType]: { ...request, properties } } }
}

const problemsOfBody = sdkSchema(
  {
    file: '@anthropic-ai/sdk/resources/messages/messages.d.ts',
    type: requestType,
  },
  withSampling,
)

/** The service writes the older one; newer SDKs of callers send the newer one. */
const versions: ReadonlySet<unknown> = new Set(['2023-06-01', '2026-10-21'])

export const anthropicFormat: FakeFormat = {
  route({ method, path, body }) {
    if (method === 'GET' && path.startsWith('/v1/models?')) return 'models'
    if (method !== 'POST' || path.replace(/\?.*/, '') !== '/v1/messages') return null
    return fieldsOf(body)['stream'] === true ? 'stream' : 'whole'
  },
  problems({ method, headers, body }) {
    const given = [
      ...(headers['x-api-key'] === undefined ? ['x-api-key is missing'] : []),
      ...(versions.has(headers['anthropic-version']) ? [] : ['anthropic-version is missing']),
    ]
    return method === 'POST' ? [...given, ...problemsOfBody(body), ...problemsOfTurns(body)] : given
  },
  read: ({ body }) => meaningOfBody(fieldsOf(body)),
  whole: (answer, request) =>
    jsonReply(200, {
      ...head(request),
      content: blocksOf(answer),
      stop_reason: stopOf(answer),
      usage: usageOf(answer.usage),
    }),
  stream: (answer, request) => ({
    headers: { 'content-type': 'text/event-stream; charset=utf-8' },
    events: eventsOf(answer, request),
  }),
  models(names, { path }) {
    const after = new URL(path, 'http://fake').searchParams.get('after_id')
    const from = after === null ? 0 : names.indexOf(after) + 1
    const page = names.slice(from, from + 2)
    return jsonReply(200, {
      data: page.map((id) => ({
        id,
        type: 'model',
        display_name: id,
        created_at: '2026-01-01T00:00:00Z',
      })),
      has_more: from + page.length < names.length,
      first_id: page[0] ?? null,
      last_id: page.at(-1) ?? null,
    })
  },
  rateLimited: jsonReply(429, {
    type: 'error',
    error: { type: 'rate_limit_error', message: 'Number of requests has exceeded your rate limit' },
    request_id: 'req_fake',
  }),
}

/** Rules of the API that its types do not state. */
function problemsOfTurns(body: unknown): string[] {
  const { messages, tools, system } = fieldsOf(body)
  const turns = listOf(messages).map(fieldsOf)
  const problems: string[] = []
  for (const [index, { role, content }] of turns.entries()) {
    const blocks = contentOf(content).map(fieldsOf)
    if (blocks.length === 0) problems.push(`messages.${index}: content must not be empty`)
    const lastResult = blocks.findLastIndex(({ type }) => type === 'tool_result')
    if (blocks.slice(0, lastResult + 1).some(({ type }) => type !== 'tool_result')) {
      problems.push(`messages.${index}: tool_result blocks come first`)
    }
    if (blocks.some(({ type, text }) => type === 'text' && text === '')) {
      problems.push(`messages.${index}: text content blocks must be non-empty`)
    }
    if (role === turns[index - 1]?.['role'])
      problems.push(`messages.${index}: roles must alternate`)
    problems.push(...missingResults(blocks, turns[index + 1], index))
  }
  if (turns[0]?.['role'] !== 'user') problems.push('messages.0: the first turn is the user’s')
  if (countMarks([tools, system, messages]) > 4)
    problems.push('a maximum of 4 blocks with cache_control')
  return problems
}

function missingResults(
  blocks: readonly Fields[],
  next: Fields | undefined,
  index: number,
): string[] {
  const results = new Set(
    contentOf(next?.['content']).map((block) => fieldsOf(block)['tool_use_id']),
  )
  const calls = blocks.filter(({ type }) => type === 'tool_use')
  return calls.flatMap(({ id }) =>
    results.has(id)
      ? []
      : [`messages.${index}: tool_use ids without tool_result blocks: ${String(id)}`],
  )
}

function meaningOfBody(body: Fields): RequestMeaning {
  const { thinking, output_config: output, tool_choice: choice } = body
  const { budget_tokens: budget } = fieldsOf(thinking)
  const { effort, format } = fieldsOf(output)
  const { schema } = fieldsOf(format)
  return {
    model: String(body['model']),
    items: [
      ...contentOf(body['system']).map((block): Item => ({
        from: 'system',
        ...partOf(fieldsOf(block)),
      })),
      ...listOf(body['messages']).flatMap((turn) => itemsOf(fieldsOf(turn))),
    ],
    tools: listOf(body['tools']).map((tool) => toolOf(fieldsOf(tool))),
    toolChoice: choiceOf(fieldsOf(choice)),
    parallelToolCalls: fieldsOf(choice)['disable_parallel_tool_use'] === true ? false : null,
    format: schema === undefined ? null : { schema },
    maxTokens: numberOrNull(body['max_tokens']),
    temperature: numberOrNull(body['temperature']),
    topP: numberOrNull(body['top_p']),
    stops: listOf(body['stop_sequences']).map(String),
    effort: textOrNull(effort),
    thinkingTokens: numberOrNull(budget),
    cacheMarks: countMarks(body),
  }
}

function itemsOf({ role, content }: Fields): Item[] {
  const from = role === 'assistant' || role === 'system' ? role : 'user'
  return contentOf(content).map((value): Item => {
    const block = fieldsOf(value)
    switch (block['type']) {
      case 'tool_use':
        return {
          from: 'assistant',
          kind: 'call',
          id: String(block['id']),
          name: String(block['name']),
          input: block['input'],
        }
      case 'tool_result':
        return {
          from: 'tool',
          kind: 'result',
          callId: String(block['tool_use_id']),
          isFailed: block['is_error'] === true,
          parts: partsOfResult(block['content']),
        }
      case 'thinking':
        return reasoning(block['thinking'], block['signature'])
      case 'redacted_thinking':
        return reasoning(null, block['data'])
      default:
        return { from, ...partOf(block) }
    }
  })
}

function reasoning(text: unknown, proof: unknown): Item {
  return { from: 'assistant', kind: 'reasoning', text: textOrNull(text), proof: textOrNull(proof) }
}

function partsOfResult(content: unknown): Part[] {
  return contentOf(content).map((block) => partOf(fieldsOf(block)))
}

function partOf(block: Fields): Part {
  if (block['type'] === 'text') return { kind: 'text', text: String(block['text']) }
  const { type, url, media_type: mediaType, data } = fieldsOf(block['source'])
  const kind = block['type'] === 'image' ? 'image' : 'document'
  if (type === 'url') return { kind, url: String(url) }
  return { kind, mediaType: String(mediaType), base64: String(data) }
}

function toolOf({ name, description, input_schema: parameters }: Fields) {
  return { name: String(name), description: textOrNull(description), parameters }
}

function choiceOf({ type, name }: Fields): RequestMeaning['toolChoice'] {
  if (type === 'tool') return { name: String(name) }
  if (type === 'any') return 'required'
  return type === 'none' || type === 'auto' ? type : null
}

function head({ body }: RecordedRequest) {
  return {
    id: 'msg_fake',
    type: 'message',
    role: 'assistant',
    model: fieldsOf(body)['model'],
    content: [],
    container: null,
    stop_reason: null,
    stop_sequence: null,
    stop_details: null,
  }
}

function stopOf({ stop, toolCalls }: AnswerMeaning): string {
  return stop ?? (toolCalls.length > 0 ? 'tool_use' : 'end_turn')
}

function blocksOf({ texts, reasoning: thoughts, toolCalls }: AnswerMeaning): object[] {
  return [
    ...(thoughts.length === 0
      ? []
      : [{ type: 'thinking', thinking: thoughts.join(''), signature: 'signature' }]),
    ...(texts.length === 0 ? [] : [{ type: 'text', text: texts.join(''), citations: null }]),
    ...toolCalls.map(({ id, name, arguments: text }) => ({
      type: 'tool_use',
      id,
      name,
      input: JSON.parse(text) as unknown,
      caller: { type: 'direct' },
    })),
  ]
}

function eventsOf(answer: AnswerMeaning, request: RecordedRequest): Buffer[] {
  const { texts, reasoning: thoughts, toolCalls, usage } = answer
  const begin = { ...usageOf(usage), output_tokens: 1, output_tokens_details: null }
  const blocks = [
    ...(thoughts.length === 0 ? [] : [thinkingPieces(thoughts)]),
    ...(texts.length === 0 ? [] : [textPieces(texts)]),
    ...toolCalls.map(callPieces),
  ]
  const { output_tokens, output_tokens_details } = usageOf(usage)
  return [
    event({ type: 'message_start', message: { ...head(request), usage: begin } }),
    ...blocks.flatMap(({ start, deltas }, index) => [
      event({ type: 'content_block_start', index, content_block: start }),
      ...(index === 0 ? [event({ type: 'ping' })] : []),
      ...deltas.map((delta) => event({ type: 'content_block_delta', index, delta })),
      event({ type: 'content_block_stop', index }),
    ]),
    event({
      type: 'message_delta',
      delta: { stop_reason: stopOf(answer), stop_sequence: null, stop_details: null },
      usage: { output_tokens, output_tokens_details, input_tokens: null },
    }),
    event({ type: 'message_stop' }),
  ]
}

interface Pieces {
  start: object
  deltas: object[]
}

function thinkingPieces(texts: readonly string[]): Pieces {
  return {
    start: { type: 'thinking', thinking: '', signature: '' },
    deltas: [
      ...texts.map((thinking) => ({ type: 'thinking_delta', thinking })),
      { type: 'signature_delta', signature: 'signature' },
    ],
  }
}

function textPieces(texts: readonly string[]): Pieces {
  return {
    start: { type: 'text', text: '', citations: null },
    deltas: texts.map((text) => ({ type: 'text_delta', text })),
  }
}

function callPieces({ id, name, arguments: text }: AnswerMeaning['toolCalls'][number]): Pieces {
  const half = Math.ceil(text.length / 2)
  return {
    start: { type: 'tool_use', id, name, input: {}, caller: { type: 'direct' } },
    deltas: ['', text.slice(0, half), text.slice(half)].map((partial_json) => ({
      type: 'input_json_delta',
      partial_json,
    })),
  }
}

function usageOf(usage: UsageMeaning) {
  const { promptTokens, cachedTokens, cacheWriteTokens } = usage
  return {
    input_tokens: promptTokens - cachedTokens - cacheWriteTokens,
    cache_read_input_tokens: cachedTokens,
    cache_creation_input_tokens: cacheWriteTokens,
    cache_creation: {
      ephemeral_5m_input_tokens: cacheWriteTokens,
      ephemeral_1h_input_tokens: 0,
    },
    output_tokens: usage.completionTokens,
    output_tokens_details: { thinking_tokens: usage.reasoningTokens },
    server_tool_use: null,
    service_tier: 'standard',
    inference_geo: null,
    speed: null,
  }
}

/** An event as the vendor sends it: named, with the name again in its data. */
export function event(value: { type: string; [field: string]: unknown }): Buffer {
  return Buffer.from(`event: ${value.type}\ndata: ${JSON.stringify(value)}\n\n`)
}

/** Callers may write a text in place of its block. */
function contentOf(value: unknown): readonly unknown[] {
  return typeof value === 'string' ? [{ type: 'text', text: value }] : listOf(value)
}

function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : []
}

function numberOrNull(value: unknown): number | null {
  return typeof value === 'number' ? value : null
}

function countMarks(value: unknown): number {
  if (typeof value !== 'object' || value === null) return 0
  const own = 'cache_control' in value ? 1 : 0
  return Object.values(value).reduce((count: number, each) => count + countMarks(each), own)
}
