/**
 * The prices of the models in the data files, by the names used there. A pool consists of the models of a file that
 * are listed here. Reasoning models are left out, because no file reports their hidden tokens, and so are models
 * without a published price.
 */
import { calcPrice } from '@pydantic/genai-prices'
import type { TokenPrice } from '../../src/shared/models/price.ts'

/** A price of @pydantic/genai-prices: the provider and the model's name there. */
interface Listed {
  provider: string
  model: string
}

const anthropic = (model: string): Listed => ({ provider: 'anthropic', model })
const openai = (model: string): Listed => ({ provider: 'openai', model })
const google = (model: string): Listed => ({ provider: 'google', model })
const together = (model: string): Listed => ({ provider: 'together', model })
const openrouter = (model: string): Listed => ({ provider: 'openrouter', model })

/** US dollars per million tokens, the same for input and output: ulab-uiuc/LLMRouter, default_llm.json at ebdba86. */
const ulab = (usdPerMtok: number): TokenPrice => ({
  inputUsdPerMtok: usdPerMtok,
  outputUsdPerMtok: usdPerMtok,
})

type Prices = Readonly<Record<string, Listed | TokenPrice>>

const zeroeval: Prices = {
  'claude-3-5-haiku-20241022': anthropic('claude-3-5-haiku-20241022'),
  'claude-3-5-sonnet-20240620': anthropic('claude-3-5-sonnet-20240620'),
  'claude-3-5-sonnet-20241022': anthropic('claude-3-5-sonnet-20241022'),
  'claude-3-haiku-20240307': anthropic('claude-3-haiku-20240307'),
  'claude-3-opus-20240229': anthropic('claude-3-opus-20240229'),
  'deepseek-v2.5-0908': { provider: 'deepseek', model: 'deepseek-chat' },
  'gemini-1.5-flash': google('gemini-1.5-flash'),
  'gemini-1.5-pro': google('gemini-1.5-pro'),
  'gpt-3.5-turbo-0125': openai('gpt-3.5-turbo-0125'),
  'gpt-4o-2024-05-13': openai('gpt-4o-2024-05-13'),
  'gpt-4o-2024-08-06': openai('gpt-4o-2024-08-06'),
  'gpt-4o-mini-2024-07-18': openai('gpt-4o-mini-2024-07-18'),
}

const mmluPro: Prices = {
  'Meta-Llama-3_1-70B-Instruct': together('meta-llama/Meta-Llama-3.1-70B-Instruct-Turbo'),
  'Meta-Llama-3_1-8B-Instruct': together('meta-llama/Meta-Llama-3.1-8B-Instruct-Turbo'),
  'Mistral-7B-Instruct-v0.1': together('mistralai/Mistral-7B-Instruct-v0.1'),
  'Mistral-7B-Instruct-v0.2': together('mistralai/Mistral-7B-Instruct-v0.2'),
  'Mixtral-8x7B-Instruct-v0.1': { provider: 'mistral', model: 'mixtral-8x7b' },
  'Phi-3-mini-4k-instruct': openrouter('microsoft/phi-3-mini-128k-instruct'),
  'c4ai-command-r-v01': { provider: 'cohere', model: 'command-r' },
  'gemini-1.5-flash-002': google('gemini-1.5-flash-002'),
  'gemini-1.5-pro-002': google('gemini-1.5-pro-002'),
  'jamba-1.5-large': openrouter('ai21/jamba-1-5-large'),
}

const ulabModels: Prices = {
  'codegemma-7b': ulab(0.2),
  'gemma-2-9b-it': ulab(0.1),
  'llama-3.1-8b-instruct': ulab(0.2),
  'llama-3.1-nemotron-51b-instruct': ulab(0.9),
  'llama-3.3-nemotron-super-49b-v1': ulab(0.9),
  'llama3-chatqa-1.5-70b': ulab(0.9),
  'llama3-chatqa-1.5-8b': ulab(0.2),
  'mistral-7b-instruct-v0.3': ulab(0.2),
  'qwen2.5-7b-instruct': ulab(0.2),
}

/** Prices by the prefix of the file's name. */
const pools: readonly (readonly [start: string, prices: Prices])[] = [
  ['zeroeval', zeroeval],
  ['mmlu_pro', mmluPro],
  ['ulab', ulabModels],
]

/**
 * Public price of a model. In a file with another name, every model counts that is listed above or in the price list.
 * @returns null for a model without a public price, or of another pool
 * @throws Error when the price list no longer has one
 */
export function priceOf(file: string, model: string): TokenPrice | null {
  const [, own] = pools.find(([start]) => file.startsWith(start)) ?? []
  const known = (own ?? { ...zeroeval, ...mmluPro, ...ulabModels })[model]
  if (!known) return own ? null : listedPrice(model)
  if (!('provider' in known)) return known
  const price = listedPrice(known.model, known.provider)
  if (!price) throw new Error(`genai-prices has no ${known.model} at ${known.provider} any more`)
  return price
}

function listedPrice(model: string, provider?: string): TokenPrice | null {
  const million = { input_tokens: 1e6, output_tokens: 1e6 }
  const price = calcPrice(million, model, provider === undefined ? {} : { providerId: provider })
  return price && { inputUsdPerMtok: price.input_price, outputUsdPerMtok: price.output_price }
}
