/**
 * The registry of provider types: what each needs, and how its adapter is created. The "add a provider"
 * form, the command line and the catalogue's downloads derive from it.
 */
import { builtInProvider, type ProviderType } from '../../shared/provider-type.ts'
import { OpenAiCompatible, type OpenAiCompatibleOptions } from './openai-compatible.ts'
import { compatibleOptions, openAiOptions, openRouterOptions } from './options.ts'
import { ProviderError, type Provider } from './provider.ts'

/** The input for creating an adapter. */
export interface ProviderConnection extends Omit<OpenAiCompatibleOptions, 'baseUrl'> {
  /** The user's own address; null uses the type's address. */
  baseUrl: string | null
  localModel: Provider
}

interface RegisteredType extends ProviderType {
  /** Whether its reasoning models take `reasoning_effort` as OpenAI's do; absent where that is not documented. */
  takesReasoningEffort?: true
  /** @throws ProviderError when a required value is missing */
  create(connection: ProviderConnection, type: ProviderType): Provider
}

/** Types that speak OpenAI's wire format. */
const openAiWire = {
  keyRule: 'required',
  options: [],
  isLocal: false,
  create(connection, type) {
    const baseUrl = connection.baseUrl ?? type.baseUrl
    if (!baseUrl) throw new ProviderError('unavailable', 'it has no address')
    return new OpenAiCompatible({ ...connection, baseUrl })
  },
} as const satisfies Partial<RegisteredType>

const registry: readonly RegisteredType[] = [
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
    create: ({ localModel }) => localModel,
  },
]

/** The registry as data, for the interface. */
export const providerTypes: readonly ProviderType[] = registry.map(
  ({ create: _create, takesReasoningEffort: _takes, ...type }) => type,
)

/** Typed more widely, so that any name can be looked up. */
export function findProviderType(type: string): ProviderType | undefined {
  return providerTypes.find((known) => known.type === type)
}

export function isLocalType(type: string | undefined): boolean {
  return type !== undefined && findProviderType(type)?.isLocal === true
}

export function takesReasoningEffort(type: string | undefined): boolean {
  return registry.some((known) => known.type === type && known.takesReasoningEffort === true)
}

/** Types with an address of their own: public price lists contain their models. */
export function publishedTypes(): string[] {
  return providerTypes.flatMap(({ type, baseUrl }) => (baseUrl === null ? [] : [type]))
}

/** @throws ProviderError when the type is unknown or a required value is missing */
export function createProvider(type: string, connection: ProviderConnection): Provider {
  const registered = registry.find((known) => known.type === type)
  if (!registered) throw new ProviderError('unavailable', 'its type is unknown')
  return registered.create(connection, registered)
}
