/** How one request reaches its candidates: providers, time limits, and the body as each model takes it. */
import type { Adjustment } from '../../shared/models/model-abilities.ts'
import type { Candidate } from '../routing/candidate.ts'
import { paysToMark } from '../routing/prompt-cache.ts'
import { modelName } from './attempts/adjust.ts'
import type { AttemptUpstreams } from './attempts/attempts-options.ts'
import { fittingBody, sendsOriginal, withOriginal } from './attempts/original-call.ts'
import type { ChatCall, Plan } from './chat-call.ts'
import type { ChatDependencies } from './chat-dependencies.ts'
import { conversationIdentity, mayContinue } from './learning/conversation-memory.ts'
import type { WatchedRequest } from './sessions/watched-request.ts'
import type { Meter } from './metering/meter.ts'
import type { ConversationName, FittedOriginal, ProviderChunk } from '../providers/provider.ts'

export type UpstreamDependencies = Pick<
  ChatDependencies,
  'providerOf' | 'outageOf' | 'timeLimitsOf' | 'formOf' | 'reasoningMemory'
>

interface UpstreamCall {
  call: ChatCall
  plan: Plan
  /** Absent where nothing is watched, like null. */
  watch?: WatchedRequest | null
  /** Absent for a count of tokens, which costs nothing. */
  meter?: Pick<Meter, 'sent' | 'partArrived' | 'adjusted'>
}

export interface ChatUpstreams extends AttemptUpstreams {
  /**
   * Called with the candidate whose answer is used, among several that were asked: the changes to its request are the
   * ones reported.
   */
  answers(candidate: Candidate): void
}

export function upstreamsOf(
  { call, plan, meter, watch }: UpstreamCall,
  dependencies: UpstreamDependencies,
): ChatUpstreams {
  const adjustments = new Map<Candidate, Adjustment[]>()
  let told: Adjustment[] = plan.record.adjusted
  const tell = (adjusted: Adjustment[]) => {
    if (adjusted === told) return
    told = adjusted
    call.onAdjusted?.(adjusted)
    meter?.adjusted(adjusted)
  }
  return {
    answers: (candidate) => tell(adjustments.get(candidate) ?? plan.record.adjusted),
    providerOf: (candidate) => dependencies.providerOf(candidate),
    outageOf: (candidate) => dependencies.outageOf(candidate),
    timeLimitsOf: (candidate) => dependencies.timeLimitsOf(candidate, call.router),
    requestFor(candidate) {
      const { modelId } = candidate
      const limit = plan.outputLimits?.get(modelId)
      const form = dependencies.formOf(candidate)
      const { prompt } = plan
      const { body, adjusted: changed } = fittingBody(call, candidate, { form, limit, prompt })
      const fitted = fittedOriginal({ ...call, body }, candidate, dependencies)
      const adjusted = fitted?.adjusted.length ? [...changed, ...fitted.adjusted] : changed
      adjustments.set(candidate, adjusted)
      tell(adjusted)
      const { connectMs } = dependencies.timeLimitsOf(candidate, call.router)
      const { maxOutputTokens, price } = candidate
      const model = modelName(modelId)
      const conversation = () => nameOf(call, plan)
      const { hops } = call
      const onSent = meter && (() => meter.sent(candidate))
      const onPart = meter && ((chunk: ProviderChunk) => meter.partArrived(candidate, chunk))
      const onBody = watch ? (sent: string) => watch.sent(modelId, sent) : undefined
      const listeners = { onSent, onPart, onBody }
      if (call.original !== undefined && fitted !== null) {
        const request = {
          model,
          body,
          connectMs,
          maxOutputTokens,
          conversation,
          hops,
          ...listeners,
        }
        return withOriginal(request, call.original, { adjusted: changed, members: fitted.members })
      }
      const own = dependencies.reasoningMemory.authors.withoutForeign(body, modelId)
      const owner = { apiKeyId: call.apiKeyId, modelId, body: own }
      const restored = dependencies.reasoningMemory.restore(owner)
      const history = plan.cacheHistory
      const marksPrefix = history !== undefined && paysToMark(price, history)
      const isTranslated = call.original !== undefined
      const request = { model, body: restored, connectMs, maxOutputTokens, isTranslated }
      return { ...request, conversation, marksPrefix, hops, ...listeners }
    },
  }
}

/** Null where the request is translated. */
function fittedOriginal(
  { body, original }: ChatCall,
  candidate: Candidate,
  { formOf, reasoningMemory: { authors } }: UpstreamDependencies,
): FittedOriginal | null {
  const form = formOf(candidate)
  if (original === undefined || !sendsOriginal({ original }, candidate, form)) return null
  const { modelId } = candidate
  const isForeign = (proof: string) => authors.isForeign(proof, modelId)
  const unfitted = { model: modelName(modelId), body, fields: original.fields, isForeign }
  return form.fitOriginal?.(unfitted) ?? { members: {}, adjusted: [] }
}

function nameOf(call: ChatCall, { identity }: Plan): ConversationName {
  const { router, body, apiKeyId, conversation = null } = call
  const identified = { routerId: router.id, apiKeyId, conversation, body }
  return {
    id: identity ?? conversationIdentity(identified),
    isContinued: mayContinue(identified),
  }
}
