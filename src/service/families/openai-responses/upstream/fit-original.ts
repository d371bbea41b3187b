/** What the model refuses of a caller's own body: reasoning that another model encrypted. */
import { fieldsOf, listOf, textOrNull } from '../../../json-fields.ts'
import type { FittedOriginal, UnfittedOriginal } from '../../../providers/provider.ts'

/**
 * Leaves out foreign reasoning. Without it, the ids beside it must go, too: the API looks for the reasoning of a
 * call or text by its id.
 */
export function fitOriginal({ fields, isForeign }: UnfittedOriginal): FittedOriginal {
  const items = listOf(fields['input'])
  const isOwn = (item: unknown) => {
    const { type, encrypted_content: proof } = fieldsOf(item)
    return type !== 'reasoning' || !isForeign(textOrNull(proof) ?? '')
  }
  const kept = items.filter(isOwn)
  if (kept.length === items.length) return { members: {}, adjusted: [] }
  const reason = 'another model encrypted it'
  return {
    members: { input: JSON.stringify(kept.map(withoutId)) },
    adjusted: [{ parameter: 'input', change: 'sent_without_reasoning', reason }],
  }
}

const calls: ReadonlySet<unknown> = new Set(['function_call', 'custom_tool_call'])

function withoutId(item: unknown): unknown {
  const { id: _, ...others } = fieldsOf(item)
  if (calls.has(others['type'])) return others
  if (others['type'] !== 'message' || others['role'] !== 'assistant') return item
  // An answer's own form needs an id.
  const texts = listOf(others['content']).map((part) => textOrNull(fieldsOf(part)['text']) ?? '')
  return { role: 'assistant', content: texts.join('') }
}
