/**
 * Chat models per provider type, without OpenAI's *-pro models and those that their maker
 * retired. `weights` names the same model under
 * its maker's name, if a host calls it differently: facts about the weights apply there, too.
 */

/** @param {string[]} names */
const named = (...names) => names.map((name) => ({ name }))
/** @param {string} prefix @param {[name: string, weights: string][]} pairs */
const hosted = (prefix, ...pairs) =>
  pairs.map(([name, weights]) => ({ name: `${prefix}${name}`, weights }))

/** A prefix is a group of regions, whose price differs. @param {[name: string, weights: string][]} pairs */
const inRegions = (...pairs) =>
  ['global.', 'us.', 'eu.'].flatMap((regions) => hosted(regions, ...pairs))

/** The same models and prices at the Gemini API and at Vertex AI. */
const gemini = [
  ...named('gemini-3.5-flash', 'gemini-3.1-pro-preview', 'gemini-3.1-flash-lite'),
  ...named('gemini-2.5-pro', 'gemini-2.5-flash'),
]

/** @type {Record<string, { name: string, weights?: string }[]>} */
export const models = {
  openai: [
    ...named('gpt-6.1-sol', 'gpt-6-luna'),
    ...named('gpt-5.6-sol', 'gpt-5.6-terra', 'gpt-5.6-luna', 'gpt-5.5'),
    ...named('gpt-5.4', 'gpt-5.4-mini', 'gpt-5.4-nano', 'gpt-5.2', 'gpt-5.1'),
    ...named('gpt-5', 'gpt-5-mini', 'gpt-5-nano', 'gpt-4.1', 'gpt-4.1-mini', 'gpt-4.1-nano'),
    ...named('gpt-4o', 'gpt-4o-mini', 'o3', 'o3-mini', 'o4-mini', 'o1'),
  ],
  anthropic: [
    ...named('claude-opus-5-5', 'claude-sonnet-5-5', 'claude-haiku-5-5'),
    ...named('claude-opus-5', 'claude-opus-4-8', 'claude-sonnet-5', 'claude-sonnet-4-6'),
    ...named('claude-sonnet-4-5', 'claude-haiku-4-5'),
  ],
  bedrock: [
    ...inRegions(
      ['anthropic.claude-opus-4-8', 'claude-opus-4-8'],
      ['anthropic.claude-sonnet-5', 'claude-sonnet-5'],
      ['anthropic.claude-sonnet-4-6', 'claude-sonnet-4-6'],
      ['anthropic.claude-sonnet-4-5-20250929-v1:0', 'claude-sonnet-4-5'],
      ['anthropic.claude-haiku-4-5-20251001-v1:0', 'claude-haiku-4-5'],
    ),
    ...hosted('global.', ['amazon.nova-2-lite-v1:0', 'nova-2-lite']),
    ...hosted(
      '',
      ['amazon.nova-micro-v1:0', 'nova-micro'],
      ['amazon.nova-lite-v1:0', 'nova-lite'],
      ['amazon.nova-pro-v1:0', 'nova-pro'],
      ['openai.gpt-oss-120b-1:0', 'gpt-oss-120b'],
      ['openai.gpt-oss-20b-1:0', 'gpt-oss-20b'],
    ),
  ],
  google: gemini,
  'google-vertex': gemini,
  groq: [
    ...hosted('openai/', ['gpt-oss-120b', 'gpt-oss-120b'], ['gpt-oss-20b', 'gpt-oss-20b']),
    ...hosted('qwen/', ['qwen3-32b', 'qwen3-32b']),
    ...hosted(
      '',
      ['llama-3.3-70b-versatile', 'llama-3.3-70b'],
      ['llama-3.1-8b-instant', 'llama-3.1-8b'],
      ['meta-llama/llama-4-maverick-17b-128e-instruct', 'llama-4-maverick'],
      ['meta-llama/llama-4-scout-17b-16e-instruct', 'llama-4-scout'],
      ['moonshotai/kimi-k2-instruct-0905', 'kimi-k2'],
    ),
  ],
  mistral: [
    ...named('mistral-large-2512', 'mistral-medium-3.5', 'mistral-small-2603'),
    ...named('ministral-14b-2512', 'ministral-8b-2512', 'ministral-3b-2512'),
    ...named('codestral-2508'),
  ],
  deepseek: named('deepseek-v4-pro', 'deepseek-v4-flash'),
  xai: [
    ...named('grok-4.6', 'grok-4.5', 'grok-4.3', 'grok-4.20'),
    ...named('grok-4-1-fast-reasoning', 'grok-4-1-fast-non-reasoning', 'grok-code-fast-1'),
    ...named('grok-3', 'grok-3-mini'),
  ],
  together: hosted(
    'meta-llama/',
    ['Llama-3.3-70B-Instruct-Turbo', 'llama-3.3-70b'],
    ['Llama-4-Maverick-17B-128E-Instruct-FP8', 'llama-4-maverick'],
    ['Llama-4-Scout-17B-16E-Instruct', 'llama-4-scout'],
    ['Meta-Llama-3.1-405B-Instruct-Turbo', 'llama-3.1-405b'],
    ['Meta-Llama-3.1-70B-Instruct-Turbo', 'llama-3.1-70b'],
    ['Meta-Llama-3.1-8B-Instruct-Turbo', 'llama-3.1-8b'],
  ),
  fireworks: hosted(
    'accounts/fireworks/models/',
    ['deepseek-v4-pro', 'deepseek-v4-pro'],
    ['deepseek-v4-flash', 'deepseek-v4-flash'],
    ['deepseek-v3p2', 'deepseek-v3.2'],
    ['kimi-k3', 'kimi-k3'],
    ['kimi-k2p7-code', 'kimi-k2.7-code'],
    ['kimi-k2p6', 'kimi-k2.6'],
    ['glm-5p2', 'glm-5.2'],
    ['glm-5p1', 'glm-5.1'],
    ['glm-4p7', 'glm-4.7'],
    ['minimax-m3', 'MiniMax-M3'],
    ['minimax-m2p7', 'MiniMax-M2.7'],
    ['qwen3p7-plus', 'qwen3.7-plus'],
    ['qwen3p6-plus', 'qwen3.6-plus'],
    ['qwen3-235b-a22b', 'qwen3-235b-a22b'],
    ['nemotron-3-ultra-nvfp4', 'nemotron-3-ultra-550b-a55b'],
    ['gpt-oss-120b', 'gpt-oss-120b'],
    ['gpt-oss-20b', 'gpt-oss-20b'],
    ['llama4-maverick-instruct-basic', 'llama-4-maverick'],
    ['llama-v3p1-8b-instruct', 'llama-3.1-8b'],
    ['gemma-3-27b-it', 'gemma-3-27b'],
  ),
  cerebras: hosted('', ['gpt-oss-120b', 'gpt-oss-120b'], ['gemma-4-31b', 'gemma-4-31b']),
  openrouter: [
    ...hosted(
      'openai/',
      ['gpt-5.6-sol', 'gpt-5.6-sol'],
      ['gpt-5.6-terra', 'gpt-5.6-terra'],
      ['gpt-5.6-luna', 'gpt-5.6-luna'],
      ['gpt-5.5', 'gpt-5.5'],
      ['gpt-5.4', 'gpt-5.4'],
      ['gpt-5.4-mini', 'gpt-5.4-mini'],
      ['gpt-5.4-nano', 'gpt-5.4-nano'],
      ['gpt-5', 'gpt-5'],
      ['gpt-5-mini', 'gpt-5-mini'],
      ['gpt-4.1', 'gpt-4.1'],
      ['gpt-4.1-mini', 'gpt-4.1-mini'],
      ['gpt-4o', 'gpt-4o'],
      ['gpt-4o-mini', 'gpt-4o-mini'],
      ['gpt-oss-120b', 'gpt-oss-120b'],
      ['gpt-oss-120b:free', 'gpt-oss-120b'],
      ['gpt-oss-20b', 'gpt-oss-20b'],
    ),
    ...hosted(
      'anthropic/',
      ['claude-opus-5.5', 'claude-opus-5-5'],
      ['claude-opus-5', 'claude-opus-5'],
      ['claude-opus-4.8', 'claude-opus-4-8'],
      ['claude-sonnet-5', 'claude-sonnet-5'],
      ['claude-sonnet-4.6', 'claude-sonnet-4-6'],
      ['claude-sonnet-4.5', 'claude-sonnet-4-5'],
      ['claude-haiku-4.5', 'claude-haiku-4-5'],
    ),
    ...hosted(
      'google/',
      ['gemini-3.5-flash', 'gemini-3.5-flash'],
      ['gemini-3.1-pro-preview', 'gemini-3.1-pro-preview'],
      ['gemini-3.1-flash-lite', 'gemini-3.1-flash-lite'],
      ['gemini-2.5-pro', 'gemini-2.5-pro'],
      ['gemini-2.5-flash', 'gemini-2.5-flash'],
      ['gemini-2.5-flash-lite', 'gemini-2.5-flash-lite'],
      ['gemma-4-31b-it', 'gemma-4-31b'],
      ['gemma-4-26b-a4b-it', 'gemma-4-26b-a4b'],
      ['gemma-3-27b-it', 'gemma-3-27b'],
    ),
    ...hosted(
      '',
      ['deepseek/deepseek-v4-pro', 'deepseek-v4-pro'],
      ['deepseek/deepseek-v4-flash', 'deepseek-v4-flash'],
      ['deepseek/deepseek-v3.2', 'deepseek-v3.2'],
      ['x-ai/grok-4.3', 'grok-4.3'],
      ['x-ai/grok-code-fast-1', 'grok-code-fast-1'],
      ['z-ai/glm-5.3', 'glm-5.3'],
      ['z-ai/glm-5.2', 'glm-5.2'],
      ['z-ai/glm-4.7', 'glm-4.7'],
      ['z-ai/glm-4.7-flash', 'glm-4.7-flash'],
      ['moonshotai/kimi-k3', 'kimi-k3'],
      ['moonshotai/kimi-k2.6', 'kimi-k2.6'],
      ['minimax/minimax-m3', 'MiniMax-M3'],
      ['minimax/minimax-m2.7', 'MiniMax-M2.7'],
      ['qwen/qwen3.7-max', 'qwen3.7-max'],
      ['qwen/qwen3.7-plus', 'qwen3.7-plus'],
      ['qwen/qwen3.6-27b', 'qwen3.6-27b'],
      ['qwen/qwen3.5-397b-a17b', 'qwen3.5-397b-a17b'],
      ['qwen/qwen3-235b-a22b', 'qwen3-235b-a22b'],
      ['qwen/qwen3-32b', 'qwen3-32b'],
      ['qwen/qwen3-coder', 'qwen3-coder'],
      ['mistralai/mistral-large-2512', 'mistral-large-2512'],
      ['mistralai/mistral-medium-3-5', 'mistral-medium-3.5'],
      ['mistralai/mistral-small-2603', 'mistral-small-2603'],
      ['meta-llama/llama-3.3-70b-instruct', 'llama-3.3-70b'],
      ['meta-llama/llama-3.3-70b-instruct:free', 'llama-3.3-70b'],
      ['meta-llama/llama-4-maverick', 'llama-4-maverick'],
      ['meta-llama/llama-4-scout', 'llama-4-scout'],
      ['nvidia/nemotron-3-ultra-550b-a55b', 'nemotron-3-ultra-550b-a55b'],
      ['nvidia/nemotron-3-super-120b-a12b', 'nemotron-3-super-120b-a12b'],
    ),
  ],
}
