import { strategyNames, type StrategyName } from '../../../../shared/chat.ts'

const strategies: Record<StrategyName, { label: string; line: string }> = {
  cost_optimized: {
    label: 'Cost optimized',
    line: 'Takes the model that is cheapest for the message at hand.',
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
