/**
 * Adapts a request to the model it is sent to. A caller of a router cannot know which of its models accepts a
 * `temperature`, and each 400 because of one would exclude that model. So parameters that the model is known
 * to refuse are left out or renamed, and every change is reported: in the decision, and in the header
 * `x-modelport-adjusted`.
 */
import type { ChatRequest } from '../../../shared/chat/chat.ts'
import type { Adjustment, ParameterRules } from '../../../shared/models/model-abilities.ts'
import type { Provider } from '../../providers/provider.ts'
import type { Candidate } from '../../routing/candidate.ts'

export interface AdjustedBody {
  /** The same object when nothing changed. */
  body: ChatRequest
  adjusted: Adjustment[]
}

/** Shared by all unchanged requests; never modify it. */
export const notAdjusted: Adjustment[] = []

/** Adjustment of most requests, in each row. ASCII only: one other character doubles the memory of its row. */
const temperatureSent: Adjustment = {
  parameter: 'temperature',
  change: 'sent_as_1',
  reason: 'the default of the provider may differ',
}
/** Shared like `notAdjusted`. */
const onlyTemperature: Adjustment[] = [temperatureSent]

/** The older and the newer name of the answer's length limit; both mean the same. */
const otherNames: Readonly<Record<string, 'max_tokens' | 'max_completion_tokens'>> = {
  max_tokens: 'max_completion_tokens',
  max_completion_tokens: 'max_tokens',
}

/** Fields that are not sent on: with them a request could choose how long its text is stored and what it costs. */
const notForwarded = ['store', 'service_tier'] as const

/** @param rules  null: the model accepts every parameter, and its default temperature is 1 */
export function adjustBody(body: ChatRequest, rules: ParameterRules | null): AdjustedBody {
  if (rules === null && body['store'] === undefined && body['service_tier'] === undefined) {
    return { body, adjusted: notAdjusted }
  }
  const changed: ChatRequest = { ...body }
  const adjusted = leaveOutPrivileges(changed)
  for (const parameter of rules?.refuses ?? []) {
    const change = refuse(changed, parameter, rules)
    if (change) adjusted.push(change)
  }
  const sendsTemperature =
    rules?.sendsTemperature === true && !rules.refuses.includes('temperature')
  if (sendsTemperature && (changed.temperature ?? null) === null) {
    changed.temperature = 1
    if (adjusted.length === 0) return { body: changed, adjusted: onlyTemperature }
    adjusted.push(temperatureSent)
  }
  return adjusted.length === 0 ? { body, adjusted: notAdjusted } : { body: changed, adjusted }
}

/** Deletes from `fields` what only the user may set. */
export function leaveOutPrivileges(fields: Record<string, unknown>): Adjustment[] {
  const adjusted: Adjustment[] = []
  for (const parameter of notForwarded) {
    if (fields[parameter] === undefined) continue
    delete fields[parameter]
    adjusted.push({
      parameter,
      change: 'left_out',
      reason: 'only the user can set it, not a request',
    })
  }
  return adjusted
}

interface BodyOptions {
  /** Tokens for each answer that the caller did not set. */
  limit?: number | undefined
  /** The candidate's provider's. */
  leftOut?: Provider['leftOut']
}

/** The body for a candidate: with the effort that the router chose, and as its model accepts it. */
export function bodyFor(
  body: ChatRequest,
  candidate: Pick<Candidate, 'modelId' | 'parameters' | 'effort'>,
  { limit, leftOut }: BodyOptions = {},
): AdjustedBody {
  const fitting = fittingBody(body, candidate, limit)
  const others = leftOut?.(fitting.body, modelName(candidate.modelId)) ?? notAdjusted
  if (others.length === 0) return fitting
  return { body: fitting.body, adjusted: [...fitting.adjusted, ...others] }
}

/** The provider's own name of a model. @param modelId  `<provider>:<model_name>` */
export function modelName(modelId: string): string {
  return modelId.slice(modelId.indexOf(':') + 1)
}

function fittingBody(
  body: ChatRequest,
  { parameters, effort }: Pick<Candidate, 'parameters' | 'effort'>,
  limit: number | undefined,
): AdjustedBody {
  const chosen = effort === null ? body : { ...body, reasoning_effort: effort }
  const fitting =
    limit === undefined ? adjustBody(chosen, parameters) : limitAnswer(chosen, parameters, limit)
  if (effort === null || body.reasoning_effort === effort) return fitting
  const reason = 'the router chose this effort for the prompt'
  const change = { parameter: 'reasoning_effort', change: `sent_as_${effort}`, reason }
  return { body: fitting.body, adjusted: [change, ...fitting.adjusted] }
}

/** Like `adjustBody`, with a limit the caller did not set. @param tokens  for each answer */
export function limitAnswer(
  body: ChatRequest,
  rules: ParameterRules | null,
  tokens: number,
): AdjustedBody {
  const limited = adjustBody({ ...body, max_tokens: tokens }, rules)
  const reason = 'the budget does not cover more'
  const limit = { parameter: 'max_tokens', change: `sent_as_${tokens}`, reason }
  return { body: limited.body, adjusted: [limit, ...limited.adjusted] }
}

/** All headers of an answer together have 16 KiB at many clients. */
const longestHeader = 2_048

/**
 * `temperature=left_out, max_tokens=sent_as_max_completion_tokens`. A caller chooses the names of fields: what is not
 * printable ASCII is percent-encoded. Changes beyond 2 KiB are only counted: `and_more=12`.
 */
export function adjustedHeader(adjusted: readonly Adjustment[]): string {
  let header = ''
  for (const [index, { parameter, change }] of adjusted.entries()) {
    const next = `${index === 0 ? '' : ', '}${encoded(parameter)}=${encoded(change)}`
    const more = `${header === '' ? '' : ', '}and_more=${adjusted.length - index}`
    const isLast = index === adjusted.length - 1
    // The next count is no longer than this one.
    if (header.length + next.length + (isLast ? 0 : more.length) > longestHeader) {
      return header + more
    }
    header += next
  }
  return header
}

function encoded(text: string): string {
  if (/^[\w.-]*$/.test(text)) return text
  return text.replace(/[^\x20-\x7e]|[%,=]/gu, (character) =>
    encodeURIComponent(character.toWellFormed()),
  )
}

/** Changes the body; null when there is nothing to refuse. */
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
  if (!isRenamed) return { parameter, change: 'left_out', reason: 'the model does not accept it' }
  body[other] = value
  return { parameter, change: `sent_as_${other}`, reason: 'the model uses this name for it' }
}

function isTakenNow(
  body: ChatRequest,
  parameter: ParameterRules['refuses'][number],
  rules: ParameterRules | null,
): boolean {
  if (!rules?.samplesWithoutReasoning || body.reasoning_effort !== 'none') return false
  return parameter === 'temperature' || parameter === 'top_p'
}
