/** What a chat request loses in the form of the Responses API. */
import type { ChatRequest } from '../../../../shared/chat/chat.ts'
import type { Adjustment } from '../../../../shared/models/model-abilities.ts'
import { fieldsOf } from '../../../json-fields.ts'
import { hasCacheMark, hasFailedResult } from '../../left-out.ts'
import { leastOutputTokens, sameFields } from './request.ts'

/** Translated, or read by the service itself; every other field has no place in the form. */
const carried: ReadonlySet<string> = new Set([
  ...sameFields,
  ...'model messages stream stream_options tools tool_choice response_format verbosity'.split(' '),
  ...'max_tokens max_completion_tokens reasoning_effort reasoning logprobs top_logprobs n'.split(
    ' ',
  ),
])

const reason = 'the Responses API has no field for it'

export function leftOutOf(body: ChatRequest): Adjustment[] {
  const names = Object.keys(body).filter(
    (name) => !carried.has(name) && (body[name] ?? null) !== null,
  )
  if (fieldsOf(body['reasoning'])['max_tokens'] !== undefined) names.push('reasoning')
  if (hasFailedResult(body)) names.push('is_error')
  // OpenAI caches prefixes by itself.
  if (hasCacheMark(body)) names.push('cache_control')
  const adjusted = names.map((parameter) => ({ parameter, change: 'left_out', reason }))
  return [...adjusted, ...raisedLimit(body)]
}

function raisedLimit({
  max_completion_tokens: newer,
  max_tokens: older,
}: ChatRequest): Adjustment[] {
  const limit = newer ?? older ?? null
  if (limit === null || limit >= leastOutputTokens) return []
  return [
    {
      parameter: newer === limit ? 'max_completion_tokens' : 'max_tokens',
      change: `sent_as_${leastOutputTokens}`,
      reason: 'the Responses API takes no smaller limit',
    },
  ]
}
