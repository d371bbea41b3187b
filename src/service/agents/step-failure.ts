/** A step's failure as the caller is told of it: its own status and code, its id in `param`. */
import { StreamBroken } from '../chat/attempts/attempts.ts'
import { ServiceError } from '../errors.ts'
import { TemplateFailed } from './templates.ts'

export class StepFailed extends ServiceError {}

/** What a caller of the agent can act on; the others are about another request. */
const keptHeaders = ['retry-after', 'x-should-retry']

/** @returns the failure with the step's id; what is no failure of a step as it is */
export function stepFailure(stepId: string, error: unknown): unknown {
  const cause = error instanceof StreamBroken ? error.error : error
  if (cause instanceof StepFailed) return cause
  if (cause instanceof TemplateFailed) {
    const message = `Step "${stepId}" cannot be filled in: ${cause.message}`
    return new StepFailed('invalid_parameter', message, { param: stepId, cause })
  }
  if (!(cause instanceof ServiceError)) return cause
  return new StepFailed(cause.code, `Step "${stepId}": ${cause.message}`, {
    param: stepId,
    headers: Object.fromEntries(
      Object.entries(cause.headers).filter(([name]) => keptHeaders.includes(name)),
    ),
    cause,
  })
}
