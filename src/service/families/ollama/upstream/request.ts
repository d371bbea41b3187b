/** Translates a request into Ollama's form. docs/wires.md lists what happens to each field. */
import {
  textOfPart,
  type ChatMessage,
  type ChatRequest,
  type WireFields,
} from '../../../../shared/chat/chat.ts'
import { ProviderError, type ProviderRequest } from '../../../providers/provider.ts'
import { parseExact } from '../../../exact-json.ts'
import { textOrNull } from '../../../json-fields.ts'
import { allowedNames, toolName } from '../../custom-tools.ts'

/** How much of `reasoning_effort` a model takes: its level, only on and off, or nothing. */
export type Thinking = 'level' | 'switch' | 'none'

export interface SentWith {
  isStreamed: boolean
  /** The context that the user set for this server; null leaves it to the server. */
  contextTokens: number | null
  thinking: Thinking
}

/** @throws ProviderError request for a part that Ollama cannot take */
export function chatBody(
  { model, body }: ProviderRequest,
  { isStreamed, contextTokens, thinking }: SentWith,
): WireFields {
  const tools = toolsOf(body)
  const think = thinkOf(body, thinking)
  const format = formatOf(body)
  const { keep_alive, logprobs, top_logprobs } = body
  return {
    model,
    messages: messagesOf(body.messages),
    stream: isStreamed,
    // Otherwise Ollama drops the oldest messages of a prompt that does not fit, and says nothing.
    truncate: false,
    shift: false,
    options: optionsOf(body, contextTokens),
    ...(tools.length > 0 && { tools }),
    ...(think !== null && { think }),
    ...(format !== null && { format }),
    ...(keep_alive !== undefined && { keep_alive }),
    ...(logprobs === true && { logprobs, ...(isNumber(top_logprobs) && { top_logprobs }) }),
  }
}

/** OpenAI's names of sampling parameters and Ollama's, and those that callers of local models send. */
export const optionNames: Readonly<Record<string, string>> = {
  temperature: 'temperature',
  top_p: 'top_p',
  top_k: 'top_k',
  min_p: 'min_p',
  seed: 'seed',
  presence_penalty: 'presence_penalty',
  frequency_penalty: 'frequency_penalty',
  repeat_penalty: 'repeat_penalty',
  max_tokens: 'num_predict',
  max_completion_tokens: 'num_predict',
}

function optionsOf(body: ChatRequest, contextTokens: number | null): WireFields {
  const options: Record<string, unknown> = isObject(body['options']) ? { ...body['options'] } : {}
  if (contextTokens !== null) options['num_ctx'] ??= contextTokens
  for (const [name, theirs] of Object.entries(optionNames)) {
    if (isNumber(body[name])) options[theirs] = body[name]
  }
  const { stop } = body
  if (stop !== undefined && stop !== null)
    options['stop'] = typeof stop === 'string' ? [stop] : stop
  return options
}

function formatOf({ response_format }: ChatRequest): unknown {
  if (response_format?.type === 'json_object') return 'json'
  if (response_format?.type !== 'json_schema') return null
  const named = response_format['json_schema']
  return isObject(named) ? (named['schema'] ?? 'json') : 'json'
}

const levels: Readonly<Record<string, string>> = {
  minimal: 'low',
  low: 'low',
  medium: 'medium',
  high: 'high',
  xhigh: 'high',
  max: 'high',
}

/** Null: the model's own default applies. */
function thinkOf(body: ChatRequest, thinking: Thinking): boolean | string | null {
  const reasoning = isObject(body['reasoning']) ? body['reasoning'] : {}
  const effort = body.reasoning_effort ?? reasoning['effort'] ?? null
  if (effort === 'none' || reasoning['enabled'] === false) return false
  const level = typeof effort === 'string' ? (levels[effort] ?? null) : null
  const isOn = level !== null || isNumber(reasoning['max_tokens']) || reasoning['enabled'] === true
  if (!isOn || thinking === 'none') return null
  return thinking === 'level' ? (level ?? true) : true
}

/** Tools for Ollama, which has no `tool_choice`: it can be offered fewer tools, but not be made to call one. */
function toolsOf({ tools, tool_choice }: ChatRequest): readonly unknown[] {
  if (tool_choice === 'none' || !tools) return []
  const offered = offeredNames(tool_choice)
  return tools.filter(
    (tool) => tool.type === 'function' && (offered === null || offered.has(toolName(tool) ?? '')),
  )
}

/** @returns null when all tools are offered */
function offeredNames(choice: ChatRequest['tool_choice']): ReadonlySet<string> | null {
  const chosen = isObject(choice) ? toolName(choice) : null
  return chosen === null ? allowedNames(choice) : new Set([chosen])
}

function messagesOf(messages: readonly ChatMessage[]): WireFields[] {
  const toolNames = new Map<string, string>()
  return messages.map((message) => {
    for (const { id, function: called } of message.tool_calls ?? []) {
      if (called) toolNames.set(id, called.name)
    }
    return messageOf(message, toolNames)
  })
}

const roles: Readonly<Record<string, string>> = { developer: 'system', function: 'tool' }

function messageOf(message: ChatMessage, toolNames: ReadonlyMap<string, string>): WireFields {
  const { role, tool_calls, tool_call_id, name } = message
  const { content, images } = contentOf(message)
  const isResult = role === 'tool' || role === 'function'
  const tool_name = isResult ? (toolNames.get(tool_call_id ?? '') ?? name) : undefined
  const thinking = message['reasoning_content'] ?? message['reasoning']
  return {
    role: roles[role] ?? role,
    content,
    ...(images.length > 0 && { images }),
    ...(role === 'assistant' && typeof thinking === 'string' && thinking !== '' && { thinking }),
    ...(tool_calls && tool_calls.length > 0 && { tool_calls: tool_calls.map(toolCallOf) }),
    ...(tool_name !== undefined && { tool_name }),
    ...(isResult && tool_call_id !== undefined && { tool_call_id }),
  }
}

/** A tool call with its arguments as an object. */
function toolCallOf({ id, function: called }: NonNullable<ChatMessage['tool_calls']>[number]) {
  return { id, function: { name: called?.name ?? '', arguments: argumentsOf(called?.arguments) } }
}

function argumentsOf(text = ''): WireFields {
  if (text.trim() === '') return {}
  try {
    const parsed: unknown = parseExact(text)
    return isObject(parsed) ? parsed : { value: parsed }
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error
    // The model wrote them in an earlier turn; without them the conversation could not go on.
    return { value: text }
  }
}

function contentOf({ content }: ChatMessage): { content: string; images: string[] } {
  if (!Array.isArray(content)) return { content: content ?? '', images: [] }
  const texts: string[] = []
  const images: string[] = []
  for (const part of content) {
    if (part.type === 'text') texts.push(textOfPart(part) ?? '')
    else if (part.type === 'refusal') texts.push(textOrNull(part['refusal']) ?? '')
    else if (part.type === 'image_url') images.push(imageOf(part))
    else throw notCarried(`parts of the type ${part.type}`)
  }
  return { content: texts.join('\n'), images }
}

/** @throws ProviderError request unless the image itself is in the request */
function imageOf({ image_url }: WireFields): string {
  const url = isObject(image_url) ? image_url['url'] : image_url
  const data = typeof url === 'string' ? /^data:[^,]*;base64,(.*)$/s.exec(url)?.[1] : undefined
  if (data === undefined) throw notCarried('images by their address; send them as data: URLs')
  return data
}

function notCarried(what: string): ProviderError {
  return new ProviderError('request', `Ollama does not accept ${what}`, {
    upstreamMessage: `Ollama does not accept ${what}`,
  })
}

export function isObject(value: unknown): value is WireFields {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function isNumber(value: unknown): value is number {
  return typeof value === 'number'
}
