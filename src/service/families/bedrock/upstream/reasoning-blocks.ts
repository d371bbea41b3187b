/** Reasoning of earlier turns, from the inner form's `reasoning_details` to Converse's blocks. */
import type { ContentBlock } from './converse.ts'
import { fieldsOf, listOf, stringOf } from '../../../json-fields.ts'

/** The `format` of the items that Claude's models take back, the same as Anthropic's own API writes. */
export const reasoningFormat = 'anthropic-claude-v1'

/** Reasoning to send. A text without a signature is not sent, because the models refuse it. */
export function reasoningBlocks(details: unknown): ContentBlock[] {
  return joinedByIndex(listOf(details)).flatMap(({ text, signature, data }): ContentBlock[] => {
    if (data !== null) return [{ reasoningContent: { redactedContent: data } }]
    if (signature === null) return []
    return [{ reasoningContent: { reasoningText: { text, signature } } }]
  })
}

interface Reasoning {
  text: string
  signature: string | null
  /** Base64. */
  data: string | null
}

/** Joins items by index. Those of a stream are pieces: a caller may send them back joined or as they came. */
function joinedByIndex(details: readonly unknown[]): Reasoning[] {
  const items = new Map<unknown, Reasoning>()
  for (const detail of details) {
    const { format, index = items.size, text, signature, data } = fieldsOf(detail)
    if (format !== reasoningFormat) continue
    const item = items.get(index) ?? { text: '', signature: null, data: null }
    items.set(index, item)
    if (typeof text === 'string') item.text += text
    item.signature = stringOf(signature) ?? item.signature
    item.data = stringOf(data) ?? item.data
  }
  return [...items.values()]
}
