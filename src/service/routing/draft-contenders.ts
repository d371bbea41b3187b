/**
 * The models that could have taken a recorded request under a draft of the router's settings. A model that was
 * compared then keeps its recorded estimate. A model that was not yet in the router is estimated now, from the
 * recorded reading of the prompt.
 */
import { domainNames } from '../../shared/app/domains.ts'
import type { DecisionRecord } from '../../shared/requests/detail.ts'
import { topicNames } from '../../shared/routers/topics.ts'
import type {
  Candidate,
  ModelKnowledge,
  PromptReading,
  RoutingContext,
  RoutingPolicy,
} from './candidate.ts'
import { whyExcluded } from './constraints.ts'
import { mayChooseEffort, rank } from './rank.ts'
import type { Contender } from './strategies/strategy.ts'

export interface RouterUnderDraft {
  /** The models of the draft, in its order. */
  candidates: readonly Candidate[]
  policy: RoutingPolicy
  knowledgeOf(candidate: Candidate, isStreamed: boolean): ModelKnowledge
}

export function contendersUnder(
  { candidates, policy, knowledgeOf }: RouterUnderDraft,
  decision: DecisionRecord,
): readonly Contender[] {
  const { isStreamed } = decision
  const context = contextOf(decision)
  return candidates.flatMap((candidate) => {
    const recorded = recordedFor(candidate, decision)
    if (recorded.length === 0) {
      // The recorded estimates are of all answers, whose number is not recorded.
      if (decision.needs.includes('n')) return []
      const known = (one: Candidate) => ({ ...knowledgeOf(one, isStreamed), load: 0 })
      return [...rank([candidate], { knowledgeOf: known, context, policy }).ranked]
    }
    const wasRanked = decision.ranked.some(({ model }) => model === candidate.modelId)
    // It fitted then, by more than is recorded: doors whose answers may be shorter, and the density of the text.
    const needed = wasRanked ? { ...context, promptTokens: 0, maxOutputTokens: null } : context
    const able = recorded.filter(
      (one) => whyExcluded({ ...one, candidate }, needed, policy) === null,
    )
    return mayChooseEffort(context, policy) ? able : atOwnEffort(candidate, able)
  })
}

/** The candidate at each reasoning effort that was compared; only once for a model that was excluded. */
function recordedFor(candidate: Candidate, { ranked, excluded }: DecisionRecord): Contender[] {
  return [...ranked, ...excluded].flatMap(({ model, effort, estimate }) => {
    if (model !== candidate.modelId) return []
    return [{ model, effort, position: candidate.position, estimate }]
  })
}

/** The candidate at the effort that is sent when the router chooses none; at the caller's, where it is the only one. */
function atOwnEffort({ effort }: Candidate, recorded: readonly Contender[]): Contender[] {
  const own = recorded.find((one) => (one.effort ?? null) === effort) ?? recorded[0]
  return own === undefined ? [] : [own]
}

function contextOf(decision: DecisionRecord): RoutingContext {
  const { promptTokens, maxOutputTokens, needs, isStreamed, reading } = decision
  return {
    promptTokens,
    maxOutputTokens,
    needs,
    isStreamed,
    effort: null,
    reading: reading && readingOf(reading),
    lastAnswer: null,
  }
}

function readingOf(recorded: NonNullable<DecisionRecord['reading']>): PromptReading {
  return {
    domains: spread(domainNames, recorded.domains),
    topics: spread(topicNames, recorded.topics),
    confidence: recorded.confidence,
    // Only the reader of prompts uses it.
    gain: 0,
    difficulty: recorded.difficulty,
  }
}

/** Probabilities of all kinds. Only the likeliest are recorded: the others share the rest equally. */
function spread<Name>(
  names: readonly Name[],
  recorded: readonly (readonly [Name, number])[],
): number[] {
  const known = new Map(recorded)
  const rest = Math.max(0, 1 - recorded.reduce((sum, [, probability]) => sum + probability, 0))
  const others = names.length - known.size
  return names.map((name) => known.get(name) ?? rest / others)
}
