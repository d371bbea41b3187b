/**
 * Input items of the Responses API as messages of the inner form: reasoning, text and calls between two inputs are
 * one answer, and the results of tools follow their calls.
 */
import type { ChatMessage, WireFields } from '../../../../shared/chat/chat.ts'
import { ServiceError } from '../../../errors.ts'
import { fieldsOf, listOf, stringOf, textOrNull } from '../../../json-fields.ts'
import type { LeftOut } from '../../left-out.ts'
import { shortest, shown } from '../../inner-parts.ts'
import { onlyText, readParts } from './read-parts.ts'
import { customParameter } from './read-tools.ts'
import type { InputItem, ResponsesRequest } from './request-schema.ts'
import type { ToolNames } from '../../tool-names.ts'

type ToolCall = NonNullable<ChatMessage['tool_calls']>[number]

interface ReadOptions {
  names: ToolNames
  leftOut: LeftOut
}

/** @throws ServiceError missing_required_parameter for an item without its required field */
export function readInput(
  { instructions, input = [] }: Pick<ResponsesRequest, 'instructions' | 'input'>,
  options: ReadOptions,
): ChatMessage[] {
  const conversation = new Conversation(options)
  if (stringOf(instructions) !== null) conversation.system(String(instructions))
  if (typeof input === 'string')
    return [...conversation.messages(), { role: 'user', content: input }]
  for (const [place, item] of input.entries()) conversation.add(item, `input[${place}]`)
  return conversation.messages()
}

/** Calls of tools that a vendor defines and the caller runs: their names and arguments, and their results. */
const vendorCalls: ReadonlyMap<unknown, { name: string; input: string }> = new Map([
  ['local_shell_call', { name: 'local_shell', input: 'action' }],
  ['shell_call', { name: 'shell', input: 'action' }],
  ['apply_patch_call', { name: 'apply_patch', input: 'operation' }],
  ['tool_search_call', { name: 'tool_search', input: 'arguments' }],
])

const results: ReadonlySet<unknown> = new Set(
  (
    'function_call_output custom_tool_call_output local_shell_call_output shell_call_output ' +
    'apply_patch_call_output tool_search_output'
  ).split(' '),
)

/** Whether an item only offers tools; they are offered like any others. */
function onlyOffersTools({ type, call_id: id }: WireFields): boolean {
  const isHosted = stringOf(id) === null
  return (
    type === 'additional_tools' ||
    (isHosted && (type === 'tool_search_call' || type === 'tool_search_output'))
  )
}

class Conversation {
  /** Messages without the results of tools. */
  readonly #messages: ChatMessage[] = []
  /** Results of tools, by the message that has their calls, because they may arrive later. */
  readonly #results = new Map<ChatMessage, ChatMessage[]>()
  /** The message with the call of this id. */
  readonly #callers = new Map<string, ChatMessage>()
  readonly #options: ReadOptions
  /** The answer that further items of the model belong to. */
  #answer: Answer | null = null

  constructor(options: ReadOptions) {
    this.#options = options
  }

  messages(): ChatMessage[] {
    return this.#messages.flatMap((message) => [message, ...(this.#results.get(message) ?? [])])
  }

  add(item: InputItem, path: string): void {
    const { leftOut } = this.#options
    const type = item.type ?? ((item.role ?? null) === null ? null : 'message')
    // Encrypted for the model that wrote it; a model of another form gets its own from the reasoning memory.
    if (type === 'reasoning' || onlyOffersTools(item)) return
    if (type === 'message') this.#message(item, path)
    else if (results.has(type)) this.#result(item, path)
    else {
      const call = this.#callOf(item, path)
      if (call !== null) this.#call(call)
      else leftOut.leave('input', `other providers take no items of the type ${shown(type)}`)
    }
  }

  /** Adds a system text. Texts at the beginning are one message, because some models take only one there. */
  system(content: ChatMessage['content']): void {
    this.#answer = null
    const last = this.#messages.at(-1)
    const isJoined =
      this.#messages.length === 1 && last?.role === 'system' && typeof content === 'string'
    if (isJoined && typeof last.content === 'string') last.content += `\n\n${content}`
    else this.#messages.push({ role: 'system', content })
  }

  #message(item: InputItem, path: string): void {
    const role = requiredText(item, 'role', path)
    const { leftOut } = this.#options
    const parts = readParts(item['content'], leftOut)
    if (role === 'assistant') this.#open().text(onlyText(parts, '') ?? '')
    else if (role === 'system' || role === 'developer') {
      this.system(onlyText(parts, '\n\n') ?? parts)
    } else if (role === 'user') {
      this.#answer = null
      this.#messages.push({ role, content: shortest(parts) })
    } else leftOut.leave('input', `other providers take no messages of the role ${shown(role)}`)
  }

  #open(): Answer {
    if (this.#answer === null) {
      this.#answer = new Answer()
      this.#messages.push(this.#answer.message)
    }
    return this.#answer
  }

  #call(call: ToolCall): void {
    const answer = this.#open()
    answer.call(call)
    this.#callers.set(call.id, answer.message)
  }

  #callOf(item: WireFields, path: string): ToolCall | null {
    const { type, namespace } = item
    const vendors = vendorCalls.get(type)
    if (vendors !== undefined) {
      const text = JSON.stringify(item[vendors.input] ?? {})
      return toolCall(requiredText(item, 'call_id', path), vendors.name, text)
    }
    if (type !== 'function_call' && type !== 'custom_tool_call') return null
    const id = requiredText(item, 'call_id', path)
    const name = requiredText(item, 'name', path)
    const flat = this.#options.names.flatOf({ name, namespace: stringOf(namespace) })
    const text =
      type === 'custom_tool_call'
        ? JSON.stringify({ [customParameter]: textOrNull(item['input']) ?? '' })
        : (textOrNull(item['arguments']) ?? '')
    return toolCall(id, flat, text)
  }

  /** Directly after the calls, where the chat form wants it. */
  #result(item: WireFields, path: string): void {
    this.#answer = null
    // The oldest shell's output has the call's id as its own.
    const id = stringOf(item['call_id'] ?? item['id']) ?? requiredText(item, 'call_id', path)
    const content = resultOf(item, this.#options.leftOut)
    const message: ChatMessage = { role: 'tool', tool_call_id: id, content }
    const caller = this.#callers.get(id)
    const others = caller && this.#results.get(caller)
    if (caller === undefined) this.#messages.push(message)
    else if (others === undefined) this.#results.set(caller, [message])
    else others.push(message)
  }
}

/** One message of the model. */
class Answer {
  readonly message: ChatMessage = { role: 'assistant', content: null }

  text(text: string): void {
    const before = textOrNull(this.message.content)
    this.message.content = before === null ? text : `${before}\n\n${text}`
  }

  call(call: ToolCall): void {
    ;(this.message.tool_calls ??= []).push(call)
  }
}

function toolCall(id: string, name: string, text: string): ToolCall {
  return { id, type: 'function', function: { name, arguments: text } }
}

function resultOf(item: WireFields, leftOut: LeftOut): ChatMessage['content'] {
  const { type, output, status } = item
  if (type === 'tool_search_output') {
    const names = listOf(item['tools']).map((tool) => String(fieldsOf(tool)['name']))
    return names.length === 0 ? 'No tools were found.' : `Found tools: ${names.join(', ')}`
  }
  // A shell's output is a list of objects without a type.
  if (type === 'shell_call_output') return JSON.stringify(output ?? [])
  if (type === 'apply_patch_call_output') return textOrNull(output) ?? String(status)
  const parts = readParts(output, leftOut)
  return onlyText(parts, '\n') ?? shortest(parts)
}

/** @throws ServiceError missing_required_parameter */
function requiredText(item: WireFields, name: string, path: string): string {
  const value = stringOf(item[name])
  if (value !== null) return value
  throw missing(`${path}.${name}`)
}

function missing(param: string): ServiceError {
  return new ServiceError('missing_required_parameter', `"${param}" is required.`, { param })
}
