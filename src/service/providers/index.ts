/** The registry of provider types: the "add a provider" form and the command line derive from it. */
import type { ProviderType } from '../../shared/entities.ts'

/** Types that speak OpenAI's wire format at a fixed address, or at one the user gives. */
export const providerTypes = [
  openAiWire(
    'openai',
    'OpenAI',
    'https://api.openai.com/v1',
    'https://platform.openai.com/api-keys',
  ),
  openAiWire('groq', 'Groq', 'https://api.groq.com/openai/v1', 'https://console.groq.com/keys'),
  openAiWire(
    'mistral',
    'Mistral',
    'https://api.mistral.ai/v1',
    'https://console.mistral.ai/api-keys',
  ),
  openAiWire(
    'deepseek',
    'DeepSeek',
    'https://api.deepseek.com/v1',
    'https://platform.deepseek.com/api_keys',
  ),
  openAiWire('xai', 'xAI', 'https://api.x.ai/v1', 'https://console.x.ai'),
  openAiWire(
    'together',
    'Together AI',
    'https://api.together.xyz/v1',
    'https://api.together.ai/settings/api-keys',
  ),
  openAiWire(
    'fireworks',
    'Fireworks AI',
    'https://api.fireworks.ai/inference/v1',
    'https://fireworks.ai/account/api-keys',
  ),
  openAiWire('cerebras', 'Cerebras', 'https://api.cerebras.ai/v1', 'https://cloud.cerebras.ai'),
  openAiWire(
    'openrouter',
    'OpenRouter',
    'https://openrouter.ai/api/v1',
    'https://openrouter.ai/keys',
  ),
  {
    type: 'openai-compatible',
    name: 'OpenAI-compatible server',
    baseUrl: null,
    keyRule: 'optional',
    keyUrl: null,
  },
  { type: 'local', name: 'This computer', baseUrl: null, keyRule: 'none', keyUrl: null },
] as const satisfies readonly ProviderType[]

/** Widened, for looking one up by a name from outside. */
export function findProviderType(type: string): ProviderType | undefined {
  return providerTypes.find((known) => known.type === type)
}

function openAiWire<Type extends string>(
  type: Type,
  name: string,
  baseUrl: string,
  keyUrl: string,
) {
  return { type, name, baseUrl, keyRule: 'required', keyUrl } as const
}
