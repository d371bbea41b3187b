/**
 * The life of one request, for every caller alike: HTTP, the chat window, later an agent's steps.
 * `admit` says whether it may be served (model, needs, limits, quota); what it gives serves it, meters
 * it and writes its one row into the ledger, however it ends.
 */
import type { RouterDecision, StrategyName } from '../../shared/chat.ts'
import type { DecisionRecord } from '../../shared/request-detail.ts'
import { ServiceError } from '../errors.ts'
import type { Candidate, Decision, RankedCandidate, RoutingContext } from '../routing/candidate.ts'
import { keepModel } from '../routing/keep-model.ts'
import { rank } from '../routing/rank.ts'
import { notAdjusted } from './adjust.ts'
import type { ChatCall, ChatDependencies, CompleteChat, Plan } from './chat-call.ts'
import { ChatRun } from './chat-run.ts'
import {
  awaitsToolResult,
  conversationIdentity,
  mayContinue,
  type ConversationMemory,
  type IdentifiedCall,
} from './conversation-memory.ts'
import type { Taken } from './limits.ts'
import { Meter } from './meter.ts'
import { readNeeds } from './request-needs.ts'

export function createCompleteChat(dependencies: ChatDependencies): CompleteChat {
  return {
    async admit(call) {
      const startedAtMs = dependencies.now()
      const { limits } = dependencies
      const planned = planChat(call, dependencies)
      const taken = limits.applyTo(call) ? await limits.take(call, planned) : null
      const plan = taken?.plan ?? planned
      const meter = new Meter({
        id: call.requestId,
        routerId: call.router.id,
        apiKeyId: call.apiKeyId,
        source: call.source,
        isStreamed: call.body.stream === true,
        client: call.client,
        decision: plan.record,
        startedAtMs,
        clock: dependencies.clock,
      })
      const quota = await countRequest(call, taken, dependencies)
      return {
        quota,
        cache: null,
        stream: (signal) => new ChatRun({ call, plan, meter, signal }, dependencies).stream(),
        complete: (signal) => new ChatRun({ call, plan, meter, signal }, dependencies).complete(),
      }
    },
  }
}

/** What refuses it here takes nothing else with it. */
function countRequest(call: ChatCall, taken: Taken | null, { quota }: ChatDependencies) {
  const counted = quota.take(call.router)
  if (taken === null) return counted
  return counted.catch((error: unknown) => {
    taken.giveBack()
    throw error
  })
}

/** The decision, or the error that says why none is possible. */
function planChat(call: ChatCall, { candidatesOf, conversationMemory }: ChatDependencies): Plan {
  const candidates = candidatesOf(call.router)
  const needs = readNeeds(call.body, call.requires)
  const pinned = pinnedCandidate(call, candidates)
  const strategy = pinned ? 'priority' : call.router.strategy
  const { ranked, excluded } = rank(pinned ? [pinned] : candidates, needs, strategy)
  if (ranked.length === 0 && excluded.length > 0) {
    const isTooLong = excluded.every(({ code }) => code === 'context_too_small')
    const reasons = excluded.map(({ candidate, reason }) => `${candidate.modelId} ${reason}`)
    throw new ServiceError(
      isTooLong ? 'context_length_exceeded' : 'no_capable_model',
      `No model of this router can take the request: ${reasons.join('; ')}.`,
      isTooLong ? { param: 'messages' } : {},
    )
  }
  if (ranked.length === 0) {
    throw new ServiceError(
      'all_models_unavailable',
      'None of the models of this router belongs to a configured provider. Add the provider or another model.',
      { headers: { 'x-should-retry': 'false' } },
    )
  }
  const decision = pinned ? 'pinned' : call.router.strategy
  // With nobody else to go to, all of it is spared.
  const identified = pinned || candidates.length < 2 ? null : identify(call)
  const order = identified
    ? continued(ranked, identified, { memory: conversationMemory, context: needs, strategy })
    : { ranked, keepsFirst: false, identity: null }
  return { ...order, record: toRecord({ ranked: order.ranked, excluded }, needs, decision) }
}

/** The order with regard to the conversation so far. */
function continued(
  ranked: readonly RankedCandidate[],
  identified: IdentifiedCall,
  known: { memory: ConversationMemory; context: RoutingContext; strategy: StrategyName },
): Omit<Plan, 'record'> {
  const identity = conversationIdentity(identified)
  const turn = mayContinue(identified) ? known.memory.lastTurn(identity) : null
  if (turn === null) return { ranked, keepsFirst: false, identity }
  const isToolPending = awaitsToolResult(identified.body)
  return { ...keepModel(ranked, turn, { ...known, isToolPending }), identity }
}

/** Null, at no cost, where the order is a person's and no tool can be called. */
function identify(call: ChatCall): IdentifiedCall | null {
  const { router, body, apiKeyId, conversation = null } = call
  const callsTools = (body.tools?.length ?? 0) > 0 || awaitsToolResult(body)
  if (router.strategy === 'priority' && !callsTools) return null
  return { routerId: router.id, apiKeyId, conversation, body }
}

function toRecord(
  { ranked, excluded }: Decision,
  { promptTokens, needs }: RoutingContext,
  strategy: RouterDecision,
): DecisionRecord {
  return {
    strategy,
    promptTokens,
    needs: [...needs],
    ranked: ranked.map(({ candidate, reason }) => ({ model: candidate.modelId, reason })),
    excluded: excluded.map(({ candidate, code, reason }) => ({
      model: candidate.modelId,
      code,
      reason,
    })),
    adjusted: notAdjusted,
  }
}

/** Null where the router decides. */
function pinnedCandidate(call: ChatCall, candidates: readonly Candidate[]): Candidate | null {
  const model = call.body.model ?? ''
  if (model === '' || model === 'auto') return null
  if (model.startsWith('agent:')) {
    throw new ServiceError('agent_not_found', `There is no agent "${model.slice(6)}".`, {
      param: 'model',
    })
  }
  const pinned = candidates.find((candidate) => candidate.modelId === model)
  if (pinned) return pinned
  if (call.acceptAnyModel) return null
  const accepted = ['auto', ...candidates.map((candidate) => candidate.modelId)]
  throw new ServiceError(
    'model_not_found',
    `This router does not have the model "${model}". Leave "model" empty or send one of: ${accepted.join(', ')}.`,
    { param: 'model' },
  )
}
