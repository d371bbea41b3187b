/** Prices of the pinned @pydantic/genai-prices in the catalogue's form. */
import { findProvider } from '@pydantic/genai-prices'
import { readGenaiPrices } from '../../src/service/catalog/sources/genai-prices.ts'

/**
 * @param {string} provider @param {string} name
 * @param {string} asOf  what was in force before that day only is left out
 */
export function priceOf(provider, name, asOf) {
  const known = collectionOf(provider)
  const prices = readGenaiPrices(known ? [known] : [], { asOf, dayStartMs: Date.parse })
  const offer = prices.offerOf(provider, name)
  if (!offer) throw new Error(`no price for ${provider}:${name}`)
  return { price: offer.price, aliases: offer.aliases, contextWindow: offer.contextTokens }
}

/**
 * Whether audio costs more than text, which the catalogue cannot express.
 * @param {string} provider @param {string} name
 */
export function billsAudioApart(provider, name) {
  const prices = collectionOf(provider)?.models.find(({ id }) => id === name)?.prices ?? {}
  return 'input_audio_mtok' in prices
}

/** Vertex AI's prices are in the list of the maker. @param {string} provider */
function collectionOf(provider) {
  return findProvider({ providerId: provider === 'google-vertex' ? 'google' : provider })
}
