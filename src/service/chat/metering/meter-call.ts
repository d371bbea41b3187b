import type { Candidate } from '../../routing/candidate.ts'
import { isInUs } from '../admission/billed-later.ts'
import type { ChatCall } from '../chat-call.ts'
import { Meter } from './meter.ts'
import type { MeteredRequest } from './metered-request.ts'

/** The meter of a call that was admitted. */
export function meterCall(
  { requestId, router, apiKeyId, source, client, tag, body, original, step }: ChatCall,
  plan: Pick<MeteredRequest, 'decision' | 'prompt' | 'startedAtMs' | 'clock'> & {
    /** Longest answers in tokens, by model, as in `Plan`. */
    outputLimits?: ReadonlyMap<string, number> | undefined
  },
): Meter {
  const { decision, prompt, startedAtMs, clock, outputLimits } = plan
  const requested = body.max_completion_tokens ?? body.max_tokens ?? null
  const limitOf = ({ modelId }: Candidate) => outputLimits?.get(modelId) ?? requested
  return new Meter({
    decision,
    prompt,
    startedAtMs,
    clock,
    id: requestId,
    routerId: router.id,
    apiKeyId,
    source,
    client,
    tag: tag ?? null,
    isStreamed: body.stream === true,
    step,
    isInUs: original !== undefined && isInUs(original.fields),
    outputLimitOf(candidate) {
      const limit = limitOf(candidate)
      return limit === null ? null : limit * (body.n ?? 1)
    },
  })
}
