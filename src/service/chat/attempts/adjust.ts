/**
 * A request made to fit the model it goes to. Routed to whichever model is best, a caller cannot know
 * which of them takes a `temperature`; a 400 for it would take that model out of every such request.
 * So what a model is known to refuse is left out or sent under the name it knows, and every change is
 * told: in the decision, and in the header `x-modelport-adjusted`.
 */
import type { ChatRequest } from '../../../shared/chat.ts'
import type { Adjustment, ParameterRules } from '../../../shared/model-abilities.ts'

export interface AdjustedBody {
  /** The very same object where nothing had to be changed. */
  body: ChatRequest
  adjusted: Adjustment[]
}

/** Shared by all requests that nothing was changed in; nobody adds to it. */
export const notAdjusted: Adjustment[] = []

/** The same in meaning: the older and the newer name of the longest answer. */
const otherNames: Readonly<Record<string, 'max_tokens' | 'max_completion_tokens'>> = {
  max_tokens: 'max_completion_tokens',
  max_completion_tokens: 'max_tokens',
}

/** With these a request could choose how long its text is kept, and what it costs. */
const notForwarded = ['store', 'service_tier'] as const

/** @param rules  null: the model takes every parameter, and 1 is its own temperature */
export function adjustBody(body: ChatRequest, rules: ParameterRules | null): AdjustedBody {
  if (rules === null && body['store'] === undefined && body['service_tier'] === undefined) {
    return { body, adjusted: notAdjusted }
  }
  const changed: ChatRequest = { ...body }
  const adjusted: Adjustment[] = []
  for (const parameter of notForwarded) {
    if (changed[parameter] === undefined) continue
    delete changed[parameter]
    adjusted.push({
      parameter,
      change: 'left_out',
      reason: 'the user decides on it, not a request',
    })
  }
  for (const parameter of rules?.refuses ?? []) {
    const change = refuse(changed, parameter, rules)
    if (change) adjusted.push(change)
  }
  const sendsTemperature =
    rules?.sendsTemperature === true && !rules.refuses.includes('temperature')
  if (sendsTemperature && (changed.temperature ?? null) === null) {
    changed.temperature = 1
    const reason = 'the provider’s own default is another'
    adjusted.push({ parameter: 'temperature', change: 'sent_as_1', reason })
  }
  return adjusted.length === 0 ? { body, adjusted: notAdjusted } : { body: changed, adjusted }
}

/** As `adjustBody`, with a limit the caller did not set. @param tokens  for each answer */
export function limitAnswer(
  body: ChatRequest,
  rules: ParameterRules | null,
  tokens: number,
): AdjustedBody {
  const limited = adjustBody({ ...body, max_tokens: tokens }, rules)
  const reason = 'its budget does not have more left'
  const limit = { parameter: 'max_tokens', change: `sent_as_${tokens}`, reason }
  return { body: limited.body, adjusted: [limit, ...limited.adjusted] }
}

/** `temperature=left_out, max_tokens=sent_as_max_completion_tokens` */
export function adjustedHeader(adjusted: readonly Adjustment[]): string {
  return adjusted.map(({ parameter, change }) => `${parameter}=${change}`).join(', ')
}

/** Changes the body; null where there is nothing to refuse. */
function refuse(
  body: ChatRequest,
  parameter: ParameterRules['refuses'][number],
  rules: ParameterRules | null,
): Adjustment | null {
  const value = body[parameter]
  if (value === undefined || isTakenNow(body, parameter, rules)) return null
  delete body[parameter]
  const other = otherNames[parameter]
  const isRenamed = other !== undefined && value !== null && (body[other] ?? null) === null
  if (!isRenamed) return { parameter, change: 'left_out', reason: 'the model does not take it' }
  body[other] = value
  return { parameter, change: `sent_as_${other}`, reason: 'the model knows it by this name' }
}

function isTakenNow(
  body: ChatRequest,
  parameter: ParameterRules['refuses'][number],
  rules: ParameterRules | null,
): boolean {
  if (!rules?.samplesWithoutReasoning || body.reasoning_effort !== 'none') return false
  return parameter === 'temperature' || parameter === 'top_p'
}
