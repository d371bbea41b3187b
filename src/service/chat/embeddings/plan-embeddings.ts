/**
 * Chooses the model that makes the vectors. Vectors of two models cannot be compared, so the router's first model with
 * the capability makes all of them, and only the same weights at another provider may take its place.
 */
import { makesEmbeddings } from '../../../shared/models/model-abilities.ts'
import { ServiceError } from '../../errors.ts'
import type { EmbeddingInput } from '../../providers/embeddings.ts'
import type {
  Candidate,
  Decision,
  EstimatedCandidate,
  ExcludedCandidate,
  RoutingContext,
  RoutingPolicy,
} from '../../routing/candidate.ts'
import { policyOf } from '../../routing/parameters.ts'
import { rank } from '../../routing/rank.ts'
import { modelName, notAdjusted } from '../attempts/adjust.ts'
import type { Plan } from '../chat-call.ts'
import type { ChatDependencies } from '../chat-dependencies.ts'
import { excludedRecord, pinnedCandidate, rankedRecord, requestRecord } from '../plan.ts'
import type { EmbeddingsCall } from './embeddings-call.ts'
import { inputsOf, longestOf, tokensOf } from './inputs.ts'

/** @throws ServiceError model_not_found, no_capable_model, context_length_exceeded, invalid_parameter, … */
export function planEmbeddings(
  call: EmbeddingsCall,
  dependencies: Pick<ChatDependencies, 'candidatesOf' | 'knowledgeOf'>,
): Plan {
  const all = dependencies.candidatesOf(call.router)
  const pinned = namedCandidate(call, all)
  const context = contextOf(call)
  const decision = rank(pinned ? [pinned] : all, {
    knowledgeOf: (candidate) =>
      dependencies.knowledgeOf(candidate, { routerId: call.router.id, isStreamed: false }),
    context,
    policy: policyFor(call),
  })
  const first = firstAllowed(decision)
  if (first === null) throw noModel(decision.excluded)
  refuseDimensions(first.candidate, call)
  if (pinned === null) refuseForeignTokens(first.candidate, call)
  const { ranked, excluded } = onlyOf(first, decision)
  if (ranked.length === 0) throw noDeployment(excluded)
  return {
    ranked,
    keepsFirst: true,
    identity: null,
    prompt: context,
    record: {
      ...requestRecord({ ...context, reading: null }),
      strategy: pinned ? 'pinned' : 'priority',
      parameters: null,
      ranked: ranked.map(rankedRecord),
      excluded: excluded.map(excludedRecord),
      kept: null,
      drawnWith: null,
      adjusted: notAdjusted,
    },
  }
}

function namedCandidate(call: EmbeddingsCall, all: readonly Candidate[]): Candidate | null {
  if (call.body.model?.startsWith('agent:')) {
    throw new ServiceError('invalid_parameter', 'An agent answers chats and makes no embeddings.', {
      param: 'model',
    })
  }
  return pinnedCandidate(call, all, all.filter(makesEmbeddings))
}

function contextOf({ body, requires = [] }: EmbeddingsCall): RoutingContext {
  const inputs = inputsOf(body)
  return {
    isStreamed: false,
    promptTokens: tokensOf(inputs),
    longestInputTokens: longestOf(inputs),
    maxOutputTokens: 0,
    needs: [...new Set(['embeddings' as const, ...requires])],
    effort: null,
    reading: null,
    lastAnswer: null,
  }
}

/** The policy without the router's strategy and required capabilities, which are about chats. */
function policyFor({ router }: EmbeddingsCall): RoutingPolicy {
  return { ...policyOf(router), strategy: 'priority', requires: [], chooseEffort: false }
}

/** Settings of the router, which rule out a model for every request. */
const ofRouter: readonly ExcludedCandidate['code'][] = [
  'provider_excluded',
  'region_excluded',
  'not_local',
]

/** The same for every request: what one request cannot use does not move it to another model. */
function firstAllowed({ ranked, excluded }: Decision): EstimatedCandidate | null {
  const allowed = [...ranked, ...excluded.filter(({ code }) => !ofRouter.includes(code))]
  const able = allowed.filter(({ candidate }) => makesEmbeddings(candidate))
  return able.toSorted((a, b) => a.position - b.position)[0] ?? null
}

/** The decision with the deployments of this model alone. */
function onlyOf({ candidate: first }: EstimatedCandidate, decision: Decision): Decision {
  const isSame = ({ candidate }: EstimatedCandidate) => isSameModel(candidate, first)
  const others = decision.ranked.filter((one) => !isSame(one))
  const reason = `is another model than ${first.modelId}, and vectors of two models cannot be compared`
  return {
    ranked: decision.ranked.filter(isSame),
    excluded: [
      ...decision.excluded,
      ...others.map((one) => ({ ...one, code: 'other_model' as const, reason })),
    ],
  }
}

function isSameModel(one: Candidate, other: Candidate): boolean {
  if (one.modelId === other.modelId) return true
  return one.embedding !== null && one.embedding.weights === other.embedding?.weights
}

function refuseDimensions(
  { modelId, embedding }: Candidate,
  { body: { dimensions } }: EmbeddingsCall,
): void {
  if (embedding === null || dimensions === undefined || dimensions === null) return
  const { dimensions: own, isShortenable } = embedding
  if (dimensions === own || (dimensions < own && isShortenable)) return
  const most = isShortenable ? `at most ${own}` : String(own)
  throw new ServiceError(
    'invalid_parameter',
    `"dimensions" must be ${most} for ${modelId}. Send this number, or leave "dimensions" out.`,
    { param: 'dimensions' },
  )
}

/**
 * A client that sends tokens made them for the model that it names. OpenAI's models share one tokenizer; to any other
 * model the same numbers are other texts, and its vectors would be wrong without an error.
 */
function refuseForeignTokens({ modelId, embedding }: Candidate, { body }: EmbeddingsCall): void {
  const named = body.model ?? ''
  if (named === '' || named === 'auto' || inputsOf(body).every(isText)) return
  const name = modelName(modelId)
  if (named === name || isOfOpenAi(embedding?.weights ?? name)) return
  throw new ServiceError(
    'invalid_parameter',
    `"input" has tokens for ${named}, and ${modelId} reads them as other texts. Send texts (LangChain: check_embedding_ctx_length=False).`,
    { param: 'input' },
  )
}

function isText(input: EmbeddingInput): boolean {
  return typeof input === 'string'
}

function isOfOpenAi(name: string): boolean {
  return /(^|\/)text-embedding-(3-|ada)/.test(name)
}

function noModel(excluded: readonly ExcludedCandidate[]): ServiceError {
  const reasons = excluded.map(({ model, reason }) => `${model} ${reason}`).join('; ')
  const found = reasons === '' ? 'It has no model of a configured provider' : reasons
  return new ServiceError(
    'no_capable_model',
    `No model of this router makes embeddings. ${found}. Add an embedding model to the router, such as openai:text-embedding-3-small.`,
    { param: 'model' },
  )
}

function noDeployment(excluded: readonly ExcludedCandidate[]): ServiceError {
  const able = excluded.filter(
    ({ candidate, code }) => makesEmbeddings(candidate) && code !== 'other_model',
  )
  const reasons = able.map(({ model, reason }) => `${model} ${reason}`).join('; ')
  const message = `The router’s model for embeddings cannot take the request: ${reasons}.`
  if (able.some(({ code }) => code === 'context_too_small')) {
    return new ServiceError('context_length_exceeded', message, { param: 'input' })
  }
  if (able.some(({ code }) => code === 'over_cost_cap')) {
    return new ServiceError('budget_exceeded', message, { headers: { 'x-should-retry': 'false' } })
  }
  return new ServiceError('no_capable_model', message)
}
