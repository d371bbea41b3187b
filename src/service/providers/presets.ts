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
    takesReasoningEffort: true,
    options: openAiOptions,
  },
  {
    ...openAiWire,
    type: 'groq',
    name: 'Groq',
    baseUrl: 'https://api.groq.com/openai/v1',
    keyUrl: 'https://console.groq.com/keys',
  },
  {
    ...openAiWire,
    type: 'mistral',
    name: 'Mistral',
    baseUrl: 'https://api.mistral.ai/v1',
    keyUrl: 'https://console.mistral.ai/api-keys',
  },
  {
    ...openAiWire,
    type: 'deepseek',
    name: 'DeepSeek',
    baseUrl: 'https://api.deepseek.com/v1',
    keyUrl: 'https://platform.deepseek.com/api_keys',
  },
  {
    ...openAiWire,
    type: 'xai',
    name: 'xAI',
    baseUrl: 'https://api.x.ai/v1',
    keyUrl: 'https://console.x.ai',
  },
  {
    ...openAiWire,
    type: 'together',
    name: 'Together AI',
    baseUrl: 'https://api.together.xyz/v1',
    keyUrl: 'https://api.together.ai/settings/api-keys',
  },
  {
    ...openAiWire,
    type: 'fireworks',
    takesReasoningEffort: true,
    name: 'Fireworks AI',
    baseUrl: 'https://api.fireworks.ai/inference/v1',
    keyUrl: 'https://fireworks.ai/account/api-keys',
  },
  {
    ...openAiWire,
    type: 'cerebras',
    name: 'Cerebras',
    baseUrl: 'https://api.cerebras.ai/v1',
    keyUrl: 'https://cloud.cerebras.ai',
  },
  {
    ...openAiWire,
    type: 'openrouter',
    takesReasoningEffort: true,
    name: 'OpenRouter',
    baseUrl: 'https://openrouter.ai/api/v1',
    keyUrl: 'https://openrouter.ai/keys',
    options: openRouterOptions,
  },
  {
    ...openAiWire,
    type: 'openai-compatible',
    name: 'OpenAI-compatible server',
    baseUrl: null,
    keyRule: 'optional',
    keyUrl: null,
    options: compatibleOptions,
  },
  {
    type: builtInProvider.type,
    name: 'This computer',
    baseUrl: null,
    keyRule: 'none',
    keyUrl: null,
    options: [],
    isLocal: true,
    wire: null,
  },
]
