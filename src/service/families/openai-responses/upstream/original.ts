/**
 * A caller's own request in this form: it is sent as it was written, except for the model and the fields that
 * Modelport set, and the events of its answer go back unchanged.
 */
import { withMembers } from '../../../providers/json-members.ts'
import type { ProviderRequest } from '../../../providers/provider.ts'
import { jsonOf, type Changes, type Original } from '../../original-reader.ts'
import { fieldsOf } from '../../../json-fields.ts'
import { leastOutputTokens } from './request.ts'

/** Fields of the inner form with the same name and meaning here. */
const sameFields: ReadonlySet<string> = new Set(['temperature', 'top_p', 'service_tier'])

export function originalBody(
  { model, body }: Pick<ProviderRequest, 'model' | 'body'>,
  { text, changed, members }: Original,
  isStreamed: boolean,
): string {
  const changes: Changes = { model: JSON.stringify(model) }
  if ((body.stream === true) !== isStreamed) changes['stream'] = String(isStreamed)
  for (const name of changed) {
    if (sameFields.has(name)) changes[name] = jsonOf(body[name])
    else if (name === 'max_tokens' || name === 'max_completion_tokens') {
      const limit = body.max_completion_tokens ?? body.max_tokens ?? null
      // The API refuses smaller limits.
      if (limit !== null) changes['max_output_tokens'] = String(Math.max(limit, leastOutputTokens))
    } else if (name === 'reasoning_effort') {
      const { reasoning } = fieldsOf(JSON.parse(text))
      changes['reasoning'] = JSON.stringify({
        ...fieldsOf(reasoning),
        effort: body.reasoning_effort,
      })
    }
  }
  return withMembers(text, { ...changes, ...members })
}
