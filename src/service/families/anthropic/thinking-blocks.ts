/** Thinking of earlier turns, between the inner form's `reasoning_details` and Anthropic's blocks. */
import type {
  RedactedThinkingBlockParam,
  ThinkingBlockParam,
} from '@anthropic-ai/sdk/resources/messages'
import { fieldsOf, stringOf } from '../../json-fields.ts'

/** The `format` of this wire's items. Items of other vendors are dropped. */
export const reasoningFormat = 'anthropic-claude-v1'

/**
 * A text without a signature, and the thinking of another model, is not sent: the API would refuse it.
 * @param model  that gets the request
 */
export function thinkingBlocks(
  details: unknown,
  model: string,
): (ThinkingBlockParam | RedactedThinkingBlockParam)[] {
  if (!Array.isArray(details)) return []
  return joinedByIndex(details, model).flatMap(
    (item): (ThinkingBlockParam | RedactedThinkingBlockParam)[] => {
      if (item.data !== null) return [{ type: 'redacted_thinking', data: item.data }]
      if (item.signature === null) return []
      return [{ type: 'thinking', thinking: item.text, signature: item.signature }]
    },
  )
}

interface ThinkingItem {
  text: string
  signature: string | null
  /** Base64. */
  data: string | null
}

/**
 * Joins items by index. Those of a stream are pieces: a caller may send them back joined or as they came.
 * @param model  the only one whose items are wanted; any where it is missing
 */
export function joinedByIndex(details: readonly unknown[], model?: string): ThinkingItem[] {
  const items = new Map<unknown, ThinkingItem>()
  for (const detail of details) {
    const {
      format,
      model: by = model,
      index = items.size,
      text,
      signature,
      data,
    } = fieldsOf(detail)
    if (format !== reasoningFormat || (model !== undefined && by !== model)) continue
    const item = items.get(index) ?? { text: '', signature: null, data: null }
    items.set(index, item)
    if (typeof text === 'string') item.text += text
    item.signature = stringOf(signature) ?? item.signature
    item.data = stringOf(data) ?? item.data
  }
  return [...items.values()]
}
