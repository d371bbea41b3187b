/** The meaning of a chat request, without any vendor's words, so that requests of two forms can be compared. */
import type { ChatMessage, ChatRequest } from '../../src/shared/chat/chat.ts'

/** The meaning of a request. Fields are null or empty where it does not say. */
export interface RequestMeaning {
  model: string
  /** The conversation, flattened: vendors group messages differently. */
  items: readonly Item[]
  tools: readonly { name: string; description: string | null; parameters: unknown }[]
  toolChoice: 'none' | 'auto' | 'required' | { name: string } | null
  /** Whether the model may call several tools at once. */
  parallelToolCalls: boolean | null
  format: 'json_object' | { schema: unknown } | null
  maxTokens: number | null
  temperature: number | null
  topP: number | null
  stops: readonly string[]
  effort: string | null
  /** The exact budget of thinking, in tokens. */
  thinkingTokens: number | null
  /** The number of cache marks. */
  cacheMarks: number
}

export type Part =
  | { kind: 'text'; text: string }
  | { kind: 'image' | 'document' | 'audio'; mediaType: string; base64: string }
  | { kind: 'image' | 'document'; url: string }

export type Item =
  | (Part & { from: 'system' | 'user' | 'assistant' })
  | { from: 'assistant'; kind: 'call'; id: string; name: string; input: unknown }
  | {
      from: 'assistant'
      kind: 'reasoning'
      /** Null for encrypted reasoning. */
      text: string | null
      /** The signature or the encrypted data. */
      proof: string | null
    }
  | { from: 'tool'; kind: 'result'; callId: string; isFailed: boolean; parts: readonly Part[] }

type Fields = Readonly<Record<string, unknown>>

/** @param model  the provider's own name. @param formats  of reasoning that the wire sends back */
export function meaningOf(
  body: ChatRequest,
  model: string,
  formats: readonly string[] = [],
): RequestMeaning {
  const { thinkingTokens, effort } = thinkingOf(body)
  return {
    model,
    items: body.messages.flatMap((message) => itemsOf(message, formats)),
    tools: (body.tools ?? []).flatMap(toolOf),
    toolChoice: toolChoiceOf(body.tool_choice),
    parallelToolCalls: body.parallel_tool_calls ?? null,
    format: formatOf(body.response_format),
    maxTokens: body.max_completion_tokens ?? body.max_tokens ?? null,
    temperature: body.temperature ?? null,
    topP: body.top_p ?? null,
    stops: [body.stop ?? []].flat(),
    effort,
    thinkingTokens,
    cacheMarks: countMarks(body.messages) + countMarks(body.tools ?? []),
  }
}

function itemsOf(message: ChatMessage, formats: readonly string[]): Item[] {
  const { role, content, tool_calls: calls = [] } = message
  const parts = partsOf(content)
  if (role === 'tool') {
    const isFailed = message['is_error'] === true
    return [{ from: 'tool', kind: 'result', callId: message.tool_call_id ?? '', isFailed, parts }]
  }
  const from = role === 'user' || role === 'assistant' ? role : 'system'
  return [
    ...reasoningOf(message['reasoning_details'], formats),
    ...parts.map((part): Item => ({ from, ...part })),
    ...calls.map((call): Item => {
      const { name = '', arguments: text = '' } = call.function ?? {}
      return { from: 'assistant', kind: 'call', id: call.id, name, input: parseJson(text) }
    }),
  ]
}

export function partsOf(content: ChatMessage['content']): Part[] {
  if (typeof content === 'string') return content === '' ? [] : [{ kind: 'text', text: content }]
  return (content ?? []).flatMap((part): Part[] => {
    const { type, text, image_url: image, file, input_audio: audio } = part
    if (type === 'text') return [{ kind: 'text', text: String(text) }]
    if (type === 'input_audio') return [audioOf(fieldsOf(audio))]
    const { url } = fieldsOf(image)
    const { file_data, file_url } = fieldsOf(file)
    const kind = type === 'image_url' ? 'image' : 'document'
    return [{ kind, ...sourceOf(String(url ?? file_data ?? file_url)) }]
  })
}

function audioOf({ format, data }: Fields): Part {
  return { kind: 'audio', mediaType: `audio/${String(format)}`, base64: String(data) }
}

/** @param url  a `data:` URL or an address */
export function sourceOf(url: string): { mediaType: string; base64: string } | { url: string } {
  const [, mediaType, base64] = /^data:([^;,]+);base64,(.*)$/s.exec(url) ?? []
  return mediaType === undefined || base64 === undefined ? { url } : { mediaType, base64 }
}

function reasoningOf(details: unknown, formats: readonly string[]): Item[] {
  if (!Array.isArray(details)) return []
  return details.map(fieldsOf).flatMap((item): Item[] => {
    if (!formats.includes(String(item['format']))) return []
    const text = item['text'] ?? item['summary']
    const proof = item['signature'] ?? item['data']
    return [
      { from: 'assistant', kind: 'reasoning', text: textOrNull(text), proof: textOrNull(proof) },
    ]
  })
}

function toolOf(tool: NonNullable<ChatRequest['tools']>[number]): RequestMeaning['tools'] {
  const { name, description, parameters } = fieldsOf(tool['function'])
  if (typeof name !== 'string') return []
  return [{ name, description: textOrNull(description), parameters: parameters ?? null }]
}

function toolChoiceOf(choice: ChatRequest['tool_choice']): RequestMeaning['toolChoice'] {
  if (choice === undefined) return null
  if (typeof choice !== 'string') return { name: String(fieldsOf(choice['function'])['name']) }
  return choice === 'none' || choice === 'auto' || choice === 'required' ? choice : null
}

function formatOf(format: ChatRequest['response_format']): RequestMeaning['format'] {
  if (format?.type === 'json_object') return 'json_object'
  if (format?.type !== 'json_schema') return null
  return { schema: fieldsOf(format['json_schema'])['schema'] }
}

/** An exact budget wins over an effort. */
function thinkingOf(body: ChatRequest): Pick<RequestMeaning, 'effort' | 'thinkingTokens'> {
  const { max_tokens: tokens, effort } = fieldsOf(body['reasoning'])
  if (typeof tokens === 'number') return { effort: null, thinkingTokens: tokens }
  return { effort: body.reasoning_effort ?? textOrNull(effort), thinkingTokens: null }
}

function countMarks(value: unknown): number {
  if (typeof value !== 'object' || value === null) return 0
  const own = 'cache_control' in value ? 1 : 0
  return Object.values(value).reduce((count: number, each) => count + countMarks(each), own)
}

export function fieldsOf(value: unknown): Fields {
  // Test traffic only: a value of another form shows up in the failing comparison.
  return typeof value === 'object' && value !== null ? (value as Fields) : {}
}

export function textOrNull(value: unknown): string | null {
  return typeof value === 'string' ? value : null
}

function parseJson(text: string): unknown {
  return text === '' ? {} : JSON.parse(text)
}
