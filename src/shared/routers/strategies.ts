/**
 * The strategies that a router can have: their texts in the window, and the properties that the rest of the
 * program needs. `service/routing/strategies/` implements their ranking.
 */
import { t } from '../strings/strings.ts'
import type { StrategyName } from './strategy-names.ts'

export interface StrategyProfile {
  /** The name in the window. */
  label: string
  /** One sentence that describes what the strategy does. */
  description: string
  /**
   * How far a model's expected quality may be below the best model's without excluding it; a router can set
   * another value. Null: the strategy has no such limit of its own.
   */
  qualityTolerance: number | null
  /** Spends an account of allowed loss, unless the router sets a tolerance. */
  spendsAccount: boolean
  /** The figure that explanations of its choices compare. */
  saves: 'money' | 'time' | 'grams'
  /** Reads the router's `weights`. */
  usesWeights: boolean
  /** Reads the router's `latencyPercentile`. */
  usesLatencyPercentile: boolean
  /** Feedback on answers changes the expected quality. */
  learnsFromFeedback: boolean
  /** Sends the router's `explorationShare` of requests to another model that is good enough. */
  explores: boolean
  /** Uses the router's list unchanged: no load balancing, no pacing, no sticky conversations. */
  keepsListOrder: boolean
}

const plain = {
  qualityTolerance: null,
  spendsAccount: false,
  saves: 'money',
  usesWeights: false,
  usesLatencyPercentile: false,
  learnsFromFeedback: false,
  explores: false,
  keepsListOrder: false,
} as const

export const strategyProfiles: Readonly<Record<StrategyName, StrategyProfile>> = {
  cost_optimized: {
    ...plain,
    label: t('Cost optimized'),
    description: t(
      'Saves as much as it can while keeping 95 % of the quality of the model expected to be best, on average.',
    ),
    spendsAccount: true,
  },
  latency_optimized: {
    ...plain,
    label: t('Latency optimized'),
    description: t('Uses the fastest model with good expected quality.'),
    qualityTolerance: 0.15,
    saves: 'time',
    usesLatencyPercentile: true,
  },
  quality_optimized: {
    ...plain,
    label: t('Quality optimized'),
    description: t('Uses the model with the best expected quality at any cost.'),
  },
  carbon_optimized: {
    ...plain,
    label: t('Carbon optimized'),
    description: t(
      'Uses the model with the lowest emissions and nearly the best expected quality.',
    ),
    qualityTolerance: 0.1,
    saves: 'grams',
  },
  balanced: {
    ...plain,
    label: t('Balanced'),
    description: t('Weighs expected quality against cost, time and carbon.'),
    usesWeights: true,
  },
  adaptive: {
    ...plain,
    label: t('Adaptive'),
    description: t('Like Cost optimized, and learns from your feedback and regenerated answers.'),
    spendsAccount: true,
    learnsFromFeedback: true,
    explores: true,
  },
  priority: {
    ...plain,
    label: t('Priority'),
    description: t('Uses the first available model in your list.'),
    keepsListOrder: true,
  },
}
