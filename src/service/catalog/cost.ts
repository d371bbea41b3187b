/**
 * Exact money. Prices are US dollars per million tokens: decimal fractions that no double represents.
 * They are converted once to whole picodollars per token; everything after that is integer arithmetic.
 */
import type { PriceRow, TokenPrice } from '../../shared/models/price.ts'

/** Token counts whose classes do not overlap: a cached token is not counted as input again. */
export interface BilledTokens {
  inputTokens: number
  cacheReadTokens: number
  cacheWriteTokens: number
  /** The part of `cacheWriteTokens` that stays in the cache for an hour. */
  cacheWrite1hTokens?: number
  /** Includes reasoning tokens: every provider bills them as output. */
  outputTokens: number
}

/**
 * The prices of a request with this prompt. They apply to all its tokens, including the answer's, not only to
 * the part above the threshold.
 * @param promptTokens  including cached tokens
 */
export function priceRow(price: TokenPrice, promptTokens: number): PriceRow {
  let row: PriceRow = price
  for (const tier of price.tiers ?? []) if (promptTokens >= tier.fromPromptTokens) row = tier
  return row
}

/** Whether every use of the model is free. */
export function isFree(price: TokenPrice): boolean {
  return [price, ...(price.tiers ?? [])].every(
    (row) =>
      row.inputUsdPerMtok === 0 &&
      row.outputUsdPerMtok === 0 &&
      !row.cacheReadUsdPerMtok &&
      !row.cacheWriteUsdPerMtok &&
      !row.cacheWrite1hUsdPerMtok,
  )
}

/** Whether two models have the same prices for every request. */
export function isSamePrice(a: TokenPrice, b: TokenPrice): boolean {
  const tiers = a.tiers ?? []
  const others = b.tiers ?? []
  return (
    isSameRow(a, b) &&
    tiers.length === others.length &&
    tiers.every((tier, index) => {
      const other = others[index]
      return other?.fromPromptTokens === tier.fromPromptTokens && isSameRow(tier, other)
    })
  )
}

function isSameRow(a: PriceRow, b: PriceRow): boolean {
  return (
    a.inputUsdPerMtok === b.inputUsdPerMtok &&
    a.outputUsdPerMtok === b.outputUsdPerMtok &&
    (a.cacheReadUsdPerMtok ?? null) === (b.cacheReadUsdPerMtok ?? null) &&
    (a.cacheWriteUsdPerMtok ?? null) === (b.cacheWriteUsdPerMtok ?? null) &&
    (a.cacheWrite1hUsdPerMtok ?? null) === (b.cacheWrite1hUsdPerMtok ?? null)
  )
}

/**
 * The cost of the tokens in nano-dollars, in the tier of their prompt, rounded half up once, at the end.
 * Prices are read to the millionth of a dollar per million tokens (one picodollar a token).
 * @throws RangeError for a price or count that is negative, and for a count that is not whole
 */
export function costNanoUsd(price: TokenPrice, tokens: BilledTokens): number {
  const promptTokens = tokens.inputTokens + tokens.cacheReadTokens + tokens.cacheWriteTokens
  const row = priceRow(price, promptTokens)
  const { inputUsdPerMtok, outputUsdPerMtok } = row
  const cacheReadUsdPerMtok = row.cacheReadUsdPerMtok ?? inputUsdPerMtok
  const cacheWriteUsdPerMtok = row.cacheWriteUsdPerMtok ?? inputUsdPerMtok
  const cacheWrite1hUsdPerMtok = row.cacheWrite1hUsdPerMtok ?? cacheWriteUsdPerMtok
  const { cacheWrite1hTokens = 0 } = tokens
  const picoUsd =
    costPicoUsd(inputUsdPerMtok, tokens.inputTokens) +
    costPicoUsd(cacheReadUsdPerMtok, tokens.cacheReadTokens) +
    costPicoUsd(cacheWriteUsdPerMtok, tokens.cacheWriteTokens - cacheWrite1hTokens) +
    costPicoUsd(cacheWrite1hUsdPerMtok, cacheWrite1hTokens) +
    costPicoUsd(outputUsdPerMtok, tokens.outputTokens)
  return Number((picoUsd + 500n) / 1000n)
}

/** USD per million tokens x 1e6 = pUSD per token, because a million dollars per million tokens is a dollar a token. */
function costPicoUsd(usdPerMtok: number, tokens: number): bigint {
  const picoUsdPerToken = Math.round(usdPerMtok * 1e6)
  if (picoUsdPerToken < 0 || tokens < 0) throw new RangeError('a price or token count is negative')
  return BigInt(picoUsdPerToken) * BigInt(tokens)
}
