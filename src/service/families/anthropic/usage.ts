/**
 * Anthropic's token counts in OpenAI's form. Anthropic counts tokens read from and written to the cache apart
 * from `input_tokens`; OpenAI's `prompt_tokens` includes both. Compared with `Usage` of the SDK, 2026-11-22.
 */
import type { ChatUsage, WireFields } from '../../../shared/chat/chat.ts'
import { otherFields } from '../../providers/passed-fields.ts'
import { fieldsOf, listOf } from '../../json-fields.ts'

const readFields: ReadonlySet<string> = new Set(
  (
    'input_tokens output_tokens cache_creation_input_tokens cache_read_input_tokens cache_creation ' +
    'output_tokens_details'
  ).split(' '),
)

/** @returns null without the two main counts */
export function readUsage(value: unknown): ChatUsage | null {
  const usage = fieldsOf(value)
  const billed = [usage, ...compactions(usage)]
  const input = sumOf(billed, 'input_tokens')
  const completion_tokens = sumOf(billed, 'output_tokens')
  if (input === null || completion_tokens === null) return null
  const cached_tokens = sumOf(billed, 'cache_read_input_tokens')
  const cache_write_tokens = sumOf(billed, 'cache_creation_input_tokens')
  const writes = billed.map(({ cache_creation }) => fieldsOf(cache_creation))
  const cache_write_1h_tokens = sumOf(writes, 'ephemeral_1h_input_tokens')
  const reasoning_tokens = countOf(fieldsOf(usage['output_tokens_details'])['thinking_tokens'])
  const prompt_tokens = input + (cached_tokens ?? 0) + (cache_write_tokens ?? 0)
  return {
    ...otherFields(usage, readFields),
    prompt_tokens,
    completion_tokens,
    total_tokens: prompt_tokens + completion_tokens,
    ...detailsOf('prompt_tokens_details', {
      cached_tokens,
      cache_write_tokens,
      cache_write_1h_tokens,
    }),
    ...detailsOf('completion_tokens_details', { reasoning_tokens }),
  }
}

/**
 * The inner form's counts as Anthropic counts them, apart from each other. Every field of Anthropic's form is there,
 * because strict clients require it; what other models do not have is null.
 */
export function writeUsage(usage: ChatUsage): WireFields {
  const { cache_write_tokens: written = 0, cache_write_1h_tokens: forAnHour } =
    usage.prompt_tokens_details ?? {}
  return {
    ...writeCounts(usage),
    cache_creation:
      forAnHour === undefined
        ? null
        : {
            ephemeral_5m_input_tokens: Math.max(0, written - forAnHour),
            ephemeral_1h_input_tokens: forAnHour,
          },
    service_tier: null,
    inference_geo: null,
    speed: null,
  }
}

/** The part of the usage that the last events of a stream have. */
export function writeCounts({
  prompt_tokens,
  completion_tokens,
  prompt_tokens_details: details = {},
  completion_tokens_details: outputDetails = {},
}: ChatUsage): WireFields {
  const cached = details.cached_tokens ?? 0
  const written = details.cache_write_tokens ?? 0
  const { reasoning_tokens: thinking_tokens } = outputDetails
  return {
    input_tokens: Math.max(0, prompt_tokens - cached - written),
    cache_creation_input_tokens: written,
    cache_read_input_tokens: cached,
    output_tokens: completion_tokens,
    output_tokens_details: thinking_tokens === undefined ? null : { thinking_tokens },
    server_tool_use: null,
  }
}

/** The counts that were reported; nothing when none was. */
function detailsOf(name: string, counts: Record<string, number | null>): Partial<ChatUsage> {
  const reported = Object.entries(counts).filter(([, count]) => count !== null)
  return reported.length === 0 ? {} : { [name]: Object.fromEntries(reported) }
}

/** Summaries of an older context, which are billed but missing from the main counts. */
function compactions({ iterations }: WireFields): WireFields[] {
  return listOf(iterations)
    .map(fieldsOf)
    .filter(({ type }) => type === 'compaction')
}

/** @returns null when none of them has the count */
function sumOf(parts: readonly WireFields[], name: string): number | null {
  const counts = parts.map((fields) => countOf(fields[name])).filter((count) => count !== null)
  return counts.length === 0 ? null : counts.reduce((sum, count) => sum + count, 0)
}

function countOf(value: unknown): number | null {
  return Number.isSafeInteger(value) && Number(value) >= 0 ? Number(value) : null
}
