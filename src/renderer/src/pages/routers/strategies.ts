import { strategyNames, type StrategyName } from '../../../../shared/chat.ts'

const strategies: Record<StrategyName, { label: string; line: string }> = {
  cost_optimized: {
    label: 'Cost optimized',
    line: 'Takes the cheapest of the models that answer nearly as well as the best.',
  },
  latency_optimized: {
    label: 'Latency optimized',
    line: 'Takes the quickest of the models that are good enough.',
  },
  quality_optimized: {
    label: 'Quality optimized',
    line: 'Takes the model expected to answer best, whatever it costs.',
  },
  carbon_optimized: {
    label: 'Carbon optimized',
    line: 'Takes the model that emits least of those that answer nearly as well as the best.',
  },
  balanced: {
    label: 'Balanced',
    line: 'Weighs expected quality against cost, time and carbon.',
  },
  adaptive: {
    label: 'Adaptive',
    line: 'As cost optimized, and learns from your thumbs and regenerated answers.',
  },
  priority: {
    label: 'Priority',
    line: 'Takes the first model in your order that can answer.',
  },
}

/** The strategies as the form offers them. */
export const strategyChoices = strategyNames.map((value) => ({
  value,
  label: strategies[value].label,
  hint: strategies[value].line,
}))

export function strategyLabel(strategy: StrategyName): string {
  return strategies[strategy].label
}

/** What the strategy does, in one sentence. */
export function strategyLine(strategy: StrategyName): string {
  return strategies[strategy].line
}
