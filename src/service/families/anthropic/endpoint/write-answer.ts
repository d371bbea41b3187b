/** A whole answer of the inner form as a message in Anthropic's form. */
import {
  contentText,
  type CompletionMessage,
  type WireFields,
} from '../../../../shared/chat/chat.ts'
import { fieldsOf, listOf, stringOf, toolInput } from '../../../json-fields.ts'
import { stopReasonOf } from '../stop-reasons.ts'
import { reasoningFormat } from '../thinking-blocks.ts'
import { writeUsage } from '../usage.ts'
import { ToolUseIds } from './tool-use-ids.ts'
import { parseExact } from '../../../exact-json.ts'
import type { ToolNames } from '../../tool-names.ts'
import type { WholeAnswer } from '../../written-answer.ts'

interface WriteOptions {
  /** Of a message that was not written by its provider. */
  id: string
  names: ToolNames
  meta: object
}

export function writeMessage(answer: WholeAnswer, { id, names, meta }: WriteOptions): object {
  const { model, choices, usage, events = [] } = answer
  const own = fieldsOf(events.length === 1 ? parseExact(events[0] ?? '') : null)
  if (own['type'] === 'message') return { ...own, model, _meta: meta }
  const [choice] = choices
  const content = choice === undefined ? [] : blocksOf(choice.message, names)
  return {
    ...messageFields(id, model),
    content,
    ...stopFields(choice ?? {}, hasToolUse(content)),
    usage: writeUsage(usage),
    _meta: meta,
  }
}

/** The fields that every message has, with those of Anthropic's own features, which other models lack, as null. */
export function messageFields(id: string, model: string): WireFields {
  return { id, type: 'message', role: 'assistant', model, container: null, diagnostics: null }
}

/** The start of a block of text. */
export const emptyText = { type: 'text', text: '', citations: [] } as const

/** A tool's call without its input. */
export function toolUseBlock(id: string, name: string): WireFields {
  return { type: 'tool_use', id, name, input: {}, caller: { type: 'direct' } }
}

/** How an answer ended. @param choice  with the finish reason and what the provider said besides */
export function stopFields(choice: WireFields, callsTools: boolean): WireFields {
  const { finish_reason, stop_sequence, stop_details } = choice
  const sequence = stringOf(stop_sequence)
  const reason = stopReasonOf(stringOf(finish_reason) ?? 'stop', callsTools)
  return {
    stop_reason: sequence === null ? reason : 'stop_sequence',
    stop_sequence: sequence,
    stop_details: stop_details ?? null,
  }
}

function hasToolUse(content: readonly WireFields[]): boolean {
  return content.some(({ type }) => type === 'tool_use')
}

function blocksOf(message: CompletionMessage, names: ToolNames): WireFields[] {
  const ids = new ToolUseIds()
  const text = contentText(message.content) + (message.refusal ?? '')
  return [
    ...thinkingOf(message),
    // Clients send the block back, and the API refuses one without a visible character.
    ...(text.trim() === '' ? [] : [{ ...emptyText, text }]),
    ...(message.tool_calls ?? []).map((call) => ({
      ...toolUseBlock(
        ids.add(call.id),
        names.find(call.function?.name ?? call.custom?.name ?? '').name,
      ),
      input: toolInput(call.function?.arguments ?? JSON.stringify({ input: call.custom?.input })),
    })),
  ]
}

function thinkingOf(message: CompletionMessage): WireFields[] {
  const details = listOf(message['reasoning_details']).map(fieldsOf)
  const own = details.filter(({ format }) => format === reasoningFormat)
  if (own.length > 0) return own.map(thinkingBlock)
  const thinking = message.reasoning_content ?? message.reasoning
  return thinking ? [{ type: 'thinking', thinking, signature: '' }] : []
}

function thinkingBlock({ type, data, text, signature }: WireFields): WireFields {
  if (type === 'reasoning.encrypted') return { type: 'redacted_thinking', data }
  return { type: 'thinking', thinking: text ?? '', signature: signature ?? '' }
}
