/**
 * Whether a conversation stays with the model that answered last. While a tool result is pending, the model
 * never changes, because it made the call (with its own reasoning). Otherwise it stays if it is about as good
 * as the first by the strategy's own measure: its prompt cache lowers its price (`estimate.ts` counts that),
 * and the tone stays the same.
 */
import type { RankParameters } from '../../shared/requests/detail.ts'
import type { StrategyName } from '../../shared/routers/strategy-names.ts'
import { pacedContenders } from './order.ts'
import { strategies } from './strategies/index.ts'
import type { Contender } from './strategies/strategy.ts'

/** `tool`: it called the tool whose result the request brings. `near`: it is about as good as the first. */
export type KeepReason = 'tool' | 'near'

export interface KeepOptions {
  strategy: StrategyName
  parameters: RankParameters
  /** Whether the request brings a tool result. */
  isToolPending: boolean
  /** Whether being about as good is enough to stay. */
  isSticky: boolean
}

/** @returns null when it does not stay. @param ranked  best first */
export function whyKept(
  model: string,
  ranked: readonly Contender[],
  { strategy, parameters, isToolPending, isSticky }: KeepOptions,
): KeepReason | null {
  // Pacing ranks by other qualities than those expected; being near is a matter of the same ones.
  const paced = pacedContenders(ranked, parameters)
  const kept = paced.find((contender) => contender.model === model)
  if (!kept) return null
  if (isToolPending) return 'tool'
  // A strategy that keeps the list's order has no measure of being near.
  const isNear = isSticky && (strategies[strategy].isNear?.(kept, paced, parameters) ?? false)
  return isNear ? 'near' : null
}

/** Puts the model first and keeps the order of the others. */
export function putFirst<One extends { model: string }>(
  model: string,
  ranked: readonly One[],
): One[] {
  const isFirst = (one: One) => one.model === model
  return [...ranked.filter(isFirst), ...ranked.filter((one) => !isFirst(one))]
}
