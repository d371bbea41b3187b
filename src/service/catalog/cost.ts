/**
 * Money, exactly. Prices come as US dollars per million tokens and are decimal fractions no double
 * holds; they become whole picodollars per token once, everything after is integer arithmetic.
 */

/** US dollars per million tokens. A missing or null cache price means: cached tokens cost as input. */
export interface TokenPrice {
  inputUsdPerMtok: number
  outputUsdPerMtok: number
  cacheReadUsdPerMtok?: number | null | undefined
  cacheWriteUsdPerMtok?: number | null | undefined
}

/** Token counts whose classes do not overlap: a cached token is not counted as input again. */
export interface BilledTokens {
  inputTokens: number
  cacheReadTokens: number
  cacheWriteTokens: number
  /** Reasoning tokens included: every provider bills them as output. */
  outputTokens: number
}

/**
 * What the tokens cost in nano-dollars, rounded half up once, at the end.
 * Prices are taken to the millionth of a dollar per million tokens (one picodollar a token).
 * @throws RangeError for a price or count that is negative, and for a count that is not whole
 */
export function costNanoUsd(price: TokenPrice, tokens: BilledTokens): number {
  const { inputUsdPerMtok, outputUsdPerMtok } = price
  const cacheReadUsdPerMtok = price.cacheReadUsdPerMtok ?? inputUsdPerMtok
  const cacheWriteUsdPerMtok = price.cacheWriteUsdPerMtok ?? inputUsdPerMtok
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
