/** A step's failure for the caller: with the step's own status and code, and its id in `param`. */
import { StreamBroken } from '../chat/attempts/attempts.ts'
import { ServiceError } from '../errors.ts'
import { TemplateFailed } from './templates.ts'

export class StepFailed extends ServiceError {}

/** Headers that help the caller of the agent. The others describe a different request. */
const keptHeaders = ['retry-after', 'x-should-retry']

/** @returns the failure with the step's id; unexpected errors and abort reasons unchanged */
export function stepFailure(stepId: string, error: unknown): unknown {
  const cause = error instanceof StreamBroken ? error.error : error
  if (cause instanceof StepFailed) return cause
  if (cause instanceof TemplateFailed) {
    const message = `Step "${stepId}": the template failed: ${cause.message}`
    return new StepFailed('invalid_parameter', message, { param: stepId, cause })
  }
  if (!(cause instanceof ServiceError)) return cause
  return new StepFailed(cause.code, `Step "${stepId}": ${cause.message}`, {
    param: stepId,
    status: cause.status,
    isLasting: cause.isLasting,
    headers: Object.fromEntries(
      Object.entries(cause.headers).filter(([name]) => keptHeaders.includes(name)),
    ),
    cause,
  })
}

/**
 * Whether a step may fall back: not after it sent text, and not when a budget is spent, which a fallback cannot
 * restore.
 */
export function mayFallBack(error: unknown, hasBegun: boolean): boolean {
  if (hasBegun) return false
  return error instanceof ServiceError && error.code !== 'budget_exceeded'
}

/** Whether a step may be tried again. A refused request would be refused again. */
export function mayRetry(error: unknown, hasBegun: boolean): boolean {
  if (hasBegun) return false
  const failure = error instanceof StreamBroken ? error.error : error
  if (!(failure instanceof ServiceError)) return false
  return failure.status >= 500 || failure.code === 'rate_limit_exceeded'
}
