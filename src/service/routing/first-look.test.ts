import { describe, expect, test } from 'vitest'
import type { StrategyName } from '../../shared/routers/strategy-names.ts'
import type { Candidate, ModelKnowledge } from './candidate.ts'
import { firstLook, type LookOptions } from './first-look.ts'
import { rank } from './rank.ts'
import {
  candidate,
  sampleContext,
  samplePolicy,
  priorKnowledge,
} from '../../../test/routing/sample-candidates.ts'

const dear = candidate({ modelId: 'p:dear', position: 0 })
const alike = candidate({
  modelId: 'p:alike',
  position: 1,
  price: { inputUsdPerMtok: 1, outputUsdPerMtok: 2.2 },
})

/** Knowledge of a model: both models have the same length and speed; only the first has answers. */
function knownOf(one: Candidate, answers = one.modelId === dear.modelId ? 25 : 0): ModelKnowledge {
  const prior = priorKnowledge(one)
  const measured = { answers, measuredShare: answers / (answers + 1) }
  return { ...prior, lengthAnswers: answers, latency: { ...prior.latency, ...measured } }
}

function look(
  strategy: StrategyName,
  given: Partial<LookOptions> & { candidates?: readonly Candidate[] } = {},
) {
  const { candidates = [dear, alike], ...options } = given
  const all = {
    knowledgeOf: knownOf,
    context: sampleContext({ promptTokens: 100, isStreamed: true }),
    policy: samplePolicy({ strategy }),
    mayLookAt: () => true,
    ...options,
  }
  return firstLook(rank(candidates, all).ranked, all)
}

describe('a model without answers', () => {
  test.each<StrategyName>(['cost_optimized', 'adaptive', 'balanced', 'quality_optimized'])(
    'that may well be cheaper is looked at once by %s',
    (strategy) => {
      const looked = look(strategy)
      expect(looked?.ranked.map(({ model }) => model)).toEqual(['p:alike', 'p:dear'])
      expect(looked?.look).toMatchObject({ insteadOf: 'p:dear', answers: 0 })
    },
  )

  test('that may well be faster is looked at by latency_optimized, also if its speed is assumed', () => {
    const speed = { firstTokenMs: 900, msPerToken: 20 }
    const looked = look('latency_optimized', { candidates: [{ ...dear, speed }, alike] })
    expect(looked?.look.insteadOf).toBe('p:dear')
    expect(looked?.look.latencyMs).toBeLessThan(2_000)
  })

  test('is not looked at when it would not be the choice even then', () => {
    const price = { inputUsdPerMtok: 10, outputUsdPerMtok: 20 }
    expect(look('cost_optimized', { candidates: [dear, { ...alike, price }] })).toBeNull()
    expect(look('priority')).toBeNull()
  })

  test('is not looked at beyond the share of looks, and no longer with three answers', () => {
    expect(look('cost_optimized', { mayLookAt: () => false })).toBeNull()
    const known = (answers: number) => (one: Candidate) =>
      one === dear ? knownOf(one) : knownOf(one, answers)
    expect(look('cost_optimized', { knowledgeOf: known(2) })).not.toBeNull()
    expect(look('cost_optimized', { knowledgeOf: known(3) })).toBeNull()
  })

  test('is not looked at while the choice itself is unknown', () => {
    expect(look('cost_optimized', { knowledgeOf: (one) => knownOf(one, 2) })).toBeNull()
  })

  test('that the maximum cost excludes is not looked at', () => {
    const [, { estimate }] = rank([dear, alike], {
      knowledgeOf: knownOf,
      context: sampleContext({ promptTokens: 100, isStreamed: true }),
      policy: samplePolicy(),
    }).ranked as [unknown, { estimate: { costP90NanoUsd: number } }]
    const maxCostUsdPerRequest = (estimate.costP90NanoUsd - 1) / 1e9
    expect(look('cost_optimized', { policy: samplePolicy({ maxCostUsdPerRequest }) })).toBeNull()
  })
})
