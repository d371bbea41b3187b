import type { PriceRow, TokenPrice } from '../../shared/models/price.ts'
import { priceRow } from '../catalog/cost.ts'

/** The token counts known before the request is sent. */
export interface ExpectedTokens {
  promptTokens: number
  /** Prompt tokens at the cache price. */
  cachedTokens?: number
  /** Prompt tokens that are written to the cache. */
  writtenTokens?: number
  /** Whether they stay there for an hour. */
  isForAnHour?: boolean
  outputTokens: number
}

/** The expected cost of the tokens, in nano-dollars. `catalog/cost.ts` computes actual bills. */
export function expectedCostNanoUsd(price: TokenPrice, tokens: ExpectedTokens): number {
  const { promptTokens, cachedTokens = 0, writtenTokens = 0, outputTokens } = tokens
  const row = priceRow(price, promptTokens)
  const { inputUsdPerMtok, outputUsdPerMtok } = row
  const input = (promptTokens - cachedTokens - writtenTokens) * inputUsdPerMtok
  const cached = cachedTokens * (row.cacheReadUsdPerMtok ?? inputUsdPerMtok)
  const written = writtenTokens === 0 ? 0 : writtenTokens * writeUsdPerMtok(row, tokens)
  return Math.round((input + cached + written + outputTokens * outputUsdPerMtok) * 1e3)
}

function writeUsdPerMtok(
  { inputUsdPerMtok, cacheWriteUsdPerMtok, cacheWrite1hUsdPerMtok }: PriceRow,
  { isForAnHour = false }: ExpectedTokens,
): number {
  const forAnHour = isForAnHour ? cacheWrite1hUsdPerMtok : null
  return forAnHour ?? cacheWriteUsdPerMtok ?? inputUsdPerMtok
}
