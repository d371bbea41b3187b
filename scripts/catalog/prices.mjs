/** Prices of the pinned @pydantic/genai-prices in the catalogue's form. */
import { findProvider } from '@pydantic/genai-prices'
import { readGenaiPrices } from '../../src/service/catalog/sources/genai-prices.ts'

/**
 * @param {string} provider @param {string} name
 * @param {string} asOf  what was in force before that day only is left out
 */
export function priceOf(provider, name, asOf) {
  const known = findProvider({ providerId: provider })
  const prices = readGenaiPrices(known ? [known] : [], { asOf, dayStartMs: Date.parse })
  const offer = prices.offerOf(provider, name)
  if (!offer) throw new Error(`no price for ${provider}:${name}`)
  return { price: offer.price, aliases: offer.aliases, contextWindow: offer.contextTokens }
}
