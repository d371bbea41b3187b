/** Reasoning of earlier turns, from the inner form's `reasoning_details` to Converse's blocks. */
import type { ContentBlock } from './converse.ts'
import { listOf } from '../../../json-fields.ts'
import { joinedByIndex } from '../../anthropic/thinking-blocks.ts'

/** Reasoning to send. A text without a signature is not sent, because the models refuse it. */
export function reasoningBlocks(details: unknown): ContentBlock[] {
  return joinedByIndex(listOf(details)).flatMap(({ text, signature, data }): ContentBlock[] => {
    if (data !== null) return [{ reasoningContent: { redactedContent: data } }]
    if (signature === null) return []
    return [{ reasoningContent: { reasoningText: { text, signature } } }]
  })
}
