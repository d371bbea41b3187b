/** What neither package knows of a model, with its own source. */

const modelsDev = { source: 'models.dev (MIT), providers/mistral', asOf: '2026-08-27' }
/** @type {Record<string, { contextTokens: number, maxOutputTokens: number, capabilities: string[], source: object }>} */
export const documented = {
  'mistral:mistral-large-2512': fact(262_144, ['tools', 'vision', 'json']),
  'mistral:mistral-medium-3.5': fact(262_144, ['tools', 'vision', 'json']),
  'mistral:ministral-14b-2512': fact(256_000, ['tools', 'vision']),
  'mistral:ministral-8b-2512': fact(256_000, ['tools', 'vision']),
  'mistral:codestral-2508': fact(128_000, ['tools', 'json']),
  'anthropic:claude-sonnet-5-5': newClaude('sonnet-5-5'),
  'anthropic:claude-haiku-5-5': newClaude('haiku-5-5'),
  'openai:gpt-6.1-sol': {
    contextTokens: 1_050_000,
    maxOutputTokens: 128_000,
    capabilities: ['tools', 'vision', 'json'],
    source: { source: 'developers.openai.com/api/docs/models/gpt-6.1-sol', asOf: '2026-11-23' },
  },
  'groq:qwen/qwen3-32b': {
    contextTokens: 131_072,
    maxOutputTokens: 40_960,
    capabilities: ['tools'],
    source: { source: 'models.dev (MIT), providers/groq', asOf: '2026-08-27' },
  },
}

/** @param {string} name */
function newClaude(name) {
  const source = `platform.claude.com/docs/en/models/${name}/overview`
  return {
    contextTokens: 1_000_000,
    maxOutputTokens: 128_000,
    capabilities: ['tools', 'vision', 'json', 'files'],
    source: { source, asOf: '2026-11-23' },
  }
}

/** @param {number} tokens @param {string[]} capabilities */
function fact(tokens, capabilities) {
  return { contextTokens: tokens, maxOutputTokens: tokens, capabilities, source: modelsDev }
}
