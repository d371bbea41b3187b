/** What a model refuses of a caller's own body, because the body was written for a model of another generation. */
import type { Adjustment } from '../../../../shared/models/model-abilities.ts'
import { fieldsOf, listOf } from '../../../json-fields.ts'
import type { FittedOriginal, UnfittedOriginal } from '../../../providers/provider.ts'
import { traitsOf } from '../traits.ts'
import { translateRequest } from './request.ts'

const sampling = ['temperature', 'top_p', 'top_k'] as const

export function fitOriginal(original: UnfittedOriginal): FittedOriginal {
  const { model, fields } = original
  const traits = traitsOf(model)
  const adjusted: Adjustment[] = []
  const members: Record<string, string | null> = {}
  if (refusesThinking(original)) {
    const lacksThinking = lacksOwnThinking(original)
    const { thinking, output_config: output } = lacksThinking
      ? {}
      : translateRequest({ model, body: original.body }).body
    const { effort: _, ...others } = fieldsOf(fields['output_config'])
    const config = { ...others, ...(output?.effort && { effort: output.effort }) }
    members['thinking'] = thinking === undefined ? null : JSON.stringify(thinking)
    members['output_config'] = Object.keys(config).length === 0 ? null : JSON.stringify(config)
    const change = thinking === undefined ? 'left_out' : `sent_as_${thinking.type}`
    const reason = lacksThinking
      ? 'the tool call of this turn came without its thinking'
      : 'the model does not take it'
    adjusted.push({ parameter: 'thinking', change, reason })
  }
  if (!traits.samples) leaveSampling(fields, { members, adjusted })
  const choice = fieldsOf(fields['tool_choice'])
  if (!traits.forcesTools && (choice['type'] === 'any' || choice['type'] === 'tool')) {
    const { name: _, ...others } = choice
    members['tool_choice'] = JSON.stringify({ ...others, type: 'auto' })
    const reason = 'the model cannot be forced to call a tool'
    adjusted.push({ parameter: 'tool_choice', change: 'sent_as_auto', reason })
  }
  return { members, adjusted }
}

function leaveSampling(
  fields: UnfittedOriginal['fields'],
  { members, adjusted }: { members: Record<string, string | null>; adjusted: Adjustment[] },
): void {
  for (const parameter of sampling) {
    const value = fields[parameter]
    if (value === undefined) continue
    members[parameter] = null
    // 1 means the same as none. Newer versions of the API refuse that, too, and 1.0 beside another of these.
    if (value === 1 && parameter !== 'top_k') continue
    adjusted.push({ parameter, change: 'left_out', reason: 'the model does not accept it' })
  }
}

function refusesThinking(original: UnfittedOriginal): boolean {
  const { adapts, takesBudget, off } = traitsOf(original.model)
  switch (fieldsOf(original.fields['thinking'])['type']) {
    case 'adaptive':
      return !adapts
    case 'enabled':
      return !takesBudget || lacksOwnThinking(original)
    case 'disabled':
      return off === 'never' || off === 'between_tools'
    default:
      return false
  }
}

/** A turn that a model with a budget continues must begin with the model's own thinking. */
function lacksOwnThinking({ model, fields, isForeign }: UnfittedOriginal): boolean {
  if (traitsOf(model).adapts) return false
  const messages = listOf(fields['messages']).map(fieldsOf)
  const last = messages.findLast(({ role }) => role === 'assistant')
  const blocks = listOf(last?.['content']).map(fieldsOf)
  if (!blocks.some(({ type }) => type === 'tool_use')) return false
  const { type, signature, data } = blocks[0] ?? {}
  const proof = type === 'thinking' ? signature : type === 'redacted_thinking' ? data : undefined
  return typeof proof !== 'string' || proof === '' || isForeign(proof)
}
