import type { TokenPrice } from '../../shared/models/price.ts'
import { priceRow } from '../catalog/cost.ts'

/** The token counts known before the request is sent. */
export interface ExpectedTokens {
  promptTokens: number
  /** Prompt tokens at the cache price. */
  cachedTokens?: number
  outputTokens: number
}

/** The expected cost of the tokens, in nano-dollars. `catalog/cost.ts` computes actual bills. */
export function expectedCostNanoUsd(
  price: TokenPrice,
  { promptTokens, cachedTokens = 0, outputTokens }: ExpectedTokens,
): number {
  const { inputUsdPerMtok, outputUsdPerMtok, cacheReadUsdPerMtok } = priceRow(price, promptTokens)
  const input = (promptTokens - cachedTokens) * inputUsdPerMtok
  const cached = cachedTokens * (cacheReadUsdPerMtok ?? inputUsdPerMtok)
  return Math.round((input + cached + outputTokens * outputUsdPerMtok) * 1e3)
}
