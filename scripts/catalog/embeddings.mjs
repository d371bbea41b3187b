/**
 * Models that make embeddings, per provider type. `weights` names the same model at every provider: only vectors of
 * the same weights can be compared, so a router falls over between entries with the same name.
 */
import { findProvider } from '@pydantic/genai-prices'

const litellm = {
  source: 'litellm 1.109.1 (MIT), model_prices_and_context_window_backup.json',
  asOf: '2026-11-22',
}

/** @typedef {{ dimensions: number, isShortenable: boolean, contextTokens: number | null, billions: number | null, source: string }} Vectors */

/**
 * The vectors of each model, as its maker documents them. Dimensions are the most that it gives; billions of
 * parameters are null where the maker does not publish them.
 * @type {Record<string, Vectors>}
 */
const vectors = {
  'text-embedding-3-small': vector(
    [1536, true, 8192],
    'platform.openai.com/docs/guides/embeddings',
  ),
  'text-embedding-3-large': vector(
    [3072, true, 8192],
    'platform.openai.com/docs/guides/embeddings',
  ),
  'text-embedding-ada-002': vector(
    [1536, false, 8192],
    'platform.openai.com/docs/guides/embeddings',
  ),
  'gemini-embedding-001': vector([3072, true, 2048], 'ai.google.dev/gemini-api/docs/embeddings'),
  'gemini-embedding-2': vector([3072, true, 8192], 'ai.google.dev/gemini-api/docs/embeddings'),
  'mistral-embed': vector([1024, false, 8192], 'docs.mistral.ai/capabilities/embeddings'),
  'codestral-embed': vector([3072, true, 8192], 'docs.mistral.ai/capabilities/embeddings'),
  'cohere-embed-v4': vector([1536, true, 128_000], 'docs.cohere.com/docs/cohere-embed'),
  'cohere-embed-english-v3': vector([1024, false, 512], 'docs.cohere.com/docs/cohere-embed'),
  'cohere-embed-multilingual-v3': vector([1024, false, 512], 'docs.cohere.com/docs/cohere-embed'),
  'titan-embed-text-v2': vector(
    [1024, true, 8192],
    'docs.aws.amazon.com/bedrock/latest/userguide/titan-embedding-models.html',
  ),
  'nomic-embed-text-v1.5': open([768, true, 8192], 0.137, 'nomic-ai/nomic-embed-text-v1.5'),
  'bge-base-en-v1.5': open([768, false, 512], 0.109, 'BAAI/bge-base-en-v1.5'),
  'bge-m3': open([1024, false, 8192], 0.568, 'BAAI/bge-m3'),
  'qwen3-embedding-0.6b': open([1024, true, 32_768], 0.6, 'Qwen/Qwen3-Embedding-0.6B'),
  'qwen3-embedding-4b': open([2560, true, 32_768], 4, 'Qwen/Qwen3-Embedding-4B'),
  'qwen3-embedding-8b': open([4096, true, 32_768], 8, 'Qwen/Qwen3-Embedding-8B'),
}

/** @typedef {{ name: string, weights: string, usdPerMtok: number | null }} Offer */

/** A price of null is in genai-prices. @param {string} name @param {string} weights @param {number | null} usdPerMtok @returns {Offer} */
const offer = (name, weights = name, usdPerMtok = null) => ({ name, weights, usdPerMtok })

const gemini = [offer('gemini-embedding-001'), offer('gemini-embedding-2')]

/** @type {Record<string, Offer[]>} */
const offers = {
  openai: [
    offer('text-embedding-3-small'),
    offer('text-embedding-3-large'),
    offer('text-embedding-ada-002'),
  ],
  google: gemini,
  'google-vertex': gemini,
  mistral: [offer('mistral-embed'), offer('codestral-embed', 'codestral-embed', 0.15)],
  cohere: [
    offer('embed-v4.0', 'cohere-embed-v4'),
    offer('embed-english-v3.0', 'cohere-embed-english-v3', 0.1),
    offer('embed-multilingual-v3.0', 'cohere-embed-multilingual-v3', 0.1),
  ],
  bedrock: [
    offer('amazon.titan-embed-text-v2:0', 'titan-embed-text-v2', 0.02),
    offer('cohere.embed-v4:0', 'cohere-embed-v4', 0.12),
    offer('cohere.embed-english-v3', 'cohere-embed-english-v3', 0.1),
    offer('cohere.embed-multilingual-v3', 'cohere-embed-multilingual-v3', 0.1),
  ],
  together: [offer('BAAI/bge-base-en-v1.5', 'bge-base-en-v1.5', 0.008)],
  fireworks: [
    offer('nomic-ai/nomic-embed-text-v1.5', 'nomic-embed-text-v1.5', 0.008),
    offer('accounts/fireworks/models/qwen3-embedding-8b', 'qwen3-embedding-8b', 0.1),
  ],
  openrouter: [
    offer('openai/text-embedding-3-small', 'text-embedding-3-small', 0.02),
    offer('openai/text-embedding-3-large', 'text-embedding-3-large', 0.13),
    offer('qwen/qwen3-embedding-0.6b', 'qwen3-embedding-0.6b', 0.01),
    offer('qwen/qwen3-embedding-4b', 'qwen3-embedding-4b', 0.02),
  ],
}

/**
 * Prices that litellm does not have.
 * @type {Record<string, { source: string, asOf: string }>}
 */
const pages = {
  openrouter: { source: 'openrouter.ai, the page of the model', asOf: '2026-11-22' },
}

const published = 'the model’s name and card'
/**
 * Vector sizes where the maker publishes none: from nomic-embed-text-v1.5 to Qwen3-Embedding-8B, the smallest and the
 * largest here with a published one.
 */
const anyVectorSize = {
  size: { activeBillions: [0.137, 8], totalBillions: [0.137, 8] },
  sizeSource: {
    source: 'the range of the published sizes in this catalogue, 0.137 to 8 billion',
    asOf: '2026-11-22',
  },
}

export const embeddingTypes = Object.keys(offers)

/** @param {string} provider @param {{ source: string, asOf: string }} genaiPrices */
export function embeddingEntries(provider, genaiPrices) {
  return (offers[provider] ?? []).map((one) => entry(provider, one, genaiPrices))
}

/** @param {string} provider @param {Offer} offered @param {{ source: string, asOf: string }} genaiPrices */
function entry(provider, { name, weights, usdPerMtok }, genaiPrices) {
  const known = vectors[weights]
  if (!known) throw new Error(`no vectors for ${weights}`)
  const { dimensions, isShortenable, contextTokens, billions, source } = known
  const documented = { source, asOf: '2026-11-22' }
  const sized = billions !== null && {
    size: { activeBillions: [billions, billions], totalBillions: [billions, billions] },
    sizeSource: { source: published, asOf: '2026-11-22' },
  }
  return {
    id: `${provider}:${name}`,
    aliases: [],
    inputUsdPerMtok: usdPerMtok ?? genaiPriceOf(provider, name),
    outputUsdPerMtok: 0,
    cacheReadUsdPerMtok: null,
    cacheWriteUsdPerMtok: null,
    tiers: [],
    timed: [],
    ...(usdPerMtok === null ? genaiPrices : (pages[provider] ?? litellm)),
    contextTokens,
    maxOutputTokens: null,
    capabilities: ['embeddings'],
    capabilitySource: documented,
    embedding: { dimensions, isShortenable, ...documented },
    weights,
    rating: null,
    efforts: [],
    energyWhPerKtok: null,
    energySource: null,
    ...(sized || anyVectorSize),
    speed: null,
    speedSource: null,
    refuses: [],
    samplesWithoutReasoning: false,
    refusesSource: null,
    region: provider === 'openai' ? 'USA' : provider === 'mistral' ? 'SWE' : null,
  }
}

/** genai-prices has these models without a price for output. @param {string} provider @param {string} name */
function genaiPriceOf(provider, name) {
  const collection = findProvider({
    providerId: provider === 'google-vertex' ? 'google' : provider,
  })
  const price = collection?.models.find(({ id }) => id === name)?.prices
  const usdPerMtok = price && 'input_mtok' in price ? price.input_mtok : undefined
  if (typeof usdPerMtok !== 'number') throw new Error(`no price for ${provider}:${name}`)
  return usdPerMtok
}

/** @param {[dimensions: number, isShortenable: boolean, contextTokens: number]} facts @param {string} source @returns {Vectors} */
function vector([dimensions, isShortenable, contextTokens], source) {
  return { dimensions, isShortenable, contextTokens, billions: null, source }
}

/** @param {[dimensions: number, isShortenable: boolean, contextTokens: number]} facts @param {number} billions @param {string} card @returns {Vectors} */
function open(facts, billions, card) {
  return { ...vector(facts, `huggingface.co/${card}`), billions }
}
