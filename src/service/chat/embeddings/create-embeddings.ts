/**
 * The life of one request for embeddings: the same limits, attempts, meter and ledger as a chat, without a strategy.
 * Nothing is learned from it, because speeds and lengths of answers are about chats.
 */
import type { ChatUsage } from '../../../shared/chat/chat.ts'
import type { Adjustment } from '../../../shared/models/model-abilities.ts'
import type { RequestDetail } from '../../../shared/requests/detail.ts'
import type { EmbeddingsRequest, ProviderEmbeddings } from '../../providers/embeddings.ts'
import { ProviderError, type Provider } from '../../providers/provider.ts'
import type { Candidate } from '../../routing/candidate.ts'
import { modelName, notAdjusted } from '../attempts/adjust.ts'
import type { AttemptListener, AttemptsOptions } from '../attempts/attempts-options.ts'
import { attemptEach } from '../attempts/attempts.ts'
import { fallbackOf, outcomeOf, type AttemptOutcome } from '../attempts/fallback.ts'
import type { RequestMoney } from '../admission/request-money.ts'
import type { Plan } from '../chat-call.ts'
import type { ChatDependencies } from '../chat-dependencies.ts'
import { answered, failureOutcome, type Outcome } from '../chat-run.ts'
import { countRequest } from '../complete-chat.ts'
import { Meter } from '../metering/meter.ts'
import type { CreateEmbeddings, EmbeddingsCall, FinishedEmbeddings } from './embeddings-call.ts'
import { inputsOf } from './inputs.ts'
import { planEmbeddings } from './plan-embeddings.ts'
import { readFields } from './request-fields.ts'
import { encoded, lengthOf, withDimensions } from './vectors.ts'

export function createEmbeddings(dependencies: ChatDependencies): CreateEmbeddings {
  return {
    async admit(call) {
      const refused = dependencies.refusalOf(call.router)
      if (refused !== null) throw refused
      const startedAtMs = dependencies.now()
      const limited = { ...call, body: null, startedAtMs }
      const { limits } = dependencies
      const planned = planEmbeddings(call, dependencies)
      const lease = limits.applyTo(limited) ? await limits.take(limited, planned) : null
      const { plan, money } = lease ?? { plan: planned, money: null }
      const meter = meterOf(call, plan, { startedAtMs, clock: dependencies.clock })
      const quota = await countRequest(limited, lease, dependencies)
      return {
        quota,
        complete: (signal) => complete({ call, plan, meter, money, signal }, dependencies),
      }
    },
  }
}

export function meterOf(
  { requestId: id, router, apiKeyId, source, client, tag = null }: EmbeddingsCall,
  { record: decision, prompt }: Plan,
  time: { startedAtMs: number; clock: () => number },
): Meter {
  return new Meter({
    id,
    routerId: router.id,
    apiKeyId,
    source,
    client,
    tag,
    isStreamed: false,
    decision,
    prompt,
    outputLimitOf: () => 0,
    ...time,
  })
}

interface RunningEmbeddings {
  call: EmbeddingsCall
  plan: Plan
  meter: Meter
  /** Null without a budget. */
  money: RequestMoney | null
  signal: AbortSignal
}

async function complete(
  running: RunningEmbeddings,
  dependencies: ChatDependencies,
): Promise<FinishedEmbeddings> {
  const { call, meter, signal } = running
  let outcome: Outcome = answered
  try {
    const outcomes = new Map<string, AttemptOutcome>()
    const attempts = attemptsOf(running, dependencies, outcomes)
    const { candidate, answer } = await attemptEach(attempts, (provider, one, attemptSignal) =>
      embed(provider, { call, meter, candidate: one, signal: attemptSignal, dependencies }),
    )
    meter.embedded(candidate, usageOf(answer))
    meter.stop()
    const { adjusted = notAdjusted } = answer
    if (adjusted.length > 0) {
      meter.adjusted([...adjusted])
      call.onAdjusted?.(adjusted)
    }
    const fallback = fallbackOf(candidate, attempts.candidates, { ...attempts, outcomes })
    meter.fellBack(fallback)
    if (fallback !== null) call.onFallback?.(fallback)
    const { vectors, headers } = answer
    if (headers !== undefined) call.onHeaders?.(headers)
    const explain = (): RequestDetail => meter.detail()
    const figures = { usage: meter.usage(), meta: meter.meta(), fallback, explain }
    return { model: candidate.modelId, vectors, ...figures }
  } catch (error) {
    outcome = failureOutcome(signal.aborted ? signal.reason : error)
    throw error
  } finally {
    meter.stop()
    const row = meter.record(outcome.status, outcome.code)
    const stored = dependencies.record(row, meter.detail(), call)
    if (stored !== null) await stored
  }
}

function attemptsOf(
  { call, plan, meter, money, signal }: RunningEmbeddings,
  dependencies: ChatDependencies,
  outcomes: Map<string, AttemptOutcome>,
): AttemptsOptions {
  const { router } = call
  const candidates = plan.ranked.map(({ candidate }) => candidate)
  return {
    candidates: router.routing.fallback ? candidates : candidates.slice(0, 1),
    upstreams: {
      providerOf: (candidate) => dependencies.providerOf(candidate),
      outageOf: (candidate) => dependencies.outageOf(candidate),
      timeLimitsOf: (candidate) => dependencies.timeLimitsOf(candidate, router),
    },
    deployments: dependencies.deployments,
    isStreamed: false,
    repeats: true,
    hedge: null,
    covers: (candidate) => money?.covers(candidate, meter.soFar()) ?? true,
    signal,
    clock: dependencies.clock,
    listener: listenerOf(meter, dependencies, outcomes),
  }
}

function listenerOf(
  meter: Meter,
  dependencies: ChatDependencies,
  outcomes: Map<string, AttemptOutcome>,
): AttemptListener {
  return {
    attemptStarted(candidate) {
      outcomes.set(candidate.modelId, null)
      meter.attempt(candidate)
    },
    attemptFailed(candidate, error) {
      outcomes.set(candidate.modelId, outcomeOf(error))
      meter.attemptEnded(candidate, error)
      dependencies.onProviderFailure(candidate.providerId, error)
    },
    attemptSucceeded(candidate) {
      meter.attemptEnded(candidate, null)
      dependencies.onProviderSuccess(candidate.providerId, meter.attemptLatencyMs(candidate))
    },
    raceWon: () => {},
    unexpectedError: (error) => dependencies.onBug(error),
  }
}

function usageOf({ promptTokens }: ProviderEmbeddings): ChatUsage | null {
  if (promptTokens === null) return null
  return { prompt_tokens: promptTokens, completion_tokens: 0, total_tokens: promptTokens }
}

interface Attempted {
  call: EmbeddingsCall
  meter: Meter
  candidate: Candidate
  signal: AbortSignal
  dependencies: Pick<ChatDependencies, 'timeLimitsOf'>
}

/** @throws ProviderError as `Provider.embed`, and `request` when it cannot be asked for these vectors */
async function embed(
  provider: Provider,
  { call, meter, candidate, signal, dependencies }: Attempted,
): Promise<ProviderEmbeddings> {
  const { modelId, embedding } = candidate
  if (provider.embed === undefined) {
    throw new ProviderError('request', 'its API has no embeddings', {
      upstreamMessage: `The API of the provider of ${modelId} has no embeddings. Use the model at another provider.`,
    })
  }
  const { dimensions, encoding, fields, adjusted } = readFields(call.body)
  const { connectMs } = dependencies.timeLimitsOf(candidate, call.router)
  const request: EmbeddingsRequest = {
    model: modelName(modelId),
    inputs: inputsOf(call.body),
    dimensions,
    encoding,
    fields,
    connectMs,
    hops: call.hops,
    onSent: () => meter.sent(candidate),
  }
  return fitted(await provider.embed(request, signal), {
    request,
    adjusted,
    isShortenable: embedding?.isShortenable === true,
  })
}

interface Fitting {
  request: Pick<EmbeddingsRequest, 'dimensions' | 'encoding'>
  /** Changes made before the wire's own. */
  adjusted: readonly Adjustment[]
  isShortenable: boolean
}

/** The vectors in the length and encoding of the request. @throws ProviderError request */
function fitted(
  answer: ProviderEmbeddings,
  { request: { dimensions, encoding }, adjusted, isShortenable }: Fitting,
): ProviderEmbeddings {
  const isCut =
    dimensions !== null && answer.vectors.some((vector) => lengthOf(vector) !== dimensions)
  const vectors = isCut
    ? answer.vectors.map((vector) => withDimensions(vector, dimensions, isShortenable))
    : answer.vectors
  return {
    ...answer,
    vectors: vectors.map((vector) => encoded(vector, encoding)),
    adjusted: [...adjusted, ...(answer.adjusted ?? []), ...(isCut ? [shortenedHere] : [])],
  }
}

const shortenedHere: Adjustment = {
  parameter: 'dimensions',
  change: 'left_out',
  reason: 'the provider sends all dimensions, so Modelport shortened the vectors',
}
