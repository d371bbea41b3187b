/**
 * How likely an answer of a model is acceptable, before anybody here judged one. No collection with a
 * clean licence says that of today's models; what there is, is how many programming tasks they solve.
 *
 * A share p of solved tasks becomes sigma(1.86 + 0.209 logit p). The two figures are a least-squares fit
 * over the six models that have both an Aider polyglot result and measured correctness on ZeroEval (GSM8K,
 * MATH level 5, CRUX; 1,448 prompts). So the differences between models are small, as they are for
 * everyday prompts, and the prior is weak: feedback outvotes it soon. docs/models.md has the limits.
 */

const intercept = 1.86
const slope = 0.209

/** Aider's polyglot benchmark, 225 exercises, solved at the second try. One harness for all. */
const aider = {
  source: 'Aider polyglot leaderboard (Aider-AI/aider @0153842, Apache-2.0)',
  asOf: '2025-04-30',
  strength: 10,
  /** @type {Record<string, number>} percent */
  solved: {
    'gpt-4.1': 52.4,
    'gpt-4.1-mini': 32.4,
    'gpt-4.1-nano': 8.9,
    'gpt-4o': 23.1,
    'gpt-4o-mini': 3.6,
    o1: 61.7,
    o3: 79.6,
    'o3-mini': 53.8,
    'o4-mini': 72,
    'grok-3': 53.3,
    'grok-3-mini': 34.7,
    'gemini-2.5-pro': 72.9,
    'gemini-2.5-flash': 47.1,
    'claude-3-7-sonnet': 60.4,
    'claude-3-5-haiku': 28,
    'qwen3-235b-a22b': 61.3,
    'qwen3-32b': 41.3,
    'llama-4-maverick': 15.6,
    'gemma-3-27b': 4.9,
  },
}

/** The same benchmark, as another collection has a later result of it. */
const aiderByModelsDev = {
  source: 'Aider polyglot, in models.dev (models/openai/gpt-5.toml, MIT)',
  asOf: '2025-08-23',
  strength: 10,
  /** @type {Record<string, number>} percent */
  solved: { 'gpt-5': 88 },
}

/** SWE-bench Verified as the makers report it, each with a harness of its own: half as much to rely on. */
const sweBench = {
  source: 'SWE-bench Verified as reported by the maker, in free-coding-models 0.5.92 (MIT)',
  asOf: '2026-11-21',
  strength: 5,
  /** @type {Record<string, number>} percent; where two are given, the lesser */
  solved: {
    'deepseek-v3.2': 70,
    'deepseek-v4-flash': 79,
    'deepseek-v4-pro': 80.6,
    'glm-4.7': 73.8,
    'glm-4.7-flash': 59.2,
    'glm-5.1': 82.8,
    'glm-5.2': 82.8,
    'gpt-oss-120b': 62.4,
    'gpt-oss-20b': 50.3,
    'gemini-2.5-flash-lite': 42.6,
    'gemini-3.1-flash-lite': 62.8,
    'gemini-3.5-flash': 78,
    'gemma-4-26b-a4b': 38,
    'gemma-4-31b': 52,
    'kimi-k2.6': 80.2,
    'kimi-k2.7-code': 60.4,
    'llama-3.3-70b': 22,
    'llama-4-scout': 28,
    'MiniMax-M2.7': 78,
    'MiniMax-M3': 78.4,
    'mistral-large-2512': 70,
    'mistral-medium-3.5': 77.6,
    'mistral-small-2603': 48,
    'codestral-2508': 40,
    'nemotron-3-super-120b-a12b': 60.5,
    'nemotron-3-ultra-550b-a55b': 71.9,
    'qwen3.5-397b-a17b': 76.2,
    'qwen3.6-27b': 77.2,
    'qwen3.6-plus': 78.8,
    'qwen3.7-max': 80.4,
    'qwen3-coder': 69.6,
  },
}

/**
 * Models without a result of their own take their sibling's: the same where they succeed it in its line
 * or are the larger of the family, 0.03 less where they are the smaller or the earlier.
 * @type {Record<string, { of: string, less: boolean }>}
 */
const siblings = {
  'gpt-5.1': { of: 'gpt-5', less: false },
  'gpt-5.2': { of: 'gpt-5', less: false },
  'gpt-5.4': { of: 'gpt-5', less: false },
  'gpt-5.5': { of: 'gpt-5', less: false },
  'gpt-5.6-sol': { of: 'gpt-5', less: false },
  'gpt-5.6-terra': { of: 'gpt-5', less: true },
  'gpt-5-mini': { of: 'gpt-4.1-mini', less: false },
  'gpt-5.4-mini': { of: 'gpt-4.1-mini', less: false },
  'gpt-5.6-luna': { of: 'gpt-4.1-mini', less: true },
  'gpt-5-nano': { of: 'gpt-4.1-nano', less: false },
  'gpt-5.4-nano': { of: 'gpt-4.1-nano', less: false },
  'grok-4.20': { of: 'grok-3', less: false },
  'grok-4.3': { of: 'grok-3', less: false },
  'grok-4.5': { of: 'grok-3', less: false },
  'grok-4.6': { of: 'grok-3', less: false },
  'grok-4-1-fast-reasoning': { of: 'grok-3-mini', less: false },
  'grok-4-1-fast-non-reasoning': { of: 'grok-3-mini', less: true },
  'gemini-3.1-pro-preview': { of: 'gemini-2.5-pro', less: false },
  'claude-sonnet-4-5': { of: 'claude-3-7-sonnet', less: false },
  'claude-sonnet-4-6': { of: 'claude-3-7-sonnet', less: false },
  'claude-sonnet-5': { of: 'claude-3-7-sonnet', less: false },
  'claude-opus-4-8': { of: 'claude-3-7-sonnet', less: false },
  'claude-opus-5': { of: 'claude-3-7-sonnet', less: false },
  'claude-opus-5-5': { of: 'claude-3-7-sonnet', less: false },
  'claude-haiku-4-5': { of: 'claude-3-5-haiku', less: false },
  'kimi-k3': { of: 'kimi-k2.6', less: false },
  'kimi-k2': { of: 'kimi-k2.6', less: true },
  'glm-5.3': { of: 'glm-5.2', less: false },
  'qwen3.7-plus': { of: 'qwen3.6-plus', less: false },
  'llama-3.1-70b': { of: 'llama-3.3-70b', less: true },
  'llama-3.1-405b': { of: 'llama-3.3-70b', less: true },
}
const lessOfSibling = 0.03

/**
 * @param {string} weights
 * @returns {{ quality: number | null, qualityStrength: number | null, qualitySource: { source: string, asOf: string } | null }}
 */
export function qualityOf(weights) {
  for (const { solved, strength, source, asOf } of [aider, aiderByModelsDev, sweBench]) {
    const percent = solved[weights]
    if (percent === undefined) continue
    return {
      quality: priorOf(percent / 100),
      qualityStrength: strength,
      qualitySource: { source, asOf },
    }
  }
  const sibling = siblings[weights]
  if (!sibling) return { quality: null, qualityStrength: null, qualitySource: null }
  const { quality, qualitySource } = qualityOf(sibling.of)
  if (quality === null || qualitySource === null) throw new Error(`${sibling.of} has no quality`)
  const source = `that of ${sibling.of}${sibling.less ? ' less 0.03' : ''}: ${qualitySource.source}`
  return {
    quality: rounded(quality - (sibling.less ? lessOfSibling : 0)),
    qualityStrength: 5,
    qualitySource: { ...qualitySource, source },
  }
}

/** @param {number} solved */
function priorOf(solved) {
  const logit = Math.log(solved / (1 - solved))
  return rounded(1 / (1 + Math.exp(-(intercept + slope * logit))))
}

/** @param {number} value */
function rounded(value) {
  return Math.round(value * 1000) / 1000
}
