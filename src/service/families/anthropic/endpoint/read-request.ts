/**
 * A request in Anthropic's form as the inner form. docs/wires.md has the table. The request itself travels beside
 * it for providers of this form, so the inner form needs only what other vendors understand.
 */
import type { IncomingHttpHeaders } from 'node:http'
import type { ChatRequest } from '../../../../shared/chat/chat.ts'
import type { Adjustment } from '../../../../shared/models/model-abilities.ts'
import type { OriginalCall } from '../../../chat/chat-call.ts'
import { withMembers } from '../../../providers/json-members.ts'
import { fieldsOf, stringOf } from '../../../json-fields.ts'
import { withFittingNames, type FittingPrompt } from '../../fitting-names.ts'
import { LeftOut } from '../../left-out.ts'
import type { ToolNames } from '../../tool-names.ts'
import { originalWire } from '../form.ts'
import { effortFor } from '../../efforts.ts'
import { refuseRepeatedField, withoutMembers } from '../../own-body.ts'
import { isForeignThinking, readTurns } from './read-turns.ts'
import { forcesServerTool, readTools } from './read-tools.ts'
import type { MessagesRequest, TokenCountRequest } from './request-schema.ts'

export interface ReadMessages {
  body: ChatRequest
  original: OriginalCall
  /** The caller's names of tools by those of the body. */
  names: ToolNames
}

interface ArrivedRequest {
  text: string
  headers: IncomingHttpHeaders
  /** Parsed, but not checked. */
  query: unknown
}

/**
 * @throws ServiceError missing_required_parameter for a block without its required field, invalid_parameter for a
 *   repeated field
 */
export function readMessages(request: MessagesRequest, arrived: ArrivedRequest): ReadMessages {
  refuseRepeatedField(arrived.text)
  const leftOut = new LeftOut()
  const { prompt, names, renamedTools } = readPrompt(request, leftOut)
  const { max_tokens, stream, temperature, top_p, stop_sequences, model } = request
  leftOut.leaveForeign(request, known)
  const body: ChatRequest = {
    ...prompt,
    ...(typeof model === 'string' ? { model } : {}),
    max_tokens,
    ...(stream === true ? { stream } : {}),
    ...(typeof temperature === 'number' ? { temperature } : {}),
    ...(typeof top_p === 'number' ? { top_p } : {}),
    ...(stop_sequences?.length ? { stop: stop_sequences } : {}),
    ...reasoningOf(request),
    ...formatOf(request),
    // Left out by the service, which reports it.
    ...(request['service_tier'] === undefined ? {} : { service_tier: request['service_tier'] }),
  }
  const original = originalOf(request, arrived, leftOut.adjustments)
  return { body, names, original: { ...original, renamedTools } }
}

const forcedTool = {
  param: 'tool_choice',
  reason: '"tool_choice" forces a tool that only its vendor runs',
} as const

/** Reads a request whose tokens are to be counted. @throws ServiceError as `readMessages` */
export function readTokenCount(request: TokenCountRequest, arrived: ArrivedRequest): ReadMessages {
  refuseRepeatedField(arrived.text)
  const { model } = request
  const { prompt, names } = readPrompt(request)
  return {
    names,
    body: {
      ...prompt,
      ...(typeof model === 'string' ? { model } : {}),
      ...reasoningOf(request),
    },
    original: originalOf(request, arrived, []),
  }
}

/** The request as it can be sent on to a provider of this form. */
function originalOf(
  request: TokenCountRequest,
  { text, headers, query }: ArrivedRequest,
  leftOut: readonly Adjustment[],
): ReadMessages['original'] {
  const notForwarded = withheldFields(request)
  return {
    wire: originalWire,
    fields: request,
    text: withoutMembers(
      withoutForeignThinking(request, text),
      notForwarded.map(({ parameter }) => parameter),
    ),
    headers: passedHeaders(headers),
    ...passedQuery(query),
    leftOut,
    notForwarded,
    required: forcesServerTool(request) ? forcedTool : null,
    stateField: null,
    conversation: null,
  }
}

/** The part of a request that counts as its prompt. */
function readPrompt(
  request: TokenCountRequest,
  leftOut = new LeftOut(),
): FittingPrompt<Pick<ChatRequest, 'messages' | 'tools' | 'tool_choice' | 'parallel_tool_calls'>> {
  const messages = readTurns(request, leftOut)
  return withFittingNames({ messages, ...readTools(request, leftOut) })
}

/** Fields that are not sent on: a request could choose another model, a price, or how long its text is stored. */
const withheldNames = ['fallbacks', 'speed', 'store'] as const

function withheldFields(request: TokenCountRequest): Adjustment[] {
  const reason = 'only the user can set it, not a request'
  return withheldNames
    .filter((name) => request[name] !== undefined && request[name] !== null)
    .map((parameter) => ({ parameter, change: 'left_out', reason }))
}

/** The family's headers about the client's surroundings or the account, which the provider's key decides. */
const withheldHeaders = /^anthropic-(dangerous-|organization|workspace|user|client)/

function passedHeaders(headers: IncomingHttpHeaders): Record<string, string> {
  const passed: Record<string, string> = {}
  for (const [name, value] of Object.entries(headers)) {
    const isPassed = name.startsWith('anthropic-') && !withheldHeaders.test(name)
    if (isPassed && typeof value === 'string') passed[name] = value
  }
  return passed
}

/** The family's own parameter of the address. Others may be a key, or what a proxy of the caller added. */
function passedQuery(query: unknown): { query?: Record<string, string> } {
  const beta = stringOf(fieldsOf(query)['beta'])
  return beta === null ? {} : { query: { beta } }
}

/** An effort, a budget, or both; OpenAI's form has no effort above `xhigh`. */
function reasoningOf({
  thinking,
  output_config,
}: TokenCountRequest): Pick<ChatRequest, 'reasoning' | 'reasoning_effort'> {
  const { type, budget_tokens: budget } = fieldsOf(thinking)
  if (type === 'disabled') return { reasoning: { enabled: false } }
  const named = stringOf(fieldsOf(output_config)['effort'])
  const hasBudget = type === 'enabled' && typeof budget === 'number' && budget > 0
  const effort = named ?? (hasBudget ? effortFor(budget) : null)
  const reasoning_effort = effort === 'max' ? 'xhigh' : effort
  return {
    ...(reasoning_effort === null ? {} : { reasoning_effort }),
    ...(hasBudget ? { reasoning: { max_tokens: budget } } : {}),
    ...(type === 'adaptive' && effort === null ? { reasoning: { enabled: true } } : {}),
  }
}

function formatOf(request: MessagesRequest): Pick<ChatRequest, 'response_format'> {
  // `output_format` is the form of older betas.
  const format = fieldsOf(fieldsOf(request.output_config)['format'] ?? request['output_format'])
  if (format['type'] !== 'json_schema') return {}
  const json_schema = { name: 'answer', schema: format['schema'], strict: true }
  return { response_format: { type: 'json_schema', json_schema } }
}

/**
 * Thinking that this door showed for another vendor's model has no signature, and Anthropic refuses it. The body
 * stays as it was written where there is none.
 */
function withoutForeignThinking({ messages }: TokenCountRequest, text: string): string {
  const isForeign = (content: MessagesRequest['messages'][number]['content']) =>
    typeof content !== 'string' && content.some(isForeignThinking)
  if (!messages.some(({ content }) => isForeign(content))) return text
  const kept = messages.flatMap((message) => {
    const { content } = message
    if (typeof content === 'string' || !isForeign(content)) return [message]
    const blocks = content.filter((block) => !isForeignThinking(block))
    return blocks.length === 0 ? [] : [{ ...message, content: blocks }]
  })
  return withMembers(text, { messages: JSON.stringify(kept) })
}

/** Read above, or by the service itself. */
const known: ReadonlySet<string> = new Set(
  (
    'model messages system max_tokens stream temperature top_p stop_sequences tools tool_choice thinking ' +
    'output_config output_format service_tier'
  ).split(' '),
)
