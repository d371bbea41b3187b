/**
 * The names by which LMArena and LiveBench list the models of the catalogue, and the reasoning effort that
 * each provider uses when a request names none. Written by hand; a name stands without its effort.
 */
import type { ReasoningEffort } from '../../src/shared/models/model-facts.ts'

export interface RatedModel {
  /** Names in lower case, the preferred one first. */
  names: readonly string[]
  /** Null: the model has no reasoning effort to choose. */
  defaultEffort: ReasoningEffort | null
  /** The model of the same maker whose rating is used while no source rates this one. */
  sibling?: Sibling
}

export interface Sibling {
  /** Name in lower case, as a source lists it. */
  name: string
  defaultEffort: ReasoningEffort | null
  /** How many times this model is half the sibling's size; negative where it is larger. */
  halvings: number
}

const reasoning = (defaultEffort: ReasoningEffort, ...names: string[]): RatedModel => ({
  names,
  defaultEffort,
})
const plain = (...names: string[]): RatedModel => ({ names, defaultEffort: null })

function sibling(name: string, defaultEffort: ReasoningEffort | null, halvings = 0): RatedModel {
  return { names: [], defaultEffort, sibling: { name, defaultEffort, halvings } }
}

/** Rated models by the name of the weights in the catalogue. */
export const ratedModels: Readonly<Record<string, RatedModel>> = {
  // OpenAI: medium before GPT-5.1, none from GPT-5.1 to GPT-5.4, medium from GPT-5.5.
  'gpt-5.6-sol': reasoning('medium', 'gpt-5.6-sol'),
  'gpt-5.6-terra': reasoning('medium', 'gpt-5.6-terra'),
  'gpt-5.6-luna': reasoning('medium', 'gpt-5.6-luna'),
  'gpt-5.5': reasoning('medium', 'gpt-5.5'),
  'gpt-5.4': reasoning('none', 'gpt-5.4'),
  'gpt-5.4-mini': reasoning('none', 'gpt-5.4-mini'),
  'gpt-5.4-nano': reasoning('none', 'gpt-5.4-nano'),
  'gpt-5.2': reasoning('none', 'gpt-5.2', 'gpt-5.2-2025-12-11'),
  'gpt-5.1': reasoning('none', 'gpt-5.1', 'gpt-5.1-2025-11-13'),
  'gpt-5': reasoning('medium', 'gpt-5'),
  'gpt-5-mini': reasoning('medium', 'gpt-5-mini'),
  'gpt-5-nano': reasoning('medium', 'gpt-5-nano'),
  'gpt-4.1': plain('gpt-4.1-2025-04-14'),
  'gpt-4.1-mini': plain('gpt-4.1-mini-2025-04-14'),
  'gpt-4.1-nano': plain('gpt-4.1-nano-2025-04-14'),
  // The name without a date is the version of August 2024.
  'gpt-4o': plain('gpt-4o-2024-08-06'),
  'gpt-4o-mini': plain('gpt-4o-mini-2024-07-18'),
  o3: reasoning('medium', 'o3-2025-04-16'),
  'o3-mini': reasoning('medium', 'o3-mini', 'o3-mini-2025-01-31'),
  'o4-mini': reasoning('medium', 'o4-mini-2025-04-16'),
  o1: reasoning('medium', 'o1-2024-12-17'),
  'gpt-oss-120b': reasoning('medium', 'gpt-oss-120b'),
  'gpt-oss-20b': reasoning('medium', 'gpt-oss-20b'),

  // Anthropic: without thinking up to the 4 series, adaptive thinking from the 5 series.
  'claude-opus-5-5': {
    ...sibling('claude-opus-5', 'high'),
    names: ['claude-opus-5-5'],
    defaultEffort: 'medium',
  },
  'claude-opus-5': reasoning('high', 'claude-opus-5'),
  'claude-opus-4-8': reasoning('none', 'claude-opus-4-8'),
  'claude-sonnet-5': reasoning('high', 'claude-sonnet-5'),
  'claude-sonnet-4-6': reasoning('none', 'claude-sonnet-4-6'),
  'claude-sonnet-4-5': reasoning('none', 'claude-sonnet-4-5-20250929'),
  'claude-haiku-4-5': reasoning('none', 'claude-haiku-4-5-20251001'),

  // Google: Gemini thinks at the level that its documentation calls the default; Gemma 4 does not.
  'gemini-3.5-flash': reasoning('medium', 'gemini-3.5-flash'),
  'gemini-3.1-pro-preview': reasoning('high', 'gemini-3.1-pro-preview'),
  'gemini-3.1-flash-lite': reasoning(
    'minimal',
    'gemini-3.1-flash-lite',
    'gemini-3.1-flash-lite-preview',
  ),
  'gemini-2.5-pro': reasoning('high', 'gemini-2.5-pro', 'gemini-2.5-pro-06-05'),
  'gemini-2.5-flash': reasoning('high', 'gemini-2.5-flash', 'gemini-2.5-flash-06-05'),
  'gemini-2.5-flash-lite': reasoning(
    'none',
    'gemini-2.5-flash-lite-preview-09-2025',
    'gemini-2.5-flash-lite',
  ),
  'gemma-4-31b': reasoning('none', 'gemma-4-31b', 'gemma-4-31b-it'),
  'gemma-4-26b-a4b': reasoning('none', 'gemma-4-26b-a4b'),
  'gemma-3-27b': plain('gemma-3-27b-it'),

  // xAI.
  'grok-4.6': reasoning('high', 'grok-4.6'),
  'grok-4.5': reasoning('high', 'grok-4.5'),
  'grok-4.3': reasoning('low', 'grok-4.3'),
  'grok-4.20': reasoning('high', 'grok-4.20-beta-0309', 'grok-4.20-beta1'),
  'grok-4-1-fast-reasoning': reasoning('high', 'grok-4-1-fast-reasoning'),
  'grok-4-1-fast-non-reasoning': plain('grok-4-1-fast-non-reasoning'),
  'grok-code-fast-1': reasoning('high', 'grok-code-fast-1', 'grok-code-fast-1-0825'),
  'grok-3': plain('grok-3-preview-02-24', 'grok-3-beta'),
  'grok-3-mini': reasoning('low', 'grok-3-mini', 'grok-3-mini-beta'),

  // Models that think unless the request says otherwise.
  'deepseek-v4-pro': reasoning('high', 'deepseek-v4-pro'),
  'deepseek-v4-flash': reasoning('high', 'deepseek-v4-flash'),
  'kimi-k3': reasoning('high', 'kimi-k3'),
  'kimi-k2.7-code': reasoning('high', 'kimi-k2.7-code'),
  'kimi-k2.6': reasoning('high', 'kimi-k2.6'),
  'glm-5.3': { ...sibling('glm-5.2', 'high'), names: ['glm-5.3'] },
  'glm-5.2': reasoning('high', 'glm-5.2'),
  'glm-5.1': reasoning('high', 'glm-5.1'),
  'glm-4.7': reasoning('high', 'glm-4.7'),
  'glm-4.7-flash': reasoning('high', 'glm-4.7-flash'),
  'MiniMax-M3': reasoning('high', 'minimax-m3'),
  'MiniMax-M2.7': reasoning('high', 'minimax-m2.7'),
  'qwen3.7-max': reasoning('high', 'qwen3.7-max', 'qwen3.7-max-preview'),
  'qwen3.7-plus': reasoning('high', 'qwen3.7-plus'),
  'qwen3.6-plus': reasoning('high', 'qwen3.6-plus'),
  'qwen3.6-27b': reasoning('high', 'qwen3.6-27b'),
  'qwen3.5-397b-a17b': reasoning('high', 'qwen3.5-397b-a17b'),
  'qwen3-235b-a22b': reasoning('high', 'qwen3-235b-a22b'),
  'qwen3-32b': reasoning('high', 'qwen3-32b'),
  'nemotron-3-ultra-550b-a55b': reasoning(
    'high',
    'nemotron-3-ultra-550b-a55b',
    'nvidia-nemotron-3-ultra-550b-a55b-nvfp4',
  ),
  'nemotron-3-super-120b-a12b': reasoning(
    'high',
    'nemotron-3-super-120b-a12b',
    'nvidia-nemotron-3-super-120b-a12b',
  ),

  // Models that do not think unless the request says so, or not at all.
  'deepseek-v3.2': reasoning('none', 'deepseek-v3.2'),
  'mistral-medium-3.5': reasoning('none', 'mistral-medium-3.5'),
  'mistral-large-2512': plain('mistral-large-3'),
  'mistral-small-2603': {
    ...sibling('mistral-small-2506', null),
    names: ['mistral-small-2603', 'mistral-small-4'],
    defaultEffort: 'none',
  },
  'ministral-14b-2512': sibling('ministral-8b-2410', null, Math.log2(8 / 14)),
  'ministral-8b-2512': sibling('ministral-8b-2410', null),
  'ministral-3b-2512': sibling('ministral-8b-2410', null, Math.log2(8 / 3)),
  'kimi-k2': plain('kimi-k2-0905-preview'),
  'qwen3-coder': plain('qwen3-coder-480b-a35b-instruct'),
  'llama-4-maverick': plain('llama-4-maverick-17b-128e-instruct', 'llama4-maverick-instruct-basic'),
  'llama-4-scout': plain('llama-4-scout-17b-16e-instruct'),
  'llama-3.3-70b': plain('llama-3.3-70b-instruct', 'llama-3.3-70b-instruct-turbo'),
  'llama-3.1-405b': plain('llama-3.1-405b-instruct-bf16', 'meta-llama-3.1-405b-instruct-turbo'),
  'llama-3.1-70b': plain('llama-3.1-70b-instruct', 'meta-llama-3.1-70b-instruct-turbo'),
  'llama-3.1-8b': plain('llama-3.1-8b-instruct', 'meta-llama-3.1-8b-instruct-turbo'),
  'smollm2-135m': sibling('smollm2-1.7b-instruct', null, Math.log2(1.7 / 0.135)),
}
