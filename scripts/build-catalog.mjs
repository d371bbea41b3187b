/**
 * Writes resources/catalog.json from the price and capability packages pinned in package.json.
 * A person runs it (`node scripts/build-catalog.mjs`) and reads the diff: a price that changed is
 * money, so nothing ever refreshes it silently.
 *
 * Prices: @pydantic/genai-prices. Capabilities, context and output limits of a maker's own models:
 * llm-zoo. Where another company hosts the same weights, only tool calling is taken from there: the
 * context is the host's, and whether it passes images on is not known. What neither package knows is
 * in `documented` with its own source. Everything else stays null or empty, which claims nothing.
 */
import { readFile, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { MODEL_CONFIGS } from 'llm-zoo'
import { documented } from './catalog/documented.mjs'
import { embeddingEntries, embeddingTypes } from './catalog/embeddings.mjs'
import { models } from './catalog/models.mjs'
import { billsAudioApart, priceOf } from './catalog/prices.mjs'
import { ratingOf } from './catalog/ratings.mjs'
import { sizeOf, speedOf } from './catalog/sizes.mjs'

const root = path.resolve(import.meta.dirname, '..')
/** Dates on which the pinned versions were published (`npm view <package> time`). */
const publishedOn = { '@pydantic/genai-prices': '2026-09-23', 'llm-zoo': '2026-09-23' }
/** Prices replaced before this day are left out. */
const asOf = publishedOn['@pydantic/genai-prices']

/**
 * The makers whose own models llm-zoo describes, by our provider type.
 * @type {Record<string, string>}
 */
const makers = {
  openai: 'openai',
  anthropic: 'anthropic',
  google: 'google',
  'google-vertex': 'google',
  deepseek: 'deepseek',
  xai: 'xai',
}

/** Providers that document `response_format` for their chat models; neither package has a field for it. */
const documentedJson = [
  'openai',
  'anthropic',
  'google',
  'google-vertex',
  'groq',
  'deepseek',
  'xai',
  'fireworks',
  'cerebras',
]

/** Makers whose API takes a PDF in the request. */
const documentsAsFiles = ['openai', 'anthropic', 'google', 'google-vertex']

const converse = {
  source:
    'docs.aws.amazon.com/bedrock/latest/userguide: conversation-inference-supported-models-features, structured-output',
  asOf: '2026-11-22',
}
/**
 * What Converse carries for a family of models. Their context behind it is not in the packages.
 * @type {[family: RegExp, capabilities: string[]][]}
 */
const converseFamilies = [
  [/anthropic\.claude/, ['tools', 'vision', 'json', 'files']],
  [/amazon\.nova-(2|lite|pro)/, ['tools', 'vision', 'files']],
  [/amazon\.nova-micro/, ['tools']],
  [/openai\.gpt-oss/, ['tools', 'json']],
]

/** @param {string} id */
function converseFacts(id) {
  const found = id.startsWith('bedrock:') && converseFamilies.find(([family]) => family.test(id))
  if (!found) return undefined
  return { contextTokens: null, maxOutputTokens: null, capabilities: found[1], source: converse }
}

/**
 * Regions where providers' models run, as EcoLogits (mlco2/ecologits) assumes; others are not known. @type
 * {Record<string, string>}
 */
const regions = { openai: 'USA', mistral: 'SWE' }

const local = {
  id: 'local:smollm2-135m-instruct',
  aliases: [],
  inputUsdPerMtok: 0,
  outputUsdPerMtok: 0,
  cacheReadUsdPerMtok: null,
  cacheWriteUsdPerMtok: null,
  tiers: [],
  timed: [],
  source: 'runs on this computer',
  asOf: '2026-11-21',
  // Half of the length it was trained for; src/service/local/local-model.ts gives the reason.
  contextTokens: 4096,
  maxOutputTokens: null,
  capabilities: ['json'],
  capabilitySource: {
    source: 'src/service/local: text, and JSON by grammar',
    asOf: '2026-11-21',
  },
  ...ratingOf('smollm2-135m'),
  // 65 W x 0.5 for 1,000 tokens at 35 tokens a second, in watt-hours.
  energyWhPerKtok: Math.round(((65 * 0.5 * 1000) / 35 / 3600) * 1000) / 1000,
  energySource: {
    source:
      'modelled: half of a 65 W CPU (CodeCarbon constant mode, mlco2/codecarbon#524) at 35 tokens/s, PUE 1',
    asOf: '2026-11-21',
  },
  size: null,
  sizeSource: null,
  speed: null,
  speedSource: null,
  refuses: [],
  samplesWithoutReasoning: false,
  refusesSource: null,
  region: null,
}

const openAiParameters = {
  source:
    'platform.openai.com/docs/guides/latest-model#gpt-5-1-parameter-compatibility, as read by vercel/ai (packages/openai/src/openai-language-model-capabilities.ts); max_tokens: anomalyco/opencode#37964',
  asOf: '2026-11-21',
}
const grokParameters = {
  source:
    'api.x.ai answers "does not support parameter presencePenalty": miaoxworld/NativeTavern#83, QuantumNous/new-api#6081',
  asOf: '2026-09-15',
}
const geminiParameters = {
  source:
    'the Gemini API answers "Penalty is not enabled": PublicAffairs/openai-gemini#63 (2.5), Ikalus1988/MisakaNet#1473 (3.7, 3.8)',
  asOf: '2026-09-11',
}
const samplingOfReasoners = ['temperature', 'top_p', 'presence_penalty', 'frequency_penalty']

/**
 * What a maker's own API answers with a 400. The same weights at another host are another API.
 * @param {string} id
 */
function refusalsOf(id) {
  if (/^openai:(gpt-[5-9]|o\d)/.test(id)) {
    return {
      refuses: [...samplingOfReasoners, 'max_tokens'],
      samplesWithoutReasoning: /^openai:gpt-(5\.[1-9]|6)/.test(id),
      refusesSource: openAiParameters,
    }
  }
  if (id.startsWith('xai:grok-4')) {
    return {
      refuses: ['presence_penalty', 'frequency_penalty'],
      samplesWithoutReasoning: false,
      refusesSource: grokParameters,
    }
  }
  if (/^google(-vertex)?:gemini-(2\.5|[3-9])/.test(id)) {
    return {
      refuses: ['presence_penalty', 'frequency_penalty'],
      samplesWithoutReasoning: false,
      refusesSource: geminiParameters,
    }
  }
  return { refuses: [], samplesWithoutReasoning: false, refusesSource: null }
}

/**
 * Rules for every model of a provider type. A type without an entry may have any default temperature, so an absent one
 * is sent as 1.
 */
const apis = [
  {
    type: 'mistral',
    refuses: ['seed', 'max_completion_tokens'],
    // "The default value varies depending on the model you are targeting."
    sendsTemperature: true,
    source:
      'docs.mistral.ai/api (temperature, random_seed); 422 extra_forbidden for max_completion_tokens: editor-code-assistant/eca#231, for seed: langchain-ai/langchain-azure#82',
    asOf: '2026-11-21',
  },
  {
    type: 'cerebras',
    refuses: ['presence_penalty', 'frequency_penalty'],
    sendsTemperature: false,
    source:
      'inference-docs.cerebras.ai/resources/openai, as read by req_llm 1.10.0 (guides/cerebras.md)',
    asOf: '2026-11-21',
  },
  {
    type: 'ollama',
    refuses: [],
    sendsTemperature: true,
    source: 'docs.ollama.com/modelfile (temperature: default 0.8)',
    asOf: '2026-11-22',
  },
  {
    type: 'llama-cpp',
    refuses: [],
    sendsTemperature: true,
    source:
      'github.com/ggml-org/llama.cpp/blob/master/tools/server/README.md (temperature: default 0.8)',
    asOf: '2026-11-22',
  },
  {
    type: 'openai',
    refuses: [],
    sendsTemperature: false,
    source: 'platform.openai.com/docs/api-reference/chat/create (temperature: defaults to 1)',
    asOf: '2026-11-23',
  },
  {
    type: 'azure',
    refuses: [],
    sendsTemperature: false,
    source: 'learn.microsoft.com/azure/ai-services/openai/reference (temperature: default 1)',
    asOf: '2026-11-23',
  },
  {
    type: 'anthropic',
    refuses: [],
    sendsTemperature: false,
    source: 'docs.anthropic.com/en/api/messages (temperature: defaults to 1.0)',
    asOf: '2026-11-23',
  },
  {
    type: 'google',
    refuses: [],
    sendsTemperature: false,
    source: 'ai.google.dev/api/models (temperature of the Gemini models: 1)',
    asOf: '2026-11-23',
  },
  {
    type: 'google-vertex',
    refuses: [],
    sendsTemperature: false,
    source:
      'cloud.google.com/vertex-ai/generative-ai/docs/models (temperature of the Gemini models: default 1.0)',
    asOf: '2026-11-23',
  },
  {
    type: 'groq',
    refuses: [],
    sendsTemperature: false,
    source: 'console.groq.com/docs/api-reference (temperature: defaults to 1)',
    asOf: '2026-11-23',
  },
  {
    type: 'deepseek',
    refuses: [],
    sendsTemperature: false,
    source: 'api-docs.deepseek.com/api/create-chat-completion (temperature: default value 1)',
    asOf: '2026-11-23',
  },
  {
    type: 'xai',
    refuses: [],
    sendsTemperature: false,
    source: 'docs.x.ai/docs/api-reference (temperature: default 1)',
    asOf: '2026-11-23',
  },
  {
    type: 'openrouter',
    refuses: [],
    sendsTemperature: false,
    source: 'openrouter.ai/docs/api-reference/parameters (temperature: default 1.0)',
    asOf: '2026-11-23',
  },
  {
    type: 'local',
    refuses: [],
    sendsTemperature: false,
    source: 'src/service/local/read-request.ts (an absent temperature is 1)',
    asOf: '2026-11-23',
  },
]

/** @param {string} provider @param {{ name: string, weights?: string }} model */
function entry(provider, { name, weights }) {
  const id = `${provider}:${name}`
  const { price, aliases, contextWindow, source } = priceOf(provider, name, asOf)
  const facts =
    documented[id] ?? converseFacts(id) ?? factsOf(provider, weights ?? name, contextWindow)
  return {
    id,
    aliases,
    ...price,
    ...(source ?? genaiPrices),
    contextTokens: facts.contextTokens,
    maxOutputTokens: facts.maxOutputTokens,
    capabilities: facts.capabilities,
    capabilitySource: facts.source,
    ...ratingOf(weights ?? name),
    energyWhPerKtok: null,
    energySource: null,
    ...sizeOf(weights ?? name),
    ...speedOf(provider, weights ?? name),
    ...refusalsOf(id),
    region: regions[provider] ?? null,
  }
}

/** @param {string} provider @param {string} name @param {number | null} contextWindow */
function factsOf(provider, name, contextWindow) {
  const named = Object.values(MODEL_CONFIGS).filter(
    (config) =>
      (config.shortName === name || config.fullName === name) &&
      !config.retired &&
      !config.serviceTier,
  )
  // A mode of a model is an entry of its own, with the model's name.
  const known = named.find((config) => !config.requiresResponsesAPI) ?? named[0]
  if (!known) {
    return { contextTokens: contextWindow, maxOutputTokens: null, capabilities: [], source: null }
  }
  const isMaker = known.provider === makers[provider]
  const { supportsFunctionCalling } = known.capabilities
  const capabilities = [
    supportsFunctionCalling && 'tools',
    ...(isMaker ? mediaOf(provider, name, known) : []),
    documentedJson.includes(provider) && jsonForm(provider),
    ...(isMaker ? documentsOf(provider, known) : []),
  ].filter(Boolean)
  return {
    contextTokens: isMaker ? known.contextWindow : contextWindow,
    maxOutputTokens: isMaker ? known.maxOutputTokens : null,
    capabilities,
    source: { source: sourceName('llm-zoo'), asOf: publishedOn['llm-zoo'] },
  }
}

/** @typedef {(typeof MODEL_CONFIGS)[keyof typeof MODEL_CONFIGS]} Known */

/** @param {string} provider @param {string} name @param {Known} known */
function mediaOf(provider, name, { capabilities: { supportsVision, supportsNativeAudio } }) {
  const hears = supportsNativeAudio && !billsAudioApart(provider, name)
  return [supportsVision && 'vision', hears && 'audio']
}

/** @param {string} provider @param {Known} known */
function documentsOf(provider, { capabilities: { supportsNativePdf, supportsReasoning } }) {
  return [
    documentsAsFiles.includes(provider) && supportsNativePdf && 'files',
    ...(provider === 'openai' && !supportsReasoning ? ['n', 'logprobs', 'seed'] : []),
  ]
}

/**
 * DeepSeek's API knows `json_object` only (api-docs.deepseek.com/guides/json_mode).
 * @param {string} provider
 */
function jsonForm(provider) {
  return provider === 'deepseek' ? 'json_object' : 'json'
}

/** @param {string} name */
function sourceName(name) {
  return `${name} ${versions[name]} (MIT)`
}

const { devDependencies: versions } = JSON.parse(
  await readFile(path.join(root, 'package.json'), 'utf8'),
)
const genaiPrices = { source: sourceName('@pydantic/genai-prices'), asOf }
const types = [...new Set([...Object.keys(models), ...embeddingTypes])]
const entries = types.flatMap((provider) => [
  ...(models[provider] ?? []).map((model) => entry(provider, model)),
  ...embeddingEntries(provider, genaiPrices),
])
await writeFile(
  path.join(root, 'resources/catalog.json'),
  `${JSON.stringify({ asOf, apis, models: [local, ...entries] }, null, 2)}\n`,
)
console.log(`resources/catalog.json: ${entries.length + 1} models`)
