/**
 * Whether a conversation stays with the model that answered last. While a tool's result is awaited the
 * model does not change, because the call is its own (and carries its own way of thinking). Else it
 * stays where it is about as good by the strategy's own measure: a prompt cache makes its price lower
 * (`estimate.ts` counts that), and a reader is spared a change of tone for nothing.
 */
import type { RankParameters } from '../../shared/request-detail.ts'
import type { StrategyName } from '../../shared/strategies.ts'
import { strategies } from './strategies/index.ts'
import type { Contender } from './strategies/strategy.ts'

/** `tool`: it called the tool whose result comes now. `near`: it is about as good as the first. */
export type KeepReason = 'tool' | 'near'

export interface KeepOptions {
  strategy: StrategyName
  parameters: RankParameters
  /** Whether the request brings the result of a tool. */
  isToolPending: boolean
  /** Whether being about as good is enough. */
  isSticky: boolean
}

/** @returns null where it does not stay. @param ranked  best first */
export function whyKept(
  model: string,
  ranked: readonly Contender[],
  { strategy, parameters, isToolPending, isSticky }: KeepOptions,
): KeepReason | null {
  const kept = ranked.find((contender) => contender.model === model)
  if (!kept) return null
  if (isToolPending) return 'tool'
  // An order that a person gave has no measure of its own, and is not ours to change.
  const isNear = isSticky && (strategies[strategy].isNear?.(kept, ranked, parameters) ?? false)
  return isNear ? 'near' : null
}

/** The model first, the others in their order. */
export function putFirst<One extends { model: string }>(
  model: string,
  ranked: readonly One[],
): One[] {
  const isFirst = (one: One) => one.model === model
  return [...ranked.filter(isFirst), ...ranked.filter((one) => !isFirst(one))]
}
