/** Prices of the pinned @pydantic/genai-prices in the catalogue's form. */
import { findProvider } from '@pydantic/genai-prices'
import { readGenaiPrices } from '../../src/service/catalog/sources/genai-prices.ts'

const anthropic = {
  source: 'platform.claude.com/docs/en/about-claude/pricing',
  asOf: '2026-11-23',
}

/**
 * Prices of models that are newer than the pinned package.
 * @type {Record<string, { source: string, asOf: string, row: object, tiers: object[] }>}
 */
const documented = {
  'anthropic:claude-sonnet-5-5': { ...anthropic, row: row([2, 10, 0.1, 2.5, 4]), tiers: [] },
  'anthropic:claude-haiku-5-5': {
    ...anthropic,
    row: row([0.1, 0.5, 0.01, 0.125, 0.2]),
    // "For prompts up to 100,000 tokens"; a longer one is billed at these prices as a whole.
    tiers: [{ fromPromptTokens: 100_001, ...row([0.5, 2.5, 0.05, 0.625, 1]) }],
  },
  'openai:gpt-6.1-sol': {
    source: 'developers.openai.com/api/docs/models/gpt-6.1-sol',
    asOf: '2026-11-23',
    row: row([2, 10, 0.1, 2.5]),
    tiers: [{ fromPromptTokens: 272_001, ...row([4, 15, 0.2, 5]) }],
  },
}

/** @param {[input: number, output: number, read: number, write: number, writeForAnHour?: number]} prices */
function row([input, output, read, write, writeForAnHour]) {
  const base = { inputUsdPerMtok: input, outputUsdPerMtok: output }
  const caches = { cacheReadUsdPerMtok: read, cacheWriteUsdPerMtok: write }
  const forAnHour = writeForAnHour && { cacheWrite1hUsdPerMtok: writeForAnHour }
  return { ...base, ...caches, ...forAnHour }
}

/**
 * @param {string} provider @param {string} name
 * @param {string} asOf  what was in force before that day only is left out
 */
export function priceOf(provider, name, asOf) {
  const newer = documented[`${provider}:${name}`]
  if (newer) {
    const { row: prices, tiers, ...source } = newer
    return { price: { ...prices, tiers, timed: [] }, aliases: [], contextWindow: null, source }
  }
  const known = collectionOf(provider)
  const prices = readGenaiPrices(known ? [known] : [], { asOf, dayStartMs: Date.parse })
  const offer = prices.offerOf(provider, name)
  if (!offer) throw new Error(`no price for ${provider}:${name}`)
  const { price, aliases, contextTokens: contextWindow } = offer
  return { price, aliases, contextWindow, source: null }
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
