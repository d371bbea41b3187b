/**
 * Gemini's contents as messages of the inner form. Models before Gemini 3 give calls no ids, and the inner form needs
 * them: a call without one is named by its position, which stays the same in all later turns.
 */
import type { ChatMessage, WireFields } from '../../../../shared/chat/chat.ts'
import { fieldsOf, stringOf } from '../../../json-fields.ts'
import type { LeftOut } from '../../left-out.ts'
import { reasoningFormat } from '../answer-parts.ts'
import { geminiFields, itemsOf } from './fields.ts'
import { shortest, type Part } from '../../inner-parts.ts'
import { readPart } from './read-parts.ts'

type ToolCall = NonNullable<ChatMessage['tool_calls']>[number]

interface OpenCall {
  id: string
  name: string
}

export function readContents(
  { systemInstruction, contents }: WireFields,
  leftOut: LeftOut,
): ChatMessage[] {
  const system = textsOf(systemInstruction, leftOut)
  const messages: ChatMessage[] = system === '' ? [] : [{ role: 'system', content: system }]
  let open: readonly OpenCall[] = []
  for (const [place, content] of itemsOf(contents).entries()) {
    const { role } = geminiFields(content)
    const parts = partsOf(content)
    if (role === 'model') {
      const answer = answerMessage(parts, place, leftOut)
      if (answer === null) continue
      open = (answer.tool_calls ?? []).map((call) => ({
        id: call.id,
        name: call.function?.name ?? '',
      }))
      messages.push(answer)
    } else if (role === 'system') {
      messages.push({ role: 'system', content: textsOf(content, leftOut) })
    } else messages.push(...userMessages(parts, open, leftOut))
  }
  return messages
}

/** The parts of a content, or of what stands for one. */
export function partsOf(content: unknown): WireFields[] {
  if (typeof content === 'string') return [{ text: content }]
  return itemsOf(geminiFields(content)['parts']).map(geminiFields)
}

function textsOf(content: unknown, leftOut: LeftOut): string {
  return partsOf(content)
    .flatMap((part) => readPart(part, leftOut))
    .flatMap(({ text }) => stringOf(text) ?? [])
    .join('\n')
}

function userMessages(
  parts: readonly WireFields[],
  open: readonly OpenCall[],
  leftOut: LeftOut,
): ChatMessage[] {
  const waiting = [...open]
  const results: { order: number; message: ChatMessage }[] = []
  const others: Part[] = []
  for (const part of parts) {
    if (part['functionResponse'] === undefined) {
      others.push(...readPart(part, leftOut))
      continue
    }
    const response = geminiFields(part['functionResponse'])
    const call = takeCall(waiting, response)
    const order = open.findIndex(({ id }) => id === call.id)
    results.push({
      order: order === -1 ? open.length : order,
      message: resultMessage(call, response, leftOut),
    })
  }
  // OpenAI's form wants the results in the order of their calls.
  const ordered = results.toSorted((one, other) => one.order - other.order)
  const messages = ordered.map(({ message }) => message)
  if (others.length === 0) return messages
  return [...messages, { role: 'user', content: shortest(others) }]
}

/** The call that a result belongs to: by its id, else the first open one of its name. */
function takeCall(waiting: OpenCall[], response: WireFields): OpenCall {
  const id = stringOf(response['id'])
  const name = stringOf(response['name']) ?? ''
  const byId = waiting.findIndex((call) => call.id === id)
  const index = byId === -1 ? waiting.findIndex((call) => call.name === name) : byId
  const [found] = index === -1 ? [] : waiting.splice(index, 1)
  return found ?? { id: id ?? `call_${name}`, name }
}

function resultMessage(
  { id, name }: OpenCall,
  { response, parts }: WireFields,
  leftOut: LeftOut,
): ChatMessage {
  const fields = fieldsOf(response)
  const media = itemsOf(parts).flatMap((part) => readPart(geminiFields(part), leftOut))
  const text = resultText(fields)
  const content: Part[] = [...(text === '' ? [] : [{ type: 'text' as const, text }]), ...media]
  const isError = Object.keys(fields).length === 1 && fields['error'] !== undefined
  return {
    role: 'tool',
    tool_call_id: id,
    name,
    content: shortest(content),
    ...(isError ? { is_error: true } : {}),
  }
}

/** Google's names for a function's result and its failure; any other object is the result itself. */
function resultText(response: WireFields): string {
  const [name = '', ...more] = Object.keys(response)
  const only = more.length === 0 ? response[name] : undefined
  const isNamed = ['output', 'result', 'error'].includes(name)
  return isNamed && typeof only === 'string' ? only : JSON.stringify(response)
}

function answerMessage(
  parts: readonly WireFields[],
  place: number,
  leftOut: LeftOut,
): ChatMessage | null {
  const calls: ToolCall[] = []
  const texts: Part[] = []
  const details: WireFields[] = []
  for (const [index, part] of parts.entries()) {
    const call = part['functionCall'] === undefined ? null : callOf(part, `call_${place}_${index}`)
    if (call !== null) calls.push(call)
    else if (part['thought'] !== true) texts.push(...readPart(part, leftOut))
    const detail = detailOf(part, call?.id)
    if (detail !== null) details.push({ ...detail, format: reasoningFormat, index: details.length })
  }
  if (calls.length + texts.length === 0) return null
  return {
    role: 'assistant',
    content: texts.length === 0 ? null : shortest(texts),
    ...(calls.length > 0 ? { tool_calls: calls } : {}),
    ...(details.length > 0
      ? { reasoning_details: details.map((item) => ({ ...item, type: String(item['type']) })) }
      : {}),
  }
}

function callOf({ functionCall }: WireFields, idByPlace: string): ToolCall {
  const { id, name, args } = geminiFields(functionCall)
  return {
    id: stringOf(id) ?? idByPlace,
    type: 'function',
    function: { name: stringOf(name) ?? '', arguments: JSON.stringify(args ?? {}) },
  }
}

/** A signature with what it signs. Thoughts without one are of another vendor's model. */
function detailOf({ text, thought, thoughtSignature }: WireFields, id?: string): WireFields | null {
  const signature = stringOf(thoughtSignature)
  if (signature === null) return null
  if (thought === true) return { type: 'reasoning.text', text: stringOf(text) ?? '', signature }
  return { type: 'reasoning.encrypted', data: signature, ...(id === undefined ? {} : { id }) }
}
