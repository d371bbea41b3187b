/** The routers of the seeded folder, their models, and what their requests look like. */
import type { Router } from '../../src/shared/entities.ts'

export interface SeededModel {
  id: string
  inputUsdPerMtok: number
  outputUsdPerMtok: number
  tokensPerSecond: number
  firstTokenMs: number
  milligramsPerToken: number
  quality: number
}

/** Prices in US dollars per million tokens, speed, grams, and quality. */
export const models = {
  nano: modelOf('openai:gpt-5.4-nano', { usd: [0.2, 1.25], speed: [310, 160], mg: 0.08, q: 0.66 }),
  mini: modelOf('openai:gpt-5.4-mini', { usd: [0.75, 4.5], speed: [420, 120], mg: 0.16, q: 0.78 }),
  large: modelOf('openai:gpt-5.4', { usd: [2.5, 15], speed: [780, 70], mg: 0.55, q: 0.87 }),
  sonnet: modelOf('anthropic:claude-sonnet-5', {
    usd: [3, 15],
    speed: [690, 65],
    mg: 0.5,
    q: 0.88,
  }),
  flash: modelOf('google:gemini-3.5-flash', {
    usd: [0.5, 3],
    speed: [350, 190],
    mg: 0.11,
    q: 0.74,
  }),
}

interface ModelFacts {
  /** Input and output. */
  usd: [number, number]
  /** Milliseconds to the first token, and tokens per second. */
  speed: [number, number]
  /** Milligrams of CO2e per output token. */
  mg: number
  /** Expected quality. */
  q: number
}

function modelOf(id: string, { usd, speed, mg, q }: ModelFacts): SeededModel {
  const [inputUsdPerMtok, outputUsdPerMtok] = usd
  const [firstTokenMs, tokensPerSecond] = speed
  const figures = { inputUsdPerMtok, outputUsdPerMtok, firstTokenMs, tokensPerSecond }
  return { id, ...figures, milligramsPerToken: mg, quality: q }
}

export type ModelName = keyof typeof models

/** What a router's requests look like. */
export interface Traffic {
  router: { name: string; strategy: Router['strategy'] }
  /** Models in the router's order. */
  models: readonly ModelName[]
  /** How often each model is the first choice. */
  shares: readonly number[]
  /** Share of all requests. */
  share: number
  promptTokens: number
  answerTokens: number
  callers: readonly Caller[]
}

export interface Caller {
  key: string | null
  client: string | null
  tag: string | null
}

export const traffic: readonly Traffic[] = [
  {
    router: { name: 'Web shop', strategy: 'cost_optimized' },
    models: ['nano', 'flash', 'mini', 'large'],
    shares: [0.5, 0.2, 0.24, 0.06],
    share: 0.58,
    promptTokens: 900,
    answerTokens: 220,
    callers: [
      { key: 'Shop backend', client: 'OpenAI/JS 7.55.0', tag: 'shop' },
      { key: 'Shop backend', client: 'OpenAI/JS 7.55.0', tag: 'search' },
      { key: 'Support bot', client: 'OpenAI/Python 2.3.0', tag: 'support' },
    ],
  },
  {
    router: { name: 'Code review', strategy: 'quality_optimized' },
    models: ['sonnet', 'large', 'mini'],
    shares: [0.66, 0.26, 0.08],
    share: 0.27,
    promptTokens: 5_200,
    answerTokens: 760,
    callers: [
      { key: 'Build server', client: 'claude-cli/3.1.0', tag: 'reviews' },
      { key: 'Notebook', client: 'claude-cli/3.1.0', tag: null },
    ],
  },
  {
    router: { name: 'Everyday', strategy: 'balanced' },
    models: ['mini', 'flash', 'sonnet', 'nano'],
    shares: [0.4, 0.3, 0.2, 0.1],
    share: 0.15,
    promptTokens: 420,
    answerTokens: 380,
    callers: [
      { key: null, client: null, tag: null },
      { key: 'Notebook', client: 'curl/8.5.0', tag: null },
    ],
  },
]
