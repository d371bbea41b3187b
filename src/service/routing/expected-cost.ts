import type { TokenPrice } from '../../shared/price.ts'
import { priceRow } from '../catalog/cost.ts'

/** Tokens as far as they are known before the request is sent. */
export interface ExpectedTokens {
  promptTokens: number
  /** Of the prompt, at the price of a cache. */
  cachedTokens?: number
  outputTokens: number
}

/** What the tokens are expected to cost, in nano-dollars; a bill is worked out in `catalog/cost.ts`. */
export function expectedCostNanoUsd(
  price: TokenPrice,
  { promptTokens, cachedTokens = 0, outputTokens }: ExpectedTokens,
): number {
  const { inputUsdPerMtok, outputUsdPerMtok, cacheReadUsdPerMtok } = priceRow(price, promptTokens)
  const input = (promptTokens - cachedTokens) * inputUsdPerMtok
  const cached = cachedTokens * (cacheReadUsdPerMtok ?? inputUsdPerMtok)
  return Math.round((input + cached + outputTokens * outputUsdPerMtok) * 1e3)
}
