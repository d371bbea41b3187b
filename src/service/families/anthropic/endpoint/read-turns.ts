/**
 * The conversation in Anthropic's form as messages of the inner form. A user's turn becomes the results of its
 * tools first, in the order of their calls, and then the rest: OpenAI's form wants the results right after the
 * calls, and callers send them in any order.
 */
import type { ChatMessage, WireFields } from '../../../../shared/chat/chat.ts'
import { ServiceError } from '../../../errors.ts'
import { fieldsOf, listOf, stringOf } from '../../../json-fields.ts'
import type { LeftOut } from '../../left-out.ts'
import { reasoningFormat } from '../thinking-blocks.ts'
import { shortest } from '../../inner-parts.ts'
import { readParts } from './read-parts.ts'
import { markOf } from './read-tools.ts'
import type { TokenCountRequest } from './request-schema.ts'

type Turn = TokenCountRequest['messages'][number]
interface Block extends WireFields {
  type: string
}
type ToolCall = NonNullable<ChatMessage['tool_calls']>[number]

export function readTurns(
  { system, messages }: TokenCountRequest,
  leftOut: LeftOut,
): ChatMessage[] {
  const read: ChatMessage[] = []
  if (system !== undefined && system.length > 0) read.push(systemMessage(system, leftOut))
  let calls: readonly string[] = []
  for (const [place, turn] of messages.entries()) {
    const { role, content } = turn
    if (role === 'system') read.push(systemMessage(content, leftOut))
    else if (role === 'assistant') {
      const answer = answerMessage(turn, place, leftOut)
      calls = (answer.tool_calls ?? []).map(({ id }) => id)
      read.push(answer)
    } else read.push(...userMessages({ turn, place, calls }, leftOut))
  }
  return read
}

/** Thinking of another vendor's model, which this door shows without a signature. */
export function isForeignThinking({ type, signature }: WireFields): boolean {
  return type === 'thinking' && stringOf(signature) === null
}

function systemMessage(content: Turn['content'], leftOut: LeftOut): ChatMessage {
  return { role: 'system', content: shortest(readParts(content, leftOut)) }
}

function userMessages(
  { turn: { content }, place, calls }: { turn: Turn; place: number; calls: readonly string[] },
  leftOut: LeftOut,
): ChatMessage[] {
  if (typeof content === 'string') return [{ role: 'user', content }]
  const results: ChatMessage[] = []
  const others: Block[] = []
  for (const [index, block] of content.entries()) {
    if (block.type !== 'tool_result') others.push(block)
    else results.push(resultMessage(block, `messages[${place}].content[${index}]`, leftOut))
  }
  const orderOf = ({ tool_call_id: id = '' }: ChatMessage) =>
    calls.includes(id) ? calls.indexOf(id) : calls.length
  const ordered = results.toSorted((a, b) => orderOf(a) - orderOf(b))
  const parts = readParts(others, leftOut)
  if (parts.length === 0 && results.length > 0) return ordered
  return [...ordered, { role: 'user', content: shortest(parts) }]
}

function resultMessage(block: Block, path: string, leftOut: LeftOut): ChatMessage {
  const { content, is_error, cache_control } = block
  const blocks = typeof content === 'string' ? content : listOf(content).map(blockOf)
  return {
    role: 'tool',
    tool_call_id: requiredText(block, 'tool_use_id', path),
    content: shortest(readParts(blocks, leftOut)),
    ...(is_error === true ? { is_error } : {}),
    ...markOf(cache_control),
  }
}

function blockOf(value: unknown): Block {
  const fields = fieldsOf(value)
  return { ...fields, type: String(fields['type']) }
}

function answerMessage({ content }: Turn, place: number, leftOut: LeftOut): ChatMessage {
  if (typeof content === 'string') return { role: 'assistant', content }
  const texts: Block[] = []
  const calls: ToolCall[] = []
  const reasoning: WireFields[] = []
  for (const [index, block] of content.entries()) {
    const path = `messages[${place}].content[${index}]`
    if (block.type === 'tool_use') calls.push(toolCall(block, path))
    else if (block.type === 'thinking' || block.type === 'redacted_thinking') {
      if (!isForeignThinking(block)) reasoning.push(detailOf(block, reasoning.length))
    } else texts.push(block)
  }
  const parts = readParts(texts, leftOut)
  return {
    role: 'assistant',
    content: parts.length === 0 && calls.length > 0 ? null : shortest(parts),
    ...(calls.length > 0 ? { tool_calls: calls } : {}),
    ...(reasoning.length > 0
      ? { reasoning_details: reasoning.map((item) => ({ ...item, type: String(item['type']) })) }
      : {}),
  }
}

function toolCall(block: Block, path: string): ToolCall {
  const name = requiredText(block, 'name', path)
  const call = { name, arguments: JSON.stringify(block['input'] ?? {}) }
  return { id: requiredText(block, 'id', path), type: 'function', function: call }
}

function detailOf({ type, thinking, signature, data }: Block, index: number): WireFields {
  if (type === 'redacted_thinking') {
    return { type: 'reasoning.encrypted', data, format: reasoningFormat, index }
  }
  return { type: 'reasoning.text', text: thinking, signature, format: reasoningFormat, index }
}

/** @throws ServiceError missing_required_parameter */
function requiredText(block: Block, name: string, path: string): string {
  const value = stringOf(block[name])
  if (value !== null) return value
  const param = `${path}.${name}`
  throw new ServiceError('missing_required_parameter', `"${param}" is required.`, { param })
}
