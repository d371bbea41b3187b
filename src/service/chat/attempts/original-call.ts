/**
 * Requests that arrived in another form than the inner one. A provider of that form gets the caller's own body. For
 * others it is translated: what their forms do not carry is reported, and an answer's limit is lowered to what the
 * model gives, because callers of those forms must name one and name that of the model they know.
 */
import type { ChatRequest } from '../../../shared/chat/chat.ts'
import type { Adjustment } from '../../../shared/models/model-abilities.ts'
import type { FittedOriginal, Provider, ProviderRequest } from '../../providers/provider.ts'
import type { Candidate } from '../../routing/candidate.ts'
import {
  expectedPromptTokens,
  leastPromptTokens,
  type PromptSize,
} from '../../routing/prompt-size.ts'
import type { ChatCall } from '../chat-call.ts'
import { bodyFor, modelName, type AdjustedBody } from './adjust.ts'

export type ProviderForm = Pick<
  Provider,
  'leftOut' | 'originalWire' | 'takesChatForm' | 'nearestEffort' | 'fitOriginal'
>

interface FittingOptions {
  form: ProviderForm
  /** Tokens for each answer, when the caller set no limit. */
  limit?: number | undefined
  prompt: PromptSize
}

/** The body for a candidate, whatever the form in which the request arrived. */
export function fittingBody(
  call: Pick<ChatCall, 'body' | 'original' | 'leftOut'>,
  candidate: Candidate,
  { form, limit, prompt }: FittingOptions,
): AdjustedBody {
  const { body, original } = call
  if (original === undefined) {
    const fitting = bodyFor(body, candidate, { limit, leftOut: form.leftOut })
    return call.leftOut === undefined ? fitting : joined(unchanged(body), fitting, call.leftOut)
  }
  if (sendsOriginal(call, candidate, form)) {
    const shorter = shortened(body, candidate.maxOutputTokens ?? Infinity)
    return joined(shorter, bodyFor(shorter.body, candidate, { limit }), original.notForwarded)
  }
  const shorter = shortened(body, longestAnswer(candidate, prompt))
  const reasoned = withNearestEffort(withoutReasoning(shorter, candidate), candidate, form)
  const takesFewStops = form.takesChatForm?.(modelName(candidate.modelId)) === true
  const plain = takesFewStops ? withFewStops(reasoned) : reasoned
  const fitting = bodyFor(plain.body, candidate, { limit, leftOut: form.leftOut })
  return joined(plain, fitting, original.leftOut)
}

export function sendsOriginal(
  { original }: Pick<ChatCall, 'original'>,
  { modelId }: Pick<Candidate, 'modelId'>,
  { originalWire: wire }: ProviderForm,
): boolean {
  if (original === undefined || wire === undefined) return false
  return original.wire === (typeof wire === 'string' ? wire : wire(modelName(modelId)))
}

interface FittingOriginal {
  /** What was changed in the inner form. */
  adjusted: readonly Adjustment[]
  members: FittedOriginal['members']
}

/** The request with the caller's own body in its own form. */
export function withOriginal(
  request: ProviderRequest,
  original: NonNullable<ChatCall['original']>,
  { adjusted, members }: FittingOriginal,
): ProviderRequest {
  const { wire, text, headers, query } = original
  const changed = adjusted.map(({ parameter }) => parameter)
  return {
    ...request,
    original: { wire, text, headers, changed, members, ...(query && { query }) },
  }
}

/** Tokenizers differ: the real count may be a tenth above the estimate from characters. */
const promptMargin = 1.1

/** Length of a usual answer. A long prompt leaves room for it where it has fewer tokens than estimated. */
const usualAnswerTokens = 4_096

function longestAnswer(candidate: Candidate, prompt: PromptSize): number {
  const { maxOutputTokens, contextTokens } = candidate
  const most = maxOutputTokens ?? Infinity
  if (contextTokens === null) return most
  const rest = contextTokens - Math.ceil(expectedPromptTokens(candidate, prompt) * promptMargin)
  const possible = contextTokens - leastPromptTokens(candidate, prompt)
  return Math.max(1, Math.min(most, Math.max(rest, Math.min(possible, usualAnswerTokens))))
}

function shortened(body: ChatRequest, most: number): AdjustedBody {
  const parameter =
    (body.max_completion_tokens ?? null) === null ? 'max_tokens' : 'max_completion_tokens'
  if ((body[parameter] ?? 0) <= most) return unchanged(body)
  const reason = 'the model gives no longer answers'
  const change = { parameter, change: `sent_as_${most}`, reason }
  return { body: { ...body, [parameter]: most }, adjusted: [change] }
}

/** Tools of other vendors ask every model for an effort, and a model that does not reason may refuse the field. */
function withoutReasoning(before: AdjustedBody, candidate: Candidate): AdjustedBody {
  const { effort, otherEfforts, outputRatio } = candidate
  const reasons = effort !== null || otherEfforts.length > 0 || outputRatio > 1
  const { reasoning_effort: wanted, reasoning, ...body } = before.body
  if (reasons || (wanted === undefined && reasoning === undefined)) return before
  const change = {
    parameter: wanted === undefined ? 'reasoning' : 'reasoning_effort',
    change: 'left_out',
    reason: 'the model is not known to reason',
  }
  return { body, adjusted: [...before.adjusted, change] }
}

/** Each vendor has its own efforts, and callers of other forms name those of the model they know. */
function withNearestEffort(
  before: AdjustedBody,
  { modelId }: Candidate,
  { nearestEffort }: ProviderForm,
): AdjustedBody {
  const wanted = before.body.reasoning_effort ?? null
  if (wanted === null || nearestEffort === undefined) return before
  const effort = nearestEffort(wanted, modelName(modelId))
  if (effort === wanted) return before
  const change = {
    parameter: 'reasoning_effort',
    change: `sent_as_${effort}`,
    reason: 'the nearest effort that the model takes',
  }
  const body = { ...before.body, reasoning_effort: effort }
  return { body, adjusted: [...before.adjusted, change] }
}

/** Of OpenAI's form; the others take more. */
const mostStops = 4

function withFewStops(before: AdjustedBody): AdjustedBody {
  const { stop } = before.body
  if (!Array.isArray(stop) || stop.length <= mostStops) return before
  const change = {
    parameter: 'stop',
    change: `sent_as_first_${mostStops}`,
    reason: 'the provider takes no more',
  }
  const body = { ...before.body, stop: stop.slice(0, mostStops) }
  return { body, adjusted: [...before.adjusted, change] }
}

/**
 * The body by which answers are judged. A provider of the caller's form calls tools by the caller's names, and any other
 * by those of the inner form.
 */
export function judgedBody({ body, original }: Pick<ChatCall, 'body' | 'original'>): ChatRequest {
  const renamed = original?.renamedTools ?? []
  return renamed.length === 0 ? body : { ...body, tools: [...(body.tools ?? []), ...renamed] }
}

function unchanged(body: ChatRequest): AdjustedBody {
  return { body, adjusted: [] }
}

function joined(
  { adjusted: before }: AdjustedBody,
  { body, adjusted }: AdjustedBody,
  after: readonly Adjustment[],
): AdjustedBody {
  if (before.length + after.length === 0) return { body, adjusted }
  return { body, adjusted: [...before, ...adjusted, ...after] }
}
