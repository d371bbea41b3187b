/**
 * A model in OpenAI's list form: OpenAI's four fields, and facts that tools otherwise need as settings. Their names are
 * those of OpenRouter's list, which many tools read.
 */
import type { Capability } from '../../../../shared/models/model-abilities.ts'
import type { PriceRow } from '../../../../shared/models/price.ts'
import type { ListedModel } from '../../listed-model.ts'

interface OpenAiModel {
  id: string
  object: 'model'
  /** Unix seconds. */
  created: number
  owned_by: string
  name: string
  context_length?: number | null
  top_provider?: { context_length: number | null; max_completion_tokens: number | null }
  architecture?: { input_modalities: string[]; output_modalities: string[] }
  pricing?: OpenAiPricing | null
  supported_parameters?: string[]
  capabilities?: readonly Capability[]
  capabilities_of_all?: readonly Capability[]
}

/** US dollars per token as decimal strings. */
interface OpenAiPricing {
  prompt: string
  completion: string
  input_cache_read?: string
  input_cache_write?: string
}

export function writeOpenAiModel({
  id,
  name,
  createdAtMs,
  ownedBy,
  facts,
}: ListedModel): OpenAiModel {
  const created = Math.floor(createdAtMs / 1000)
  const model = { id, object: 'model', created, owned_by: ownedBy, name } as const
  if (facts === null) return model
  const { contextTokens, maxOutputTokens, price, capabilities, capabilitiesOfAll } = facts
  return {
    ...model,
    context_length: contextTokens,
    top_provider: { context_length: contextTokens, max_completion_tokens: maxOutputTokens },
    architecture: {
      input_modalities: modalitiesOf(capabilities),
      output_modalities: outputOf(capabilities),
    },
    pricing: price && pricingOf(price),
    supported_parameters: [
      ...everywhere,
      ...capabilities.flatMap((capability) => parametersOf[capability] ?? []),
    ].filter((parameter, place, all) => all.indexOf(parameter) === place),
    capabilities,
    ...(capabilitiesOfAll && { capabilities_of_all: capabilitiesOfAll }),
  }
}

function outputOf(capabilities: readonly Capability[]): string[] {
  return capabilities.includes('embeddings') ? ['embeddings'] : ['text']
}

function modalitiesOf(capabilities: readonly Capability[]): string[] {
  const able = modalities.filter(([capability]) => capabilities.includes(capability))
  return ['text', ...able.map(([, modality]) => modality)]
}

const modalities: readonly [Capability, string][] = [
  ['vision', 'image'],
  ['audio', 'audio'],
  ['files', 'file'],
]

/** Parameters that every model takes here: Modelport leaves out what a model refuses, and reports that. */
const everywhere = ['max_tokens', 'temperature', 'top_p', 'stop']

/** The parameters that a request may have only with the capability. */
const parametersOf: Partial<Record<Capability, readonly string[]>> = {
  tools: ['tools', 'tool_choice'],
  json: ['response_format', 'structured_outputs'],
  json_object: ['response_format'],
  logprobs: ['logprobs', 'top_logprobs'],
  seed: ['seed'],
}

function pricingOf(price: PriceRow): OpenAiPricing {
  const { inputUsdPerMtok, outputUsdPerMtok, cacheReadUsdPerMtok, cacheWriteUsdPerMtok } = price
  return {
    prompt: usdPerToken(inputUsdPerMtok),
    completion: usdPerToken(outputUsdPerMtok),
    ...(typeof cacheReadUsdPerMtok === 'number' && {
      input_cache_read: usdPerToken(cacheReadUsdPerMtok),
    }),
    ...(typeof cacheWriteUsdPerMtok === 'number' && {
      input_cache_write: usdPerToken(cacheWriteUsdPerMtok),
    }),
  }
}

function usdPerToken(usdPerMtok: number): string {
  return (usdPerMtok / 1e6).toFixed(12).replace(/\.?0+$/, '')
}
