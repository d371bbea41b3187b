/**
 * The token counts of an OpenAI-wire answer, normalized to OpenAI's meaning. Upstreams of this wire format
 * differ in three places (checked November 2026):
 * - Cached tokens are part of `prompt_tokens` everywhere. DeepSeek names cache reads
 *   `prompt_cache_hit_tokens`; gateways in front of Anthropic's models add Anthropic's own names to
 *   OpenAI's `cached_tokens` and `cache_write_tokens`.
 * - xAI and Google count reasoning in `total_tokens` but not in `completion_tokens`; all others count it in
 *   both. The rest of the total is billed output.
 * - Some leave counts out or send null: then usage was not reported. The same holds for a count that no
 *   model can reach.
 * Unknown fields are passed on. There is no schema, because every request passes through here.
 */
import type { ChatUsage, WireFields } from '../../../shared/chat/chat.ts'
import { countOf, fieldsOf } from '../../json-fields.ts'
import { otherFields } from '../../providers/passed-fields.ts'

/** @returns null unless both main counts are ones that `countOf` takes */
export function readUsage(value: unknown): ChatUsage | null {
  const usage = fieldsOf(value)
  const prompt_tokens = countOf(usage['prompt_tokens'])
  const visible = countOf(usage['completion_tokens'])
  if (prompt_tokens === null || visible === null) return null
  const total = countOf(usage['total_tokens']) ?? 0
  const beside = Math.max(0, total - prompt_tokens - visible)
  const completion_tokens = visible + beside
  const read: ChatUsage = {
    ...otherFields(usage, readFields),
    prompt_tokens,
    completion_tokens,
    total_tokens: prompt_tokens + completion_tokens,
  }
  addPromptDetails(read, usage)
  addCompletionDetails(read, usage, beside)
  return read
}

const readFields: ReadonlySet<string> = new Set([
  'prompt_tokens',
  'completion_tokens',
  'total_tokens',
  'prompt_tokens_details',
  'completion_tokens_details',
])
const promptDetails: ReadonlySet<string> = new Set(['cached_tokens', 'cache_write_tokens'])
const completionDetails: ReadonlySet<string> = new Set(['reasoning_tokens'])

function addPromptDetails(read: ChatUsage, usage: WireFields): void {
  const details = fieldsOf(usage['prompt_tokens_details'])
  const cached_tokens =
    countOf(details['cached_tokens']) ??
    countOf(usage['prompt_cache_hit_tokens']) ??
    countOf(usage['cache_read_input_tokens']) ??
    countOf(usage['cached_tokens'])
  const cache_write_tokens =
    countOf(details['cache_write_tokens']) ??
    countOf(details['cache_creation_tokens']) ??
    countOf(usage['cache_creation_input_tokens'])
  const others = otherFields(details, promptDetails)
  if (cached_tokens === null && cache_write_tokens === null && others === null) return
  read.prompt_tokens_details = {
    ...others,
    ...(cached_tokens === null ? {} : { cached_tokens }),
    ...(cache_write_tokens === null ? {} : { cache_write_tokens }),
  }
}

/** @param beside  tokens that the total includes and `completion_tokens` does not */
function addCompletionDetails(read: ChatUsage, usage: WireFields, beside: number): void {
  const details = fieldsOf(usage['completion_tokens_details'])
  const reasoning_tokens = countOf(details['reasoning_tokens']) ?? (beside > 0 ? beside : null)
  const others = otherFields(details, completionDetails)
  if (reasoning_tokens === null && others === null) return
  read.completion_tokens_details = {
    ...others,
    ...(reasoning_tokens === null ? {} : { reasoning_tokens }),
  }
}
