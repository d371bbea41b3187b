/** The registry of provider types: the "add a provider" form and the command line derive from it. */
import type { ProviderType } from '../../shared/provider-type.ts'
import { compatibleOptions, openAiOptions, openRouterOptions } from './options.ts'

/** Types that speak OpenAI's wire format at an address of their own. */
const openAiWire = { keyRule: 'required', options: [] } as const

export const providerTypes: readonly ProviderType[] = [
  {
    ...openAiWire,
    type: 'openai',
    name: 'OpenAI',
    baseUrl: 'https://api.openai.com/v1',
    keyUrl: 'https://platform.openai.com/api-keys',
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
    name: 'OpenRouter',
    baseUrl: 'https://openrouter.ai/api/v1',
    keyUrl: 'https://openrouter.ai/keys',
    options: openRouterOptions,
  },
  {
    type: 'openai-compatible',
    name: 'OpenAI-compatible server',
    baseUrl: null,
    keyRule: 'optional',
    keyUrl: null,
    options: compatibleOptions,
  },
  {
    type: 'local',
    name: 'This computer',
    baseUrl: null,
    keyRule: 'none',
    keyUrl: null,
    options: [],
  },
]

/** Widened, for looking one up by a name from outside. */
export function findProviderType(type: string): ProviderType | undefined {
  return providerTypes.find((known) => known.type === type)
}
