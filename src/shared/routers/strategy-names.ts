/**
 * The strategies without their texts: the database's thread checks names only, and would load the translation of
 * messages with the texts.
 */

/** In the order in which the window and the command line list them. */
export const strategyNames = [
  'cost_optimized',
  'latency_optimized',
  'quality_optimized',
  'carbon_optimized',
  'balanced',
  'adaptive',
  'priority',
] as const

export type StrategyName = (typeof strategyNames)[number]
