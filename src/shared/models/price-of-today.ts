import type { Model } from '../entities.ts'
import type { TimedPrice } from './price.ts'

/**
 * The model as it is shown: its price is the one since the last date, and its times are those of certain hours and of
 * later dates.
 * @param nowMs  Unix milliseconds
 */
export function withPriceOfToday(model: Model, nowMs: number): Model {
  const { timedPrices } = model
  const hasBegun = ({ startsAtMs }: TimedPrice) => startsAtMs === null || startsAtMs <= nowMs
  const index = timedPrices.findLastIndex((one) => one.hoursUtc === null && hasBegun(one))
  const today = timedPrices[index]
  if (today === undefined) return model
  return {
    ...model,
    inputUsdPerMtok: today.inputUsdPerMtok,
    outputUsdPerMtok: today.outputUsdPerMtok,
    cacheReadUsdPerMtok: today.cacheReadUsdPerMtok ?? null,
    cacheWriteUsdPerMtok: today.cacheWriteUsdPerMtok ?? null,
    cacheWrite1hUsdPerMtok: today.cacheWrite1hUsdPerMtok ?? null,
    priceTiers: today.tiers ?? [],
    // It has replaced the times before it for good.
    timedPrices: timedPrices.slice(index + 1),
  }
}
