/** A router that samples, its answered requests, and a sampler with fake models and the real store. */
import type { Router } from '../../src/shared/entities.ts'
import { routingSettingsSchema } from '../../src/shared/routers/routing-settings.ts'
import type { ShadowSettings } from '../../src/shared/routers/shadow-settings.ts'
import type { DecisionRecord } from '../../src/shared/requests/detail.ts'
import type { AnsweredRequest } from '../../src/service/chat/learning/shadow-answers.ts'
import { candidate, sampleEstimate } from '../routing/sample-candidates.ts'
import type { AskOutcome, AskModel } from '../../src/service/tuning/asker.ts'
import {
  ShadowSampler,
  type ShadowSamplerOptions,
} from '../../src/service/tuning/shadow/shadow-sampler.ts'
import { shadowStoreInMemory } from './tuning-store.ts'

const models = ['p:gpt-first', 'p:llama-second', 'p:qwen-third']

export function sampledRouter(shadow: Partial<ShadowSettings> = {}): Router {
  const judge = 'p:claude-judge'
  return {
    id: 'router_1',
    name: 'Everyday',
    strategy: 'priority',
    models,
    tier: 'enterprise',
    dailyLimit: null,
    cacheTtlSeconds: null,
    timeLimits: {},
    hedge: null,
    routing: routingSettingsSchema.parse({
      shadow: { share: 1, maxUsdPerDay: 10, judge, ...shadow },
    }),
    requestsPerMinute: null,
    budgetUsdPerDay: null,
    budgetUsdPerMonth: null,
    createdAtMs: 0,
    updatedAtMs: 0,
  }
}

/** The decision put these models in this order. */
export function decided(ranked: readonly Partial<DecisionRecord['ranked'][number]>[]) {
  const rows = ranked.map((one, position) => ({
    model: '',
    position,
    reason: null,
    estimate: sampleEstimate(),
    ...one,
  }))
  const decision: DecisionRecord = {
    strategy: 'priority',
    promptTokens: 10,
    maxOutputTokens: null,
    isStreamed: false,
    needs: [],
    parameters: null,
    reading: null,
    ranked: rows,
    excluded: [],
    kept: null,
    drawnWith: null,
    adjusted: [],
  }
  return decision
}

export function answeredRequest(given: Partial<AnsweredRequest> = {}): AnsweredRequest {
  return {
    router: sampledRouter(),
    body: { messages: [{ role: 'user', content: 'Why do tides follow the moon?' }] },
    decision: decided(models.map((model) => ({ model }))),
    model: 'p:gpt-first',
    text: 'The moon pulls the water.',
    costNanoUsd: 1_000,
    latencyMs: 10,
    outputTokens: 6,
    ...given,
  }
}

const verdict = JSON.stringify({
  kind: 'everyday_science',
  first_acceptable: true,
  second_acceptable: true,
  better: 'tie',
})

export const answering: AskModel = ({ isJudge }) => Promise.resolve(answered(isJudge))

function answered(isJudge: boolean): AskOutcome {
  const text = isJudge ? verdict : 'The moon.'
  const costs = { costNanoUsd: 5, latencyMs: 1, outputTokens: 2 }
  return { kind: 'answered', text, isCut: false, ...costs }
}

/** Creates a sampler whose errors fail the test. */
export function newSampler(given: Partial<ShadowSamplerOptions> = {}) {
  const router = sampledRouter()
  const candidates = [...models, 'p:claude-judge'].map((modelId) => candidate({ modelId }))
  const store = given.store ?? shadowStoreInMemory()
  const asked: string[] = []
  let ids = 0
  const { askerFor = () => answering } = given
  const sampler = new ShadowSampler({
    store,
    routers: () => new Map([[router.id, router]]),
    candidatesOf: () => candidates,
    isUsable: () => true,
    knowledgeOf: () => ({ lnOutputTokens: [] }),
    judgedPrompts: () => [],
    newId: () => `00000000-0000-4000-8000-${String((ids += 1)).padStart(12, '0')}`,
    newFence: () => 'fence',
    random: () => 0,
    now: () => 0,
    afterAnswer: () => Promise.resolve(),
    onError(error) {
      throw error
    },
    ...given,
    askerFor: (tuned) => async (question, signal) => {
      asked.push(question.candidate.modelId)
      return await askerFor(tuned)(question, signal)
    },
  })
  return { sampler, asked }
}

export function deferred(): { promise: Promise<void>; resolve(): void } {
  let resolve = () => {}
  const promise = new Promise<void>((done) => {
    resolve = done
  })
  return { promise, resolve }
}
