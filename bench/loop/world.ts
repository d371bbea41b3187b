/**
 * Made-up worlds for the closed loop: models with true qualities, lengths and times that the router does not know, and
 * prompts that drift. All figures are drawn from the world's seed. The spreads are those of public answers: lengths of
 * models e^±0.7 and ±0.2, of a model on a kind ±0.4 and ±0.1, of single answers ±0.8 and ±0.3.
 */
import { domainNames } from '../../src/shared/app/domains.ts'
import { logitsPer100Points } from '../../src/shared/models/quality-scale.ts'
import { domainOfTopic, topicNames } from '../../src/shared/routers/topics.ts'
import { modelEnergy } from '../../src/service/catalog/energy.ts'
import type { Candidate, ExplainedReading } from '../../src/service/routing/candidate.ts'
import { lnOutputPrior } from '../../src/service/routing/expected-output.ts'
import { candidate } from '../../test/routing/sample-candidates.ts'
import { seededRandom } from '../../training/reader/random.ts'

/**
 * `mixed`: 2 to 12 models of three tiers, and prompts of all kinds. `equals`: 2 to 4 models that answer equally well, of
 * which only the dearest and slowest answered before. `alike`: the same with short prompts of few kinds and short answers.
 */
export const worldKinds = ['mixed', 'equals', 'alike'] as const
export type WorldKind = (typeof worldKinds)[number]

/** The kinds of prompts: a topic of each domain. */
export const promptKinds = domainNames.map((_, domain) => domainOfTopic.indexOf(domain))

export interface TrueModel {
  candidate: Candidate
  /** Logits by kind of prompt, for difficulty 0. */
  logits: number[]
  /** Logarithm of its answers' length beyond the router's own. */
  lnVerbosity: number
  firstTokenMs: number
  msPerToken: number
}

export interface Prompt {
  kind: number
  difficulty: number
  promptTokens: number
  reading: ExplainedReading
}

export interface World {
  kind: WorldKind
  models: TrueModel[]
  /** Used alone before the world begins; null: none, or the dearest and slowest of equals. */
  usedAlone: TrueModel | null
  /** Default answers are as many times as long here, by kind of prompt. */
  lnLonger: readonly number[]
  draw: Draws
  promptAt(share: number): Prompt
}

export interface Draws {
  uniform(): number
  normal(deviation: number): number
}

export function drawsOf(seed: number): Draws {
  const uniform = seededRandom(seed)
  return {
    uniform,
    normal: (deviation) =>
      deviation * Math.sqrt(-2 * Math.log(1 - uniform())) * Math.cos(2 * Math.PI * uniform()),
  }
}

export function createWorld(kind: WorldKind, seed: number): World {
  const draw = drawsOf(seed)
  const models = kind === 'mixed' ? mixedModels(draw) : equalModels(draw)
  const anyOne = models[Math.floor(draw.uniform() * models.length)] ?? null
  const usedAlone = kind === 'mixed' && draw.uniform() < 0.5 ? anyOne : null
  const lnOfRouter = kind === 'alike' || draw.uniform() < 0.3 ? Math.log(1 / 9) : draw.normal(0.6)
  const lnLonger = promptKinds.map(() => lnOfRouter + draw.normal(0.5))
  const mixes = kind === 'alike' ? [fewKinds(draw)] : [1, 2, 3].map(() => manyKinds(draw))
  const promptAt = (share: number) => drawPrompt(draw, mixAt(mixes, share), kind)
  return { kind, models, usedAlone, lnLonger, draw, promptAt }
}

// ---- models ------------------------------------------------------------------------------------

interface Tier {
  logit: number
  inputUsdPerMtok: number
  firstTokenMs: number
  msPerToken: number
  billions: number
}

const tiers: readonly Tier[] = [
  { logit: -1, inputUsdPerMtok: 0.1, firstTokenMs: 350, msPerToken: 6, billions: 8 },
  { logit: 0, inputUsdPerMtok: 0.6, firstTokenMs: 600, msPerToken: 12, billions: 70 },
  { logit: 1.15, inputUsdPerMtok: 3, firstTokenMs: 1_000, msPerToken: 20, billions: 300 },
]

/** How far ratings are off, and how far a model on a kind is off its mean. */
const ratingDeviation = 0.35
const kindDeviation = 0.35

function mixedModels(draw: Draws): TrueModel[] {
  const count = 2 + Math.floor(draw.uniform() * 11)
  const network = networkOf(draw)
  return Array.from({ length: count }, (_, position) => {
    const tier = tiers[Math.floor(draw.uniform() * tiers.length)] ?? tiers[0]
    if (!tier) throw new Error('there are no tiers')
    const rated = tier.logit + draw.normal(0.25)
    const trueLogit = rated + draw.normal(ratingDeviation)
    const logits = promptKinds.map(() => trueLogit + draw.normal(kindDeviation))
    const times = Math.exp(draw.normal(0.4))
    return createModel(draw, {
      position,
      rated,
      logits,
      price: tier.inputUsdPerMtok * Math.exp(draw.normal(0.6)),
      times: {
        ...tier,
        firstTokenMs: tier.firstTokenMs * times,
        msPerToken: tier.msPerToken * times,
      },
      network,
      billions: tier.billions,
    })
  })
}

/** Models of the same quality and rating; the last is the dearest, the slowest and the largest. */
function equalModels(draw: Draws): TrueModel[] {
  const count = 2 + Math.floor(draw.uniform() * 3)
  const network = networkOf(draw)
  const logits = promptKinds.map(() => 1)
  return Array.from({ length: count }, (_, position) => {
    // From 1.2 to 4 times the least, the last at least half as dear again as the one before.
    const step = position === 0 ? 0 : Math.log(1.2) + draw.uniform() * Math.log(4 / 1.2)
    const times = Math.exp(position === count - 1 ? Math.log(4) : step * 0.9)
    return createModel(draw, {
      position,
      rated: 1,
      logits,
      price: times,
      times: { firstTokenMs: 400 * times, msPerToken: 8 * times },
      network,
      billions: 20 * times,
    })
  })
}

interface ModelFacts {
  position: number
  /** Logit by its rating. */
  rated: number
  logits: number[]
  price: number
  times: { firstTokenMs: number; msPerToken: number }
  network: Network
  billions: number
}

interface Network {
  /** How much slower than published all models are here, and those of each provider. */
  lnSlower: number
  providers: readonly number[]
}

function networkOf(draw: Draws): Network {
  const providers = Array.from({ length: 1 + Math.floor(draw.uniform() * 4) }, () =>
    draw.normal(0.3),
  )
  return { lnSlower: draw.normal(0.3), providers }
}

function createModel(draw: Draws, facts: ModelFacts): TrueModel {
  const { position, rated, logits, price, times, network, billions } = facts
  const provider = Math.floor(draw.uniform() * network.providers.length)
  const slower = Math.exp(network.lnSlower + (network.providers[provider] ?? 0))
  const published = Math.exp(draw.normal(0.3))
  const isPublished = draw.uniform() < 0.5
  const made = candidate({
    modelId: `p${provider}:m${position}`,
    position,
    price: { inputUsdPerMtok: price, outputUsdPerMtok: 4 * price },
    contextTokens: null,
    maxOutputTokens: null,
    energy: modelEnergy(null, {
      activeBillions: [billions, billions],
      totalBillions: [billions, billions],
    }),
    quality: {
      points: 1300 + (100 * rated) / logitsPer100Points,
      strength: 25,
      offsets: null,
      basis: 'rated',
    },
    speed: isPublished
      ? { firstTokenMs: times.firstTokenMs * published, msPerToken: times.msPerToken * published }
      : null,
  })
  return {
    candidate: made,
    logits,
    lnVerbosity: draw.normal(0.4),
    firstTokenMs: times.firstTokenMs * slower,
    msPerToken: times.msPerToken * slower,
  }
}

// ---- prompts -----------------------------------------------------------------------------------

/** The shares of the kinds of prompts. */
type Mix = readonly number[]

function manyKinds(draw: Draws): Mix {
  return normalized(promptKinds.map(() => draw.uniform() ** 3))
}

function fewKinds(draw: Draws): Mix {
  const [first, second] = [draw.uniform(), draw.uniform()].map((one) => Math.floor(one * 8))
  return normalized(promptKinds.map((_, kind) => Number(kind === first || kind === second)))
}

/** Traffic drifts from each mix to the next. */
function mixAt(mixes: readonly Mix[], share: number): Mix {
  const place = share * (mixes.length - 1)
  const before = mixes[Math.floor(place)] ?? []
  const after = mixes[Math.min(mixes.length - 1, Math.floor(place) + 1)] ?? before
  const part = place - Math.floor(place)
  return before.map((one, kind) => one + ((after[kind] ?? 0) - one) * part)
}

function normalized(values: readonly number[]): number[] {
  const total = values.reduce((sum, value) => sum + value, 0)
  return values.map((value) => value / total)
}

function drawPrompt(draw: Draws, mix: Mix, worldKind: WorldKind): Prompt {
  const kind = drawKind(draw, mix)
  const difficulty = -1 + draw.normal(0.8)
  const lnTokens = worldKind === 'alike' ? 4.5 + draw.normal(0.3) : 6.2 + draw.normal(1.2)
  return {
    kind,
    difficulty,
    promptTokens: Math.round(Math.exp(lnTokens)),
    reading: readingOf(kind, difficulty, 0.4 + 0.55 * draw.uniform()),
  }
}

function drawKind(draw: Draws, mix: Mix): number {
  let left = draw.uniform()
  for (const [kind, share] of mix.entries()) {
    left -= share
    if (left < 0) return kind
  }
  return mix.length - 1
}

function readingOf(kind: number, difficulty: number, certainty: number): ExplainedReading {
  const rest = (1 - certainty) / (topicNames.length - 1)
  const topics = topicNames.map((_, topic) => (topic === promptKinds[kind] ? certainty : rest))
  const domains = domainNames.map((_, domain) =>
    topics.reduce((sum, share, topic) => sum + (domainOfTopic[topic] === domain ? share : 0), 0),
  )
  return { domains, topics, confidence: certainty, gain: 0, difficulty, difficultyReasons: [] }
}

/** The logarithm of the tokens of a usual answer of the world to prompts of this kind. */
export function lnUsualTokens({ lnLonger }: World, kind: number): number {
  return (lnOutputPrior[promptKinds[kind] ?? 0] ?? 0) + (lnLonger[kind] ?? 0)
}
