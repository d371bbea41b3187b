/**
 * Money, exactly. Prices come as US dollars per million tokens and are decimal fractions no double
 * holds; they become whole picodollars per token once, everything after is integer arithmetic.
 */
import type { PriceRow, TokenPrice } from '../../shared/price.ts'

/** Token counts whose classes do not overlap: a cached token is not counted as input again. */
export interface BilledTokens {
  inputTokens: number
  cacheReadTokens: number
  cacheWriteTokens: number
  /** Reasoning tokens included: every provider bills them as output. */
  outputTokens: number
}

/**
 * The prices a request with such a prompt is billed at: all its tokens, those of the answer too, not
 * only the part above the threshold.
 * @param promptTokens  cached ones included
 */
export function priceRow(price: TokenPrice, promptTokens: number): PriceRow {
  let row: PriceRow = price
  for (const tier of price.tiers ?? []) if (promptTokens >= tier.fromPromptTokens) row = tier
  return row
}

/** Whether nothing asked of the model costs anything. */
export function isFree(price: TokenPrice): boolean {
  return [price, ...(price.tiers ?? [])].every(
    (row) =>
      row.inputUsdPerMtok === 0 &&
      row.outputUsdPerMtok === 0 &&
      !row.cacheReadUsdPerMtok &&
      !row.cacheWriteUsdPerMtok,
  )
}

/** Whether two models cost the same, whatever is asked. */
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
    (a.cacheWriteUsdPerMtok ?? null) === (b.cacheWriteUsdPerMtok ?? null)
  )
}

/**
 * What the tokens cost in nano-dollars, in the tier of their prompt, rounded half up once, at the end.
 * Prices are taken to the millionth of a dollar per million tokens (one picodollar a token).
 * @throws RangeError for a price or count that is negative, and for a count that is not whole
 */
export function costNanoUsd(price: TokenPrice, tokens: BilledTokens): number {
  const promptTokens = tokens.inputTokens + tokens.cacheReadTokens + tokens.cacheWriteTokens
  const row = priceRow(price, promptTokens)
  const { inputUsdPerMtok, outputUsdPerMtok } = row
  const cacheReadUsdPerMtok = row.cacheReadUsdPerMtok ?? inputUsdPerMtok
  const cacheWriteUsdPerMtok = row.cacheWriteUsdPerMtok ?? inputUsdPerMtok
  const picoUsd =
    costPicoUsd(inputUsdPerMtok, tokens.inputTokens) +
    costPicoUsd(cacheReadUsdPerMtok, tokens.cacheReadTokens) +
    costPicoUsd(cacheWriteUsdPerMtok, tokens.cacheWriteTokens) +
    costPicoUsd(outputUsdPerMtok, tokens.outputTokens)
  return Number((picoUsd + 500n) / 1000n)
}

/** A million dollars for a million tokens is a dollar a token: USD per Mtok x 1e6 = pUSD per token. */
function costPicoUsd(usdPerMtok: number, tokens: number): bigint {
  const picoUsdPerToken = Math.round(usdPerMtok * 1e6)
  if (picoUsdPerToken < 0 || tokens < 0) throw new RangeError('a price or token count is negative')
  return BigInt(picoUsdPerToken) * BigInt(tokens)
}
