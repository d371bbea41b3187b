/** Reasoning items of the Responses API as `reasoning_details` of the chat form. */
import type { WireFields } from '../../../../shared/chat/chat.ts'
import { fieldsOf, listOf } from '../../../json-fields.ts'

/** Marks the items that only this wire sends back. */
export const reasoningFormat = 'openai-responses-v1'

/**
 * Each detail has an index of its own, because pieces with the same index are one item.
 * @param first  the index of the first one
 * @returns none without encrypted content: there is nothing to send back
 */
export function reasoningDetails(item: unknown, first: number): WireFields[] {
  const { id, summary, encrypted_content } = fieldsOf(item)
  if (typeof encrypted_content !== 'string') return []
  const summaries = listOf(summary).map((part) => ({
    type: 'reasoning.summary',
    summary: fieldsOf(part)['text'],
  }))
  const encrypted = { type: 'reasoning.encrypted', data: encrypted_content }
  return [...summaries, encrypted].map((detail, position) => ({
    ...detail,
    format: reasoningFormat,
    id,
    index: first + position,
  }))
}
