/** Honest answers of every wire, as the collector gets them: aliases, dates, prefixes, noise, caches, images. */
import type { AnswerFacts } from '../../../src/service/chat/answer-checks/answer-checks.ts'
import { seeded, type Chance } from '../../agents/random.ts'
import { countTokens, drawText, tokenizers, type TextKind, type Tokenizer } from './texts.ts'

interface HonestModel {
  modelId: string
  /** Names by which it answers; null for a wire without names. */
  names: readonly [string | null, ...(string | null)[]]
  tokenizer: Tokenizer
  reasons: boolean
}

const { openai, anthropic, google, llama } = tokenizers
const never = { reasons: false }
const often = { reasons: true }

const honestModels: readonly HonestModel[] = [
  {
    modelId: 'openai:gpt-5.4',
    names: ['gpt-5.4-2026-03-05', 'gpt-5.4'],
    tokenizer: openai,
    ...often,
  },
  {
    modelId: 'responses:gpt-5.4-mini',
    names: ['gpt-5.4-mini', 'gpt-5.4-mini-2026-03-17'],
    tokenizer: openai,
    ...often,
  },
  { modelId: 'openai:gpt-4o', names: ['gpt-4o-2024-08-06'], tokenizer: openai, ...never },
  {
    modelId: 'openrouter:openai/gpt-5.4',
    names: ['openai/gpt-5.4', 'openai/gpt-5.4-2026-03-05'],
    tokenizer: openai,
    ...often,
  },
  {
    modelId: 'openrouter:anthropic/claude-sonnet-4.5',
    names: ['anthropic/claude-sonnet-4.5', 'anthropic/claude-4.5-sonnet-20250929'],
    tokenizer: anthropic,
    ...often,
  },
  { modelId: 'azure:my-deployment', names: ['gpt-4o-2024-11-20'], tokenizer: openai, ...never },
  {
    modelId: 'anthropic:claude-sonnet-4-5',
    names: ['claude-sonnet-4-5-20250929'],
    tokenizer: anthropic,
    ...often,
  },
  {
    modelId: 'anthropic:claude-haiku-4-5',
    names: ['claude-haiku-4-5-20251001', 'claude-haiku-4-5'],
    tokenizer: anthropic,
    ...often,
  },
  {
    modelId: 'bedrock:us.anthropic.claude-sonnet-4-5-20250929-v1:0',
    names: [null],
    tokenizer: anthropic,
    ...often,
  },
  {
    modelId: 'google:gemini-2.5-flash',
    names: ['gemini-2.5-flash', 'models/gemini-2.5-flash', 'gemini-2.5-flash-preview-09-2025'],
    tokenizer: google,
    ...often,
  },
  {
    modelId: 'google-vertex:gemini-2.5-pro',
    names: ['gemini-2.5-pro'],
    tokenizer: google,
    ...often,
  },
  { modelId: 'ollama:llama3.1:8b', names: ['llama3.1:8b'], tokenizer: llama, ...never },
  {
    modelId: 'together:meta-llama/Llama-3.3-70B-Instruct-Turbo',
    names: ['meta-llama/Llama-3.3-70B-Instruct-Turbo', 'llama-3.3-70b-instruct'],
    tokenizer: llama,
    ...never,
  },
  {
    modelId: 'fireworks:accounts/fireworks/models/deepseek-v3p2',
    names: ['accounts/fireworks/models/deepseek-v3p2', 'deepseek-v3.2'],
    tokenizer: llama,
    ...never,
  },
  {
    modelId: 'mistral:mistral-large-latest',
    names: ['mistral-large-latest', 'mistral-large-2512'],
    tokenizer: llama,
    ...never,
  },
  {
    modelId: 'lm-studio:local-model',
    names: ['qwen2.5-7b-instruct', 'local-model'],
    tokenizer: llama,
    ...never,
  },
  { modelId: 'xai:grok-4.3', names: ['grok-4.3', 'grok-4.3-0709'], tokenizer: openai, ...often },
]

/** The kind of text changes for hundreds of answers at a time, as users' work does. */
const phases: readonly [TextKind, ...TextKind[]] = ['prose', 'mixed', 'code', 'japanese', 'russian']
const phaseAnswers = 700

export function* honestAnswers(count: number, seed: number): Generator<AnswerFacts> {
  const chance = seeded(seed)
  let usual: TextKind = 'prose'
  for (let index = 0; index < count; index += 1) {
    if (index % phaseAnswers === 0) usual = chance.pick(phases)
    const model = honestModels[chance.below(honestModels.length)] ?? honestModels[0]
    if (model === undefined) return
    const kind = chance.isTrue(0.8) ? usual : chance.pick(phases)
    yield answerOf(chance, { model, kind, index })
  }
}

function answerOf(
  chance: Chance,
  { model, kind, index }: { model: HonestModel; kind: TextKind; index: number },
): AnswerFacts {
  const isShort = chance.isTrue(0.4)
  const text = drawText(chance, kind, isShort ? 20 + chance.below(500) : 800 + chance.below(3_000))
  const hasImage = chance.isTrue(0.05)
  const tools = chance.isTrue(0.1) ? [tool] : undefined
  const asksLogprobs = chance.isTrue(0.03)
  const effort = model.reasons && chance.isTrue(0.5) ? chance.pick(['low', 'medium', 'high']) : null
  // Templates of vendors differ by a few percent from day to day, and tools are written in their own way.
  const noise = 1 + (chance.next() + chance.next() + chance.next() - 1.5) * 0.06
  const ofTools = tools === undefined ? 0 : 90 + chance.below(30)
  const reported = Math.round(countTokens(text, model.tokenizer) * noise) + ofTools
  const [first, ...others] = model.names
  return {
    requestId: `honest-${index}`,
    modelId: model.modelId,
    atMs: index * 97_000,
    body: {
      messages: [{ role: 'user', content: text }],
      ...(tools && { tools }),
      ...(asksLogprobs && { logprobs: true }),
    },
    namedModel: chance.pick([first, ...others]),
    // OpenAI has several at once, and new ones every few days.
    fingerprint: chance.isTrue(0.5) ? `fp_${Math.floor(index / 5_000)}_${chance.below(3)}` : null,
    estimatedTokens: hasImage ? null : estimate(text, tools),
    reportedTokens: chance.isTrue(0.02) ? null : reported,
    completionTokens: 20 + chance.below(900),
    effort,
    mayReason: model.reasons && chance.isTrue(0.5),
    // Models with an adaptive effort skip it for some prompts.
    hasReasoning: effort !== null && chance.isTrue(0.88),
    hasText: chance.isTrue(0.9),
    hasLogprobs: asksLogprobs && chance.isTrue(0.995),
  }
}

const tool = {
  type: 'function',
  function: {
    name: 'find',
    description: 'Finds a record by its number',
    parameters: { type: 'object', properties: { number: { type: 'string' } } },
  },
} as const

/** As the program estimates: characters by 3.6, and four tokens for a message. */
function estimate(text: string, tools: readonly object[] | undefined): number {
  const ofTools = tools === undefined ? 0 : Math.ceil(JSON.stringify(tools).length / 3.6)
  return 4 + Math.ceil(text.length / 3.6) + ofTools
}
