/**
 * Provider types: which vendors and servers a person can choose, and what each needs. A type with the wire of
 * another is one entry here. The "add a provider" form, the command line and the catalogue's downloads derive
 * from it.
 */
import { builtInProvider, type ProviderType } from '../../shared/provider-type.ts'
import { compatibleOptions, openAiOptions, openRouterOptions } from './options.ts'
import type { WireName } from './wires/index.ts'

export interface Preset extends ProviderType {
  /** Null for the built-in model, which needs no wire. */
  wire: WireName | null
  /** Whether its reasoning models take `reasoning_effort` as OpenAI's do; absent where that is not documented. */
  takesReasoningEffort?: true
}

const openAiWire = {
  wire: 'openai-chat',
  keyRule: 'required',
  options: [],
  isLocal: false,
} as const satisfies Partial<Preset>

export const presets: readonly Preset[] = [
  {
    ...openAiWire,
    type: 'openai',
    name: 'OpenAI',
    baseUrl: 'https://api.openai.com/v1',
    keyUrl: 'https://platform.openai.com/api-keys',
    documentation: { url: 'https://platform.openai.com/docs/api-reference/chat', comparedAt: null },
    takesReasoningEffort: true,
    options: openAiOptions,
  },
  {
    ...openAiWire,
    type: 'groq',
    name: 'Groq',
    baseUrl: 'https://api.groq.com/openai/v1',
    keyUrl: 'https://console.groq.com/keys',
    documentation: { url: 'https://console.groq.com/docs/openai', comparedAt: null },
  },
  {
    ...openAiWire,
    type: 'mistral',
    name: 'Mistral',
    baseUrl: 'https://api.mistral.ai/v1',
    keyUrl: 'https://console.mistral.ai/api-keys',
    documentation: { url: 'https://docs.mistral.ai/api', comparedAt: null },
  },
  {
    ...openAiWire,
    type: 'deepseek',
    name: 'DeepSeek',
    baseUrl: 'https://api.deepseek.com/v1',
    keyUrl: 'https://platform.deepseek.com/api_keys',
    documentation: { url: 'https://api-docs.deepseek.com', comparedAt: null },
  },
  {
    ...openAiWire,
    type: 'xai',
    name: 'xAI',
    baseUrl: 'https://api.x.ai/v1',
    keyUrl: 'https://console.x.ai',
    documentation: { url: 'https://docs.x.ai/docs/api-reference', comparedAt: null },
  },
  {
    ...openAiWire,
    type: 'together',
    name: 'Together AI',
    baseUrl: 'https://api.together.xyz/v1',
    keyUrl: 'https://api.together.ai/settings/api-keys',
    documentation: {
      url: 'https://docs.together.ai/docs/openai-api-compatibility',
      comparedAt: null,
    },
  },
  {
    ...openAiWire,
    type: 'fireworks',
    takesReasoningEffort: true,
    name: 'Fireworks AI',
    baseUrl: 'https://api.fireworks.ai/inference/v1',
    keyUrl: 'https://fireworks.ai/account/api-keys',
    documentation: {
      url: 'https://docs.fireworks.ai/tools-sdks/openai-compatibility',
      comparedAt: null,
    },
  },
  {
    ...openAiWire,
    type: 'cerebras',
    name: 'Cerebras',
    baseUrl: 'https://api.cerebras.ai/v1',
    keyUrl: 'https://cloud.cerebras.ai',
    documentation: { url: 'https://inference-docs.cerebras.ai/resources/openai', comparedAt: null },
  },
  {
    ...openAiWire,
    type: 'openrouter',
    takesReasoningEffort: true,
    name: 'OpenRouter',
    baseUrl: 'https://openrouter.ai/api/v1',
    keyUrl: 'https://openrouter.ai/keys',
    documentation: { url: 'https://openrouter.ai/docs/api-reference/overview', comparedAt: null },
    options: openRouterOptions,
  },
  {
    ...openAiWire,
    type: 'openai-compatible',
    name: 'OpenAI-compatible server',
    baseUrl: null,
    keyRule: 'optional',
    keyUrl: null,
    documentation: { url: 'https://platform.openai.com/docs/api-reference/chat', comparedAt: null },
    options: compatibleOptions,
  },
  {
    type: builtInProvider.type,
    name: 'This computer',
    baseUrl: null,
    keyRule: 'none',
    keyUrl: null,
    options: [],
    documentation: null,
    isLocal: true,
    wire: null,
  },
]
