/**
 * A caller's own request in this form: it is sent as it was written, except for the model and the fields that
 * Modelport set, and the events of its answer go back unchanged.
 */
import { withMembers } from '../../../providers/json-members.ts'
import type { ProviderRequest } from '../../../providers/provider.ts'
import { jsonOf, type Changes, type Original } from '../../original-reader.ts'
import { fieldsOf } from '../../../json-fields.ts'
import { translateRequest } from './request.ts'
import { leastBudget } from '../thinking.ts'

/** Fields of the inner form with the same name and meaning here. */
const sameFields: ReadonlySet<string> = new Set(['temperature', 'top_p', 'store', 'service_tier'])

export function originalBody(
  request: ProviderRequest,
  { text, changed, members }: Original,
  isStreamed: boolean,
): string {
  const { model, body } = request
  const changes: Changes = { model: JSON.stringify(model) }
  if ((body.stream === true) !== isStreamed) changes['stream'] = String(isStreamed)
  for (const name of changed) {
    if (sameFields.has(name)) changes[name] = jsonOf(body[name])
    else if (name === 'max_tokens' || name === 'max_completion_tokens') {
      const limit = body.max_completion_tokens ?? body.max_tokens ?? null
      changes['max_tokens'] = jsonOf(limit)
      if (limit !== null) Object.assign(changes, budgetChanges(text, limit))
    } else if (name === 'reasoning_effort') Object.assign(changes, effortChanges(request, text))
  }
  return withMembers(text, { ...changes, ...members })
}

/** @param own  the version that the provider's options name */
export function queryWith(own: string, { original }: ProviderRequest): string {
  if (original?.query === undefined) return own
  const asked = new URLSearchParams(original.query).toString()
  return own === '' ? `?${asked}` : `${own}&${asked}`
}

/** The effort that the router chose, beside the caller's other settings of the output. */
function effortChanges(request: ProviderRequest, text: string): Changes {
  const { thinking, output_config: chosen } = translateRequest(request).body
  const { output_config: own } = fieldsOf(JSON.parse(text))
  return {
    ...(thinking === undefined ? {} : { thinking: JSON.stringify(thinking) }),
    ...(chosen?.effort === undefined
      ? {}
      : { output_config: JSON.stringify({ ...fieldsOf(own), effort: chosen.effort }) }),
  }
}

/** The API refuses a thinking budget that is not below the answer's limit. */
function budgetChanges(text: string, limit: number): Changes {
  const thinking = fieldsOf(fieldsOf(JSON.parse(text))['thinking'])
  const { budget_tokens: budget } = thinking
  if (typeof budget !== 'number' || budget < limit) return {}
  if (limit <= leastBudget) return { thinking: null }
  return { thinking: JSON.stringify({ ...thinking, budget_tokens: limit - 1 }) }
}
