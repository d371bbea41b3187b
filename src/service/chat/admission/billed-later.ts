/**
 * What a request makes a vendor bill that its text does not show: text that the vendor has stored, and calls of tools
 * that run there, after each of which the model reads its whole prompt again. What has no highest cost is left out
 * where a budget applies if it is only offered, and refused otherwise.
 */
import type { ChatMessage, ChatRequest, WireFields } from '../../../shared/chat/chat.ts'
import { ServiceError } from '../../errors.ts'
import { withMembers } from '../../providers/json-members.ts'
import { countOf, fieldsOf, listOf } from '../../json-fields.ts'
import type { ChatCall, OriginalCall } from '../chat-call.ts'
import { estimateTokens } from './request-needs.ts'
import {
  forcesVendorTool,
  isBounded,
  mostCalls,
  offeredTools,
  vendorTypes,
  withoutUnbounded,
} from './vendor-tools.ts'

export interface BilledLater {
  /** The field because of which the prompt may fill the model's context; null when the text says everything. */
  unread: string | null
  /** Tokens of the text as it is sent, which may have more than the messages. */
  textTokens: number
  /** How often the model may read its prompt. */
  readings: number
  /** Fees of all calls of the vendor's tools. */
  feesNanoUsd: number
  /** Whether the prices of inference in the United States may apply. */
  isInUs: boolean
}

/** The value for requests that have nothing but their text, such as those for embeddings. */
export const nothingLater: BilledLater = {
  unread: null,
  textTokens: 0,
  readings: 1,
  feesNanoUsd: 0,
  isInUs: false,
}

export function billedLater({ body, original }: Pick<ChatCall, 'body' | 'original'>): BilledLater {
  const fields = original?.fields ?? body
  const { calls, feesNanoUsd } = mostCalls(fields)
  return {
    unread: unreadField(body, original) ?? (calls > 0 ? 'tools' : null),
    textTokens: estimateTokens(textLength(body, original)),
    readings: 1 + calls + Number(hasCompaction(fields)),
    feesNanoUsd,
    isInUs: isInUs(fields),
  }
}

export function isInUs({ inference_geo: geo }: WireFields): boolean {
  return (geo ?? null) !== null && geo !== 'global'
}

/**
 * The request as it is sent where a budget applies: without the offered tools that have no highest cost.
 * @throws ServiceError invalid_parameter for what has no highest cost and cannot be left out
 */
export function boundCall(call: ChatCall): ChatCall {
  const { body, original } = call
  const fields = original?.fields ?? body
  refuseUnpriced(fields)
  const name = unboundedTool(fields)
  if (name === null) return call
  if (original?.required?.param === 'tool_choice' || forcesVendorTool(body)) {
    throw unbounded('tools', `the tool ${name}`)
  }
  const reason = `a budget applies, and ${name} has no highest cost: set "max_uses" or "max_tool_calls"`
  const adjustment = { parameter: 'tools', change: 'left_out', reason }
  if (original !== undefined) return { ...call, original: withoutTools(original, adjustment) }
  if (name === servers) throw unbounded(servers, 'what it runs')
  const { tools: offered = [], tool_choice: _choice, parallel_tool_calls: _calls, ...rest } = body
  const tools = (offered ?? []).filter((tool) => isBounded(tool, body))
  return { ...call, body: tools.length === 0 ? rest : { ...body, tools }, leftOut: [adjustment] }
}

/** Field with the servers of tools, in Anthropic's form. */
const servers = 'mcp_servers'

/** The name of the first tool that has no highest cost; null without one. */
function unboundedTool(fields: WireFields): string | null {
  const tool = offeredTools(fields).find((each) => !isBounded(each, fields))
  if (tool === undefined) return listOf(fields[servers]).length > 0 ? servers : null
  const [name = ''] = vendorTypes(tool)
  // Anything else may be the prompt.
  return /^[\w.-]{1,64}$/.test(name) ? name : 'that was sent'
}

function withoutTools(
  original: OriginalCall,
  adjustment: OriginalCall['notForwarded'][number],
): OriginalCall {
  const { text, fields, notForwarded } = original
  const changes = withoutUnbounded(fields)
  const kept = Object.entries(fields).filter(([name]) => !Object.hasOwn(changes, name))
  const changed = Object.entries(changes).flatMap(([name, json]): [string, unknown][] =>
    json === null ? [] : [[name, JSON.parse(json)]],
  )
  return {
    ...original,
    text: withMembers(text, changes),
    fields: Object.fromEntries([...kept, ...changed]),
    notForwarded: [...notForwarded, adjustment],
  }
}

/** Fields that name what the vendor has stored. */
const storedFields = ['previous_response_id', 'conversation', 'prompt', 'cachedContent'] as const
/** Fields with the conversation in each form. What Modelport does not read of it is left out for other vendors. */
const conversations: ReadonlySet<string> = new Set(['input', 'messages', 'contents'])

function unreadField(body: ChatRequest, original: OriginalCall | undefined): string | null {
  if (original === undefined) return unreadPart(body)
  const { fields, leftOut } = original
  const stored = storedFields.find((name) => (fields[name] ?? null) !== null)
  if (stored !== undefined) return stored
  if (hasCompaction(fields)) return 'context_management'
  return leftOut.find(({ parameter }) => conversations.has(parameter))?.parameter ?? null
}

/** Images and files that are somewhere else count with their own bounds. */
const readParts: ReadonlySet<unknown> = new Set(
  'text refusal image_url input_audio audio_url video_url document_url file'.split(' '),
)

function unreadPart({ messages }: ChatRequest): string | null {
  for (const [index, { content, audio }] of messages.entries()) {
    if ((audio ?? null) !== null) return `messages[${index}].audio`
    if (!Array.isArray(content)) continue
    const place = content.findIndex(({ type }) => !readParts.has(type))
    if (place !== -1) return `messages[${index}].content[${place}]`
  }
  return null
}

/** A summary of the conversation is an answer of its own. */
function hasCompaction({ context_management: management }: WireFields): boolean {
  return (management ?? null) !== null && JSON.stringify(management).includes('compact')
}

/** Length of the text without images and files. */
function textLength(body: ChatRequest, original: OriginalCall | undefined): number {
  if (original !== undefined) return weightOf(original.text) - mediaLength(body)
  let weight = 0
  for (const message of body.messages) weight += messageWeight(message)
  for (const name in body) {
    const value = body[name]
    if (name !== 'messages' && typeof value === 'object' && value !== null)
      weight += weightOf(value)
  }
  return weight
}

/** A loop over the fields, because objects without one field cost more time than their texts. */
function messageWeight(message: ChatMessage): number {
  let weight = 0
  for (const name in message) {
    const value: unknown = message[name]
    if (name === 'role' || value === null || value === undefined) continue
    if (name !== 'content' || typeof value === 'string') weight += weightOf(value)
    else for (const part of listOf(value)) weight += weightOf(fieldsOf(part)['text'] ?? '')
  }
  return weight
}

function mediaLength({ messages }: ChatRequest): number {
  let length = 0
  for (const { content } of messages) {
    if (!Array.isArray(content)) continue
    for (const part of content) if (part.type !== 'text') length += longestText(part, 2)
  }
  return length
}

/** Tokenizers cut up to four times as many tokens from letters that are not Latin. */
const perFurtherByte = 1.8

/** Length in characters of usual text, by the estimate's rule. */
function weightOf(value: unknown): number {
  const text = typeof value === 'string' ? value : JSON.stringify(value)
  return text.length + (Buffer.byteLength(text) - text.length) * perFurtherByte
}

function longestText(value: unknown, levels: number): number {
  if (typeof value === 'string') return value.length
  const inner = levels === 0 ? [] : Object.values(fieldsOf(value))
  return Math.max(0, ...inner.map((one) => longestText(one, levels - 1)))
}

/** Fields of chats by which a vendor searches at a price of its own. */
const searches = ['search_parameters', 'enable_search', 'search_options', 'web_search'] as const

/** @throws ServiceError invalid_parameter */
function refuseUnpriced(fields: WireFields): void {
  const search = searches.find((name) => (fields[name] ?? false) !== false)
  if (search !== undefined) throw unbounded(search, 'a search')
  const { modalities, generationConfig, best_of: bestOf } = fields
  const { responseModalities } = fieldsOf(generationConfig)
  const isText = (each: unknown) => String(each).toUpperCase() === 'TEXT'
  const param = 'generationConfig.responseModalities'
  if (!listOf(modalities).every(isText)) throw unbounded('modalities', 'more than text')
  if (!listOf(responseModalities).every(isText)) throw unbounded(param, 'more than text')
  if ((bestOf ?? null) === null || countOf(bestOf) !== null) return
  throw new ServiceError('invalid_parameter', '"best_of" must be a positive integer.', {
    param: 'best_of',
  })
}

function unbounded(param: string, what: string): ServiceError {
  return new ServiceError(
    'invalid_parameter',
    `"${param}" is not accepted where a budget applies, because ${what} has no highest cost here. ` +
      'Leave it out (a tool can have "max_uses" or "max_tool_calls" instead), or use a key and a router without a budget.',
    { param },
  )
}
