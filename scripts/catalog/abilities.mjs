/**
 * What models can do at a host, where neither pinned package says it: read from models.dev (MIT), each
 * with the version of the file it was read in and the day that file gives (of a month, the first). A
 * file built on another (`base_model`) has from there what it does not say itself. `null` where the
 * answer's limit would be above the context.
 *
 * @typedef {[contextTokens: number, maxOutputTokens: number | null, capabilities: string[],
 *   commit: string, asOf: string]} Row
 */

const tools = ['tools']
const text = ['tools', 'json']
const sees = ['tools', 'vision']
const all = ['tools', 'vision', 'json']

/** @type {Record<string, Record<string, Row>>} */
const read = {
  mistral: {
    'mistral-small-2603': [256_000, 256_000, sees, '1a0bdb9', '2026-03-16'],
    'ministral-3b-2512': [256_000, 256_000, sees, 'e12e93b', '2026-08-27'],
  },
  xai: {
    'grok-4-1-fast-non-reasoning': [2_000_000, 30_000, all, '7fbe224', '2025-11-19'],
    'grok-code-fast-1': [256_000, 10_000, text, '7fbe224', '2025-08-28'],
    'grok-3': [131_072, 8_192, text, '7fbe224', '2025-02-17'],
    'grok-3-mini': [131_072, 8_192, text, '7fbe224', '2025-02-17'],
  },
  together: {
    'meta-llama/Llama-3.3-70B-Instruct-Turbo': [131_072, 8_192, text, '89b6e0b', '2024-12-06'],
  },
  fireworks: {
    'accounts/fireworks/models/qwen3p7-plus': [262_144, 65_536, sees, '0f8fde4', '2026-09-26'],
    'accounts/fireworks/models/qwen3p6-plus': [262_144, 65_536, sees, '054da7d', '2026-04-04'],
    'accounts/fireworks/models/nemotron-3-ultra-nvfp4': [
      262_144,
      128_000,
      tools,
      '041c5d8',
      '2026-06-04',
    ],
  },
  openrouter: {
    'google/gemini-2.5-flash-lite': [1_048_576, 65_535, all, '054da7d', '2025-06-17'],
    'google/gemma-4-31b-it': [262_144, 16_384, all, '32d509d', '2026-04-02'],
    'google/gemma-4-26b-a4b-it': [262_144, 262_144, all, '054da7d', '2026-04-02'],
    'x-ai/grok-code-fast-1': [256_000, 10_000, text, '22416dd', '2025-08-26'],
    'qwen/qwen3.7-max': [1_000_000, 131_072, text, '0c009b7', '2026-05-21'],
    'qwen/qwen3.7-plus': [1_000_000, 131_072, all, '0c009b7', '2026-06-02'],
    'qwen/qwen3.6-27b': [262_144, 262_140, all, '8c881e7', '2026-04-22'],
    'qwen/qwen3.5-397b-a17b': [262_144, 65_536, all, '054da7d', '2026-02-15'],
    'qwen/qwen3-235b-a22b': [131_072, 8_192, tools, '0c009b7', '2025-04-01'],
    'qwen/qwen3-32b': [40_960, 16_384, text, '270009b', '2025-04-01'],
    'qwen/qwen3-coder': [1_048_576, 65_536, text, '314deab', '2025-07-23'],
    'mistralai/mistral-large-2512': [262_144, 209_715, all, '1879c4f', '2025-12-02'],
    'mistralai/mistral-medium-3-5': [262_144, 262_144, all, 'add3daa', '2026-04-30'],
    'mistralai/mistral-small-2603': [262_144, 262_144, all, '270009b', '2026-03-16'],
    'meta-llama/llama-3.3-70b-instruct': [131_072, 16_384, text, '22416dd', '2024-12-06'],
    'meta-llama/llama-3.3-70b-instruct:free': [65_536, null, tools, '506b1b0', '2024-12-06'],
    'meta-llama/llama-4-maverick': [1_048_576, 16_384, all, '39b09c4', '2025-04-05'],
    'meta-llama/llama-4-scout': [327_680, 16_384, all, '39b09c4', '2025-04-05'],
    'nvidia/nemotron-3-ultra-550b-a55b': [262_144, 16_384, text, '37e8e0c', '2026-06-04'],
    'nvidia/nemotron-3-super-120b-a12b': [262_144, 235_929, text, '4627ad2', '2026-03-11'],
  },
}

/** @param {string} provider @param {string} name */
export function abilitiesOf(provider, name) {
  const row = read[provider]?.[name]
  if (!row) {
    return null
  }
  const [contextTokens, maxOutputTokens, capabilities, commit, asOf] = row
  return {
    contextTokens,
    maxOutputTokens,
    capabilities,
    source: { source: `models.dev (MIT) at ${commit}`, asOf },
  }
}
