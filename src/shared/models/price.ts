/**
 * The price of a model, in US dollars per million tokens. A price is a row. A higher row may replace it for
 * long prompts, and other rows at certain times.
 */

/** Prices per token class. A missing or null cache price means that cached tokens cost as much as input. */
export interface PriceRow {
  inputUsdPerMtok: number
  outputUsdPerMtok: number
  cacheReadUsdPerMtok?: number | null | undefined
  cacheWriteUsdPerMtok?: number | null | undefined
  /** Price of tokens that stay in the cache for an hour; null or absent: as much as other tokens written to it. */
  cacheWrite1hUsdPerMtok?: number | null | undefined
}

/** The price of every token of a request whose prompt reaches this length. */
export interface PriceTier extends PriceRow {
  /** Includes cached tokens. */
  fromPromptTokens: number
}

/** The price at one moment. */
export interface TokenPrice extends PriceRow {
  /** Prices for long prompts, shortest first; usually empty. */
  tiers?: readonly PriceTier[] | undefined
}

/** A price that applies only at some times. */
export interface TimedPrice extends TokenPrice {
  /** The Unix milliseconds from which it applies; null for always. */
  startsAtMs: number | null
  /** Daily hours in UTC, `HH:MM`, without the end; null for all day. May span midnight. */
  hoursUtc: { from: string; until: string } | null
}

/** A price with the prices that replace it at times; the last one in force applies. */
export interface PriceSchedule extends TokenPrice {
  timed?: readonly TimedPrice[] | undefined
}

/** The price since the last date, without those of certain hours; undefined before any. @param nowMs  Unix milliseconds */
export function priceSinceLastDate(
  timed: readonly TimedPrice[],
  nowMs: number,
): TimedPrice | undefined {
  return timed.findLast(
    ({ startsAtMs, hoursUtc }) => hoursUtc === null && (startsAtMs === null || startsAtMs <= nowMs),
  )
}
