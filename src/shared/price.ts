/**
 * What a model costs. US dollars per million tokens throughout. A price is a row; a dearer row may
 * replace it for long prompts, and others at certain times.
 */

/** A missing or null cache price means: cached tokens cost as input. */
export interface PriceRow {
  inputUsdPerMtok: number
  outputUsdPerMtok: number
  cacheReadUsdPerMtok?: number | null | undefined
  cacheWriteUsdPerMtok?: number | null | undefined
}

/** What every token of a request costs once its prompt is that long. */
export interface PriceTier extends PriceRow {
  /** Cached ones included. */
  fromPromptTokens: number
}

/** The price of one moment. */
export interface TokenPrice extends PriceRow {
  /** For long prompts, shortest first; mostly there are none. */
  tiers?: readonly PriceTier[] | undefined
}

/** A price that is in force at some times only. */
export interface TimedPrice extends TokenPrice {
  /** Unix milliseconds from which it holds; null: always. */
  startsAtMs: number | null
  /** Daily hours in UTC, `HH:MM`, the end not included; null: all day. May pass midnight. */
  hoursUtc: { from: string; until: string } | null
}

/** A price with those that replace it at times: the last one in force wins. */
export interface PriceSchedule extends TokenPrice {
  timed?: readonly TimedPrice[] | undefined
}
