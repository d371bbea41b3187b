/** Plans which models a request may go to, in which order, and records why. */
import type { ChatRequest } from '../../shared/chat/chat.ts'
import { makesEmbeddings } from '../../shared/models/model-abilities.ts'
import type { DecisionRecord, FirstLook } from '../../shared/requests/detail.ts'
import { isMoved, type SessionChange } from '../../shared/requests/session-change.ts'
import { strategyProfiles } from '../../shared/routers/strategies.ts'
import { ServiceError } from '../errors.ts'
import {
  isNamed,
  type Candidate,
  type Decision,
  type EstimatedCandidate,
  type ExcludedCandidate,
  type ExplainedReading,
  type LastAnswer,
  type RankedCandidate,
  type RoutingContext,
  type WritesCache,
} from '../routing/candidate.ts'
import { explore } from '../routing/explore.ts'
import { firstLook, type LookOptions } from '../routing/first-look.ts'
import { putFirst, whyKept } from '../routing/keep-model.ts'
import { cacheRuleOf } from '../routing/cache-rules.ts'
import { chargesForWriting, paysToMark, warmCache } from '../routing/prompt-cache.ts'
import { policyOf } from '../routing/parameters.ts'
import type { PromptText } from '../routing/prompt/prompt-features.ts'
import { readPrompt } from '../routing/prompt/read-prompt.ts'
import { shippedWeights } from '../routing/prompt/routing-weights.ts'
import { expectedPromptTokens } from '../routing/prompt-size.ts'
import { oncePerModel, rank } from '../routing/rank.ts'
import { modelName, notAdjusted } from './attempts/adjust.ts'
import { choiceOfCall } from './sessions/choice-of-call.ts'
import type { SessionChoice } from './sessions/session-choice.ts'
import type { ChatCall, Plan } from './chat-call.ts'
import type { ChatDependencies } from './chat-dependencies.ts'
import {
  awaitsToolResult,
  cacheScope,
  conversationIdentity,
  mayContinue,
} from './learning/conversation-memory.ts'
import { identify } from './learning/identify.ts'
import { promptText } from './prompt-text.ts'
import { readingRecord } from './reading-record.ts'
import { readNeeds, withDensity } from './admission/request-needs.ts'
import { checkingFirst, fitForOriginal } from './fit-for-original.ts'

type PlanDependencies = Pick<
  ChatDependencies,
  | 'agents'
  | 'candidatesOf'
  | 'conversationMemory'
  | 'formOf'
  | 'knowledgeOf'
  | 'ownKinds'
  | 'promptShares'
  | 'spendingOf'
  | 'isPromptCachingOn'
  | 'pinOf'
> & {
  statistics: Pick<ChatDependencies['statistics'], 'mayLookAt'>
  deployments: Pick<ChatDependencies['deployments'], 'isHealthy'>
}

/** @throws ServiceError model_not_found, agent_not_found, no_capable_model, context_length_exceeded, … */
export function planChat(call: ChatCall, dependencies: PlanDependencies): Plan {
  const { router, body, requires } = call
  const all = dependencies.candidatesOf(router)
  const chatting = withoutEmbeddings(all)
  const pinned = pinnedCandidate(call, all, chatting)
  const candidates = fitForOriginal(call, pinned ? [pinned] : chatting, dependencies)
  const { lastAnswer, ...conversation } = conversationOf(call, candidates, dependencies)
  const { identity } = conversation
  const writesCache = writesCacheOf(call, candidates, { lastAnswer, ...conversation })
  // Tuning runs and shadow samples ask one model at a time, and teach how long answers of each topic are.
  const isGraded = call.source === 'tune' || call.source === 'shadow'
  const isRead = (hasChoice(candidates) && !pinned) || isGraded
  const reading = isRead ? readingOf(call, identity, dependencies) : null
  const takesShorter = call.original !== undefined
  const leastShares = dependencies.promptShares.least
  const needs = { ...readNeeds(body, requires), leastShares, takesShorter, reading, lastAnswer }
  const context = { ...withDensity(needs, candidates, body), writesCache }
  const pacedTokens = expectedPromptTokens(candidates[0] ?? { modelId: '' }, context)
  const spending = dependencies.spendingOf(router, chatting, pacedTokens)
  const routerPolicy = policyOf(router, spending)
  // A model that the request names runs at its provider's default effort.
  const policy = pinned ? { ...routerPolicy, chooseEffort: false } : routerPolicy
  const knowledgeOf = (one: Candidate) =>
    dependencies.knowledgeOf(one, { routerId: router.id, isStreamed: context.isStreamed })
  // Without a model that chats, the others say why they cannot.
  const ranked = candidates.length === 0 ? all : candidates
  const options = { knowledgeOf, context, policy }
  const decision = rank(ranked, options)
  if (decision.ranked.length === 0) throw noCandidateLeft(decision.excluded)
  const fitting = checkingFirst(call, decision.ranked, dependencies)
  const arranged = pinned
    ? asRanked(fitting)
    : arrange(fitting, call, {
        ...options,
        sessionModel: sessionModel(call, dependencies),
        choose: () => choiceOfCall(call, { ranked: fitting, context, dependencies }),
        mayLookAt: (one) =>
          dependencies.statistics.mayLookAt(one, router.id) &&
          dependencies.deployments.isHealthy(one.modelId),
      })
  return {
    ranked: oncePerModel(arranged.ranked),
    keepsFirst: keepsFirst(arranged),
    ...conversation,
    prompt: context,
    record: {
      ...requestRecord(context, arranged.ranked[0]?.candidate),
      strategy: pinned ? 'pinned' : router.strategy,
      parameters: pinned ? null : policy.parameters,
      ranked: arranged.ranked.map(rankedRecord),
      excluded: decision.excluded.map(excludedRecord),
      ...arrangedRecord(arranged),
      adjusted: notAdjusted,
      ...warmCacheRecord(decision, context),
    },
  }
}

const noText: PromptText = { lastUser: '', system: '' }

function readingOf(
  { body, asker, router }: ChatCall,
  identity: string | null,
  { ownKinds, conversationMemory }: PlanDependencies,
): ExplainedReading | null {
  const client = asker?.client ?? null
  const read = (text: PromptText) => readPrompt(text, shippedWeights(), ownKinds(router.id))
  // A summary of the task is no new one.
  const text = asker?.kind === 'compaction' ? noText : promptText(body, client)
  if (client === null) return read(text)
  if (identity === null) return text.lastUser === '' ? null : read(text)
  return conversationMemory.taskReadings.of(identity, text, read)
}

interface Conversation extends Pick<Plan, 'identity' | 'cacheHistory'> {
  lastAnswer: LastAnswer | null
}

/** The conversation that the request belongs to, and what is remembered of it. */
function conversationOf(
  call: ChatCall,
  candidates: readonly Candidate[],
  { conversationMemory, isPromptCachingOn }: PlanDependencies,
): Conversation {
  const marksPrompts =
    isPromptCachingOn() && candidates.some(({ price }) => chargesForWriting(price))
  // With a single candidate and no marks there is nothing to identify.
  const identified = marksPrompts || candidates.length > 1 ? identify(call, marksPrompts) : null
  if (identified === null) return { identity: null, lastAnswer: null }
  const identity = conversationIdentity(identified)
  const lastAnswer = mayContinue(identified) ? conversationMemory.lastAnswerOf(identity) : null
  if (!marksPrompts) return { identity, lastAnswer }
  const continuedShare = conversationMemory.continuedShare(cacheScope(identified))
  const cacheHistory = { isContinued: lastAnswer !== null, continuedShare }
  return { identity, lastAnswer, cacheHistory }
}

const writesNothing: WritesCache = () => false

function writesCacheOf(
  { asker, original }: ChatCall,
  candidates: readonly Candidate[],
  { lastAnswer, cacheHistory }: Conversation,
): WritesCache {
  if (!candidates.some(({ price }) => chargesForWriting(price))) return writesNothing
  const marksAlways = asker?.client === 'claude-code' || asker?.client === 'opencode'
  const isMarked =
    marksAlways ||
    (lastAnswer === null
      ? original?.text.includes('"cache_control"') === true
      : (lastAnswer.cachedTokens ?? 0) > 0)
  return (candidate) =>
    chargesForWriting(candidate.price) &&
    (isMarked ||
      cacheRuleOf(candidate).writesUnasked ||
      (cacheHistory !== undefined && paysToMark(candidate.price, cacheHistory)))
}

function warmCacheRecord(
  { ranked, excluded }: Decision,
  context: RoutingContext,
): Pick<DecisionRecord, 'warmCache'> {
  if (context.lastAnswer === null) return {}
  const warm = warmCache([...ranked, ...excluded], context)
  return warm === null ? {} : { warmCache: warm }
}

function withoutEmbeddings(candidates: Candidate[]): Candidate[] {
  return candidates.some(makesEmbeddings)
    ? candidates.filter((candidate) => !makesEmbeddings(candidate))
    : candidates
}

/** Whether there is a choice between models, or between reasoning efforts of one. */
function hasChoice([first, ...others]: readonly Candidate[]): boolean {
  return others.length > 0 || (first?.otherEfforts.length ?? 0) > 0
}

interface Arrangement {
  ranked: readonly EstimatedCandidate[]
  kept: DecisionRecord['kept']
  drawnWith: number | null
  look: FirstLook | null
  change?: SessionChange | undefined
}

/** What of the arrangement is recorded. */
function arrangedRecord({ kept, drawnWith, look, change }: Arrangement) {
  return { kept, drawnWith, ...(look && { look }), ...(change && { change }) }
}

function keepsFirst({ kept, look, change }: Arrangement): boolean {
  return kept !== null || look !== null || isMoved(change)
}

function asRanked(ranked: readonly EstimatedCandidate[]): Arrangement {
  return { ranked, kept: null, drawnWith: null, look: null }
}

/** The model that a person chose for the session; null for none, and for requests of subagents and on the side. */
function sessionModel(
  { asker, apiKeyId }: ChatCall,
  { pinOf }: Pick<PlanDependencies, 'pinOf'>,
): string | null {
  if (asker === undefined || asker.session === null) return null
  return asker.kind === 'main' || asker.kind === 'compaction'
    ? pinOf({ sessionId: asker.session, apiKeyId })
    : null
}

/** The order after keeping the conversation's model, after a first look, or after exploring. */
function arrange(
  ranked: readonly RankedCandidate[],
  call: ChatCall,
  options: LookOptions & { sessionModel: string | null; choose: () => SessionChoice | null },
): Arrangement {
  const choice = options.sessionModel === null ? options.choose() : null
  if (choice === null) return arrangeUnruled(ranked, call, options)
  const { model, kept, change } = choice
  const ruled = change ?? undefined
  if (model === null) return { ...arrangeUnruled(ranked, call, options), change: ruled }
  const effort = options.context.lastAnswer?.effort ?? null
  return { ...asRanked(atEffort(effort, putFirst(model, ranked))), kept, change: ruled }
}

/** At the effort before where it is a choice: another one has a cache of its own. */
function atEffort(
  effort: string | null,
  ranked: readonly EstimatedCandidate[],
): readonly EstimatedCandidate[] {
  const [first] = ranked
  const same = ranked.find((one) => one.model === first?.model && one.effort === effort)
  return same === undefined ? ranked : [same, ...ranked.filter((one) => one !== same)]
}

function arrangeUnruled(
  ranked: readonly RankedCandidate[],
  { router, body, requestId }: ChatCall,
  options: LookOptions & { sessionModel: string | null },
): Arrangement {
  const { policy, context, sessionModel: pin } = options
  const { lastAnswer } = context
  const isToolPending = awaitsToolResult(body)
  const keep = { ...policy, isToolPending, isSticky: router.routing.sticky }
  const kept = lastAnswer && whyKept(lastAnswer.modelId, ranked, keep)
  if (pin !== null && kept !== 'tool' && ranked.some(({ model }) => model === pin)) {
    return { ...asRanked(putFirst(pin, ranked)), kept: 'session' }
  }
  if (lastAnswer && kept) {
    return { ...asRanked(putFirst(lastAnswer.modelId, ranked)), kept }
  }
  // A conversation keeps its tone, and what a cascade accepts is not ranked.
  const mayLook = lastAnswer === null && !isToolPending && router.routing.cascade === null
  const looked = mayLook ? firstLook(ranked, options) : null
  if (looked) return { ...asRanked(looked.ranked), look: looked.look }
  const { explores } = strategyProfiles[router.strategy]
  const share = explores ? router.routing.explorationShare : 0
  if (share === 0) return asRanked(ranked)
  const { parameters } = policy
  return { ...asRanked(ranked), ...explore(ranked, { share, parameters, requestId }) }
}

/** Why no candidate is left, in words that the caller can act on. */
function noCandidateLeft(excluded: readonly ExcludedCandidate[]): ServiceError {
  if (excluded.length === 0) {
    return new ServiceError(
      'all_models_unavailable',
      'No model of this router belongs to a configured provider. Add the provider or another model.',
      { headers: { 'x-should-retry': 'false' } },
    )
  }
  const reasons = excluded.map(({ model, reason }) => `${model} ${reason}`).join('; ')
  const message = `No model of this router can take the request: ${reasons}.`
  if (excluded.every(({ code }) => code === 'context_too_small')) {
    return new ServiceError('context_length_exceeded', message, { param: 'messages' })
  }
  if (excluded.every(({ code }) => code === 'over_cost_cap')) {
    return new ServiceError('budget_exceeded', message, { headers: { 'x-should-retry': 'false' } })
  }
  return new ServiceError('no_capable_model', message)
}

/** @param first  whose count of the prompt is recorded; without media, all have the same */
export function requestRecord(
  context: RoutingContext & { reading: ExplainedReading | null },
  first: Pick<Candidate, 'modelId'> = { modelId: '' },
): Pick<DecisionRecord, 'promptTokens' | 'maxOutputTokens' | 'isStreamed' | 'needs' | 'reading'> {
  const { maxOutputTokens, isStreamed, needs, reading } = context
  return {
    promptTokens: expectedPromptTokens(first, context),
    maxOutputTokens,
    isStreamed,
    needs: [...needs],
    reading: reading && readingRecord(reading),
  }
}

export function rankedRecord(one: EstimatedCandidate): DecisionRecord['ranked'][number] {
  const { model, position, estimate } = one
  return { model, ...effortOf(one), position, reason: null, estimate }
}

export function excludedRecord(one: ExcludedCandidate): DecisionRecord['excluded'][number] {
  const { model, position, code, reason, estimate } = one
  return { model, ...effortOf(one), position, code, reason, estimate }
}

function effortOf({ effort }: EstimatedCandidate): { effort?: string } {
  return effort === undefined ? {} : { effort }
}

/**
 * The model that the request names; null when the router decides.
 * @param named  the models that the error for an unknown name lists
 */
export function pinnedCandidate(
  call: Pick<ChatCall, 'acceptAnyModel' | 'asker'> & { body: Pick<ChatRequest, 'model'> },
  candidates: readonly Candidate[],
  named: readonly Candidate[],
): Candidate | null {
  const model = call.body.model ?? ''
  if (model === '' || model === 'auto') return null
  if (model.startsWith('agent:')) {
    throw new ServiceError('agent_not_found', `There is no agent "${model.slice(6)}".`, {
      param: 'model',
    })
  }
  // Tools of such keys send back the names that they read in answers.
  if (call.acceptAnyModel) {
    return call.asker?.kind === 'safety' ? namedByVendor(candidates, model) : null
  }
  const pinned = candidates.find((candidate) => isNamed(candidate, model))
  if (pinned) return pinned
  const accepted = ['auto', ...named.map((candidate) => candidate.modelId)]
  throw new ServiceError(
    'model_not_found',
    `This router does not have the model "${model}". Leave "model" empty or send one of: ${accepted.join(', ')}.`,
    { param: 'model' },
  )
}

/** A tool asks for a model by its vendor's name, whichever provider has it here. */
function namedByVendor(candidates: readonly Candidate[], model: string): Candidate | null {
  return candidates.find((one) => isNamed(one, model) || modelName(one.modelId) === model) ?? null
}
