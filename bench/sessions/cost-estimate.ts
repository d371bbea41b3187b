/**
 * Bar 9: what Modelport expects a session to cost, step by step before each answer, against what its vendor charged for
 * the reported tokens. Prompt and answer have their real lengths, so that the figure is about the cache and its prices.
 */
import { costNanoUsd } from '../../src/service/catalog/cost.ts'
import { loadCatalog } from '../../src/service/catalog/catalog.ts'
import { findCatalogModel } from '../../src/service/catalog/whose-models.ts'
import { ConversationMemory } from '../../src/service/chat/learning/conversation-memory.ts'
import { cacheRuleOf } from '../../src/service/routing/cache-rules.ts'
import { expectedCostNanoUsd } from '../../src/service/routing/expected-cost.ts'
import { cacheFlow, chargesForWriting } from '../../src/service/routing/prompt-cache.ts'
import { candidate } from '../../src/service/routing/sample-candidates.ts'
import type { Candidate } from '../../src/service/routing/candidate.ts'
import type { Measurement } from '../measurement.ts'
import { quantile } from '../quantile.ts'
import type { RecordedSession, RecordedStep, SessionSet } from './recorded.ts'

const mostError = 0.05

export function costBars(sets: readonly SessionSet[]): Measurement[] {
  return sets.flatMap(({ name, sessions }) => {
    const clock = { nowMs: 0 }
    // One memory for all, as in a running service: what a vendor without promise reads is learnt over sessions.
    const memory = new ConversationMemory(() => clock.nowMs)
    const costs = sessions.map((session) => costsOf(session, memory, clock))
    const errors = costs.map(({ expected, charged }) => expected / charged - 1)
    const sumOf = (field: 'expected' | 'charged') => costs.reduce((sum, one) => sum + one[field], 0)
    const within = errors.filter((error) => Math.abs(error) <= mostError).length
    const what = `bar 9, ${name}: sessions with an estimate within 5 % (${sessions.length})`
    return [
      { what, unit: '%', measured: (100 * within) / sessions.length, target: { atLeast: 90 } },
      {
        what: `bar 9, ${name}: median error of a session`,
        unit: '%',
        measured: 100 * quantile(errors.map(Math.abs), 0.5),
        target: null,
      },
      {
        what: `bar 9, ${name}: error of all sessions together`,
        unit: '%',
        measured: 100 * Math.abs(sumOf('expected') / sumOf('charged') - 1),
        target: { atMost: 5 },
      },
    ]
  })
}

const catalog = loadCatalog()

export function candidateOf(modelId: string): Candidate {
  const price = findCatalogModel(catalog, modelId)
  if (price === null) throw new Error(`the catalogue has no ${modelId}`)
  return candidate({ modelId, price })
}

function costsOf(
  { id, modelId, steps }: RecordedSession,
  memory: ConversationMemory,
  clock: { nowMs: number },
): { expected: number; charged: number } {
  const model = candidateOf(modelId)
  const startMs = clock.nowMs
  let charged = 0
  let expected = 0
  for (const step of steps) {
    clock.nowMs = startMs + step.startedMs
    const lastAnswer = memory.lastAnswerOf(id)
    const { promptTokens, outputTokens } = step
    const flow = cacheFlow(model, promptTokens, {
      lastAnswer,
      writesCache: () => chargesForWriting(model.price),
    })
    expected += expectedCostNanoUsd(model.price, { ...flow, promptTokens, outputTokens })
    charged += chargeOf(model, step)
    clock.nowMs = startMs + step.endedMs
    memory.answered(id, answerOf(model, step))
  }
  return { expected, charged }
}

function chargeOf({ price }: Candidate, step: RecordedStep): number {
  const { promptTokens, readTokens, writtenTokens, outputTokens } = step
  return costNanoUsd(price, {
    inputTokens: promptTokens - readTokens - writtenTokens,
    cacheReadTokens: readTokens,
    cacheWriteTokens: writtenTokens,
    outputTokens,
  })
}

function answerOf(model: Candidate, { promptTokens, readTokens, writtenTokens }: RecordedStep) {
  const { modelId } = model
  const { isPromised, lifetimeMs } = cacheRuleOf(model)
  if (!isPromised) return { modelId, promptTokens, readTokens }
  return { modelId, promptTokens, cachedTokens: readTokens + writtenTokens, lifetimeMs }
}
