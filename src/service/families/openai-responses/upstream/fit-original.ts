/** What the model refuses of a caller's own body: reasoning that another model encrypted. */
import { fieldsOf, listOf, textOrNull } from '../../../json-fields.ts'
import type { FittedOriginal, UnfittedOriginal } from '../../../providers/provider.ts'

/**
 * Leaves out foreign reasoning. Without it, the ids of its own answer must go, too: the API looks for the reasoning of a
 * call or text by its id. What came before stays as it is, so that a model to which a session returns finds its cache.
 */
export function fitOriginal({ fields, isForeign }: UnfittedOriginal): FittedOriginal {
  const items = listOf(fields['input']).map(fieldsOf)
  const proofs = items.map((item) => textOrNull(item['encrypted_content']) ?? '')
  if (!proofs.some(isForeign)) return { members: {}, adjusted: [] }
  let isBare = false
  const kept = items.flatMap((item, place) => {
    const proof = proofs[place] ?? ''
    if (item['type'] === 'reasoning') {
      // Reasoning without a proof is of another vendor's model.
      isBare = proof === '' || isForeign(proof)
      return isBare ? [] : [item]
    }
    if (item['role'] === 'user') isBare = false
    return [isBare ? withoutId(item) : item]
  })
  const reason = 'another model encrypted it'
  return {
    members: { input: JSON.stringify(kept) },
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
