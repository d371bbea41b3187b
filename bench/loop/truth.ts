/** What is true of a request in a made-up world, and which figure each strategy saves. */
import { sigmoid } from '../../src/shared/models/quality-scale.ts'
import type { Estimate } from '../../src/shared/requests/detail.ts'
import { defaultWeights } from '../../src/shared/routers/routing-settings.ts'
import type { StrategyName } from '../../src/shared/routers/strategy-names.ts'
import { topicNames } from '../../src/shared/routers/topics.ts'
import type { ModelKnowledge, RoutingContext } from '../../src/service/routing/candidate.ts'
import { lnP90Prior } from '../../src/service/routing/expected-output.ts'
import { estimate } from '../../src/service/routing/estimate.ts'
import { sampleContext } from '../../test/routing/sample-candidates.ts'
import type { Contender } from '../../src/service/routing/strategies/strategy.ts'
import { lnUsualTokens, type Prompt, type TrueModel, type World } from './world.ts'

/** A model with its true figures. */
export interface TrueContender extends Contender {
  of: TrueModel
}

/** The same functions estimate from true knowledge as from what was learnt. */
export function truthOf(world: World, prompt: Prompt, context: RoutingContext): TrueContender[] {
  return world.models.map((model) => {
    const { candidate, logits } = model
    const known = trueKnowledge(model, lnUsualTokens(world, prompt.kind))
    const quality = sigmoid((logits[prompt.kind] ?? 0) - prompt.difficulty)
    const expected = { ...estimate(candidate, known, context), quality, qualityHalfWidth: 0 }
    return { model: candidate.modelId, position: candidate.position, estimate: expected, of: model }
  })
}

/** The true models for a usual prompt of the world, before anything changes. */
export function truthOfModels(world: World): TrueContender[] {
  const reading = {
    domains: [],
    topics: [],
    confidence: 1,
    gain: 0,
    difficulty: -1,
    difficultyReasons: [],
  }
  const prompt = { kind: 0, difficulty: -1, promptTokens: 200, reading }
  return truthOf(world, prompt, sampleContext({ promptTokens: 200, isStreamed: true }))
}

function trueKnowledge(model: TrueModel, lnUsual: number): ModelKnowledge {
  const ln = lnUsual + model.lnVerbosity
  return {
    feedback: null,
    own: null,
    latency: {
      firstTokenMs: model.firstTokenMs,
      msPerPromptToken: 0,
      msPerToken: model.msPerToken,
      p95Ratio: 1.85,
      source: 'learned',
      answers: 1e6,
      measuredShare: 1,
    },
    lnOutputTokens: topicNames.map(() => ln),
    lnP90: lnP90Prior,
    lengthAnswers: 1e6,
    load: 0,
  }
}

/** The strategies that learn; `priority` keeps its list whatever it learns. */
export const learning = [
  'cost_optimized',
  'latency_optimized',
  'quality_optimized',
  'carbon_optimized',
  'balanced',
  'adaptive',
] as const satisfies readonly StrategyName[]
export type LearningStrategy = (typeof learning)[number]

interface Aim {
  /** What the strategy saves; for those that weigh or break ties, the money. */
  figureOf(estimate: Estimate): number
  /** The quality that the best model's whole figure is worth, and that a good enough model may lack. */
  tolerance: number
}

const money = ({ costNanoUsd }: Estimate) => costNanoUsd
export const aims: Readonly<Record<LearningStrategy, Aim>> = {
  cost_optimized: { figureOf: money, tolerance: 0.08 },
  latency_optimized: { figureOf: ({ latencyMs }) => latencyMs, tolerance: 0.15 },
  quality_optimized: { figureOf: money, tolerance: 0 },
  carbon_optimized: { figureOf: ({ micrograms }) => micrograms, tolerance: 0.1 },
  balanced: { figureOf: money, tolerance: 0.1 },
  adaptive: { figureOf: money, tolerance: 0.08 },
}

/**
 * What a choice is worth in points of quality, where the best model's whole figure counts as much as the tolerance.
 * Regret is what the strategy's own choice with true figures, the oracle, is worth more.
 */
export function worthAmong(
  truth: readonly TrueContender[],
  strategy: LearningStrategy,
): (one: TrueContender) => number {
  const worthOf = strategy === 'balanced' ? balancedWorth(truth) : worthFor(aims[strategy], truth)
  return (one) => 100 * worthOf(one)
}

function worthFor({ figureOf, tolerance }: Aim, truth: readonly TrueContender[]) {
  const best = truth.reduce((a, b) => (b.estimate.quality > a.estimate.quality ? b : a))
  const whole = Math.max(1, figureOf(best.estimate))
  return ({ estimate: one }: TrueContender) => one.quality - (tolerance * figureOf(one)) / whole
}

/** Each figure by its place between the least and the greatest, on logarithms, as the strategy weighs it. */
function balancedWorth(truth: readonly TrueContender[]): (one: TrueContender) => number {
  const placeOf = (figureOf: (one: Estimate) => number) => {
    const lns = truth.map(({ estimate: one }) => Math.log(Math.max(1, figureOf(one))))
    const least = Math.min(...lns)
    const range = Math.max(...lns) - least
    return (one: Estimate) =>
      range === 0 ? 0 : (Math.log(Math.max(1, figureOf(one))) - least) / range
  }
  const cost = placeOf(money)
  const latency = placeOf(({ latencyMs }) => latencyMs)
  const carbon = placeOf(({ micrograms }) => micrograms)
  return ({ estimate: one }) =>
    one.quality -
    defaultWeights.cost * cost(one) -
    defaultWeights.latency * latency(one) -
    defaultWeights.carbon * carbon(one)
}
