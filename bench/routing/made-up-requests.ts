/** Requests of every kind generated from a seed: routers of all strategies, conversations, drafts. */
import { AgentMemory } from '../../src/service/chat/sessions/agent-memory.ts'
import { sampleRouter } from '../../test/storage/samples.ts'
import type { ChatRequest } from '../../src/shared/chat/chat.ts'
import type { LossAccount } from '../../src/shared/requests/detail.ts'
import { strategyNames } from '../../src/shared/routers/strategy-names.ts'
import type { Router } from '../../src/shared/entities.ts'
import { routingSettingsSchema } from '../../src/shared/routers/routing-settings.ts'
import { topicNames } from '../../src/shared/routers/topics.ts'
import { ConversationMemory } from '../../src/service/chat/learning/conversation-memory.ts'
import { PromptShares } from '../../src/service/chat/learning/prompt-shares.ts'
import { planChat } from '../../src/service/chat/plan.ts'
import type {
  Candidate,
  FeedbackCounts,
  ModelKnowledge,
} from '../../src/service/routing/candidate.ts'
import { candidate, priorKnowledge } from '../../test/routing/sample-candidates.ts'
import { seededRandom } from '../../training/reader/random.ts'
import { seeds } from '../../training/seeds.ts'

/** The ledger's record of a decision, and the model that answered. */
export interface MadeUpDecision {
  record: ReturnType<typeof planChat>['record']
  modelUsed: string
}

type Random = () => number

const oneIn = (random: Random, count: number) => random() < 1 / count
const pick = <Item>(random: Random, items: readonly Item[], otherwise: Item) =>
  items[Math.floor(random() * items.length)] ?? otherwise

/** The same seed gives the same sequence of requests. */
export function madeUpDecisions(count: number, seed: number): MadeUpDecision[] {
  const random = seededRandom(seed)
  let nowMs = 0
  const conversationMemory = new ConversationMemory(() => nowMs)
  return Array.from({ length: count }, (_, index) => {
    nowMs += random() * 60_000
    const candidates = Array.from({ length: 2 + Math.floor(random() * 11) }, (__, position) =>
      madeUpCandidate(random, position),
    )
    const known = new Map(candidates.map((one) => [one.modelId, madeUpKnowledge(random, one)]))
    const plan = planChat(madeUpCall(random, index), {
      agents: new AgentMemory(() => 0),
      pinOf: () => null,
      candidatesOf: () => candidates,
      conversationMemory,
      isPromptCachingOn: () => false,
      statistics: { mayLookAt: () => false },
      deployments: { isHealthy: () => true },
      knowledgeOf: (one) => known.get(one.modelId) ?? priorKnowledge(one),
      formOf: () => ({}),
      ownKinds: () => null,
      promptShares: new PromptShares(),
      spendingOf: () => ({
        qualityPerUsd: oneIn(random, 4) ? random() * 100 : 0,
        account: madeUpAccount(random),
      }),
    })
    const first = plan.ranked[0]?.model ?? ''
    // One in twenty fails, and the next model is tried.
    const modelUsed = oneIn(random, 20) ? (plan.ranked[1]?.model ?? first) : first
    if (plan.identity !== null) {
      const { promptTokens } = plan.record
      conversationMemory.answered(plan.identity, { modelId: modelUsed, promptTokens })
    }
    return { record: plan.record, modelUsed }
  })
}

function madeUpAccount(random: Random): LossAccount {
  return {
    choices: Math.floor(random() * 1_000),
    qualityPerMeanCost: 0.01 * 2 ** Math.floor(random() * 8),
    meanCostUsd: oneIn(random, 8) ? null : random() / 100,
  }
}

function madeUpCandidate(random: Random, position: number): Candidate {
  return candidate({
    modelId: `p:model-${position}`,
    position,
    // Rounded figures, so that some are equal and the tie-breaks are used.
    price: {
      inputUsdPerMtok: Math.ceil(random() * 8) / 2,
      outputUsdPerMtok: Math.ceil(random() * 12),
    },
    contextTokens: null,
    maxOutputTokens: null,
    quality: {
      points: 1100 + Math.round(random() * 20) * 20,
      strength: 25,
      offsets: oneIn(random, 2) ? topicNames.map(() => random() / 2 - 0.25) : null,
      basis: 'rated',
    },
  })
}

function madeUpKnowledge(random: Random, one: Candidate): ModelKnowledge {
  const prior = priorKnowledge(one)
  return {
    ...prior,
    feedback: oneIn(random, 2) ? madeUpFeedback(random) : null,
    latency: { ...prior.latency, firstTokenMs: 200 + Math.round(random() * 10) * 100 },
    load: Math.floor(random() * 9) / 8,
  }
}

function madeUpFeedback(random: Random): FeedbackCounts {
  const judged = () => topicNames.map(() => Math.floor(random() * 8))
  const [good, bad] = [judged(), judged()]
  const difficulty = topicNames.map(
    (_, topic) => ((good[topic] ?? 0) + (bad[topic] ?? 0)) * (random() * 4 - 3),
  )
  return { good, bad, difficulty }
}

function madeUpCall(random: Random, index: number): Parameters<typeof planChat>[0] {
  const body: ChatRequest = {
    messages: [
      { role: 'user', content: pick(random, seeds, { prompt: '', topic: 'everyday' }).prompt },
    ],
    stream: oneIn(random, 2),
  }
  // A conversation continues if its first message is known and an answer follows it.
  if (oneIn(random, 3)) {
    body.messages.push(
      { role: 'assistant', content: 'Yes.' },
      { role: 'user', content: 'And then?' },
    )
  }
  return {
    requestId: `request-${index}`,
    router: madeUpRouter(random),
    body,
    apiKeyId: null,
    source: 'api',
    acceptAnyModel: true,
    client: null,
    cacheUse: 'none',
  }
}

function madeUpRouter(random: Random): Router {
  const strategy = pick(random, strategyNames, 'cost_optimized')
  return sampleRouter({
    strategy,
    routing: routingSettingsSchema.parse({
      qualityTolerance: oneIn(random, 3) ? Math.round(random() * 50) / 100 : null,
      latencyPercentile: oneIn(random, 2) ? 95 : 50,
      explorationShare: oneIn(random, 4) ? 0.02 : 0,
    }),
  })
}
