/**
 * A pool after a tuning run: some of its prompts are asked of all models and graded, and the others are decided on
 * with what the product learns from the grades. Prompts are read by weights that never saw the pool's file.
 */
import { randomUUID } from 'node:crypto'
import {
  learnLength,
  lnLengthsOf,
  routerFiguresAtFirst,
  verbosityAtFirst,
} from '../../src/service/chat/learning/answer-lengths.ts'
import type { Candidate, PromptReading, QualityPrior } from '../../src/service/routing/candidate.ts'
import { lnP90Prior } from '../../src/service/routing/expected-output.ts'
import { estimate } from '../../src/service/routing/estimate.ts'
import { latencyPrior } from '../../src/service/routing/knowledge.ts'
import {
  fitOf,
  learnOwn,
  startLogit,
  type OwnKnowledge,
} from '../../src/service/routing/own-knowledge.ts'
import { formOf, withOwnKinds } from '../../src/service/routing/own-kinds.ts'
import { readFeatures } from '../../src/service/routing/prompt/prompt-features.ts'
import { sampleEvenly } from '../../src/service/routing/sample-evenly.ts'
import type { Topic } from '../../src/shared/routers/topics.ts'
import type { JudgedPrompt } from '../../src/shared/tuning/tuning.ts'
import { coldStart } from './cold-start.ts'
import { contextOf, type Expectation } from './fold.ts'
import { topicOfLabel } from '../../training/reader/labels.ts'
import type { Pool, PoolRow } from './pool.ts'
import { seededRandom, shuffled } from '../../training/reader/random.ts'
import type { Readers } from './readers.ts'
import { toDecided, type Decided, type Expected } from './sweep.ts'

export interface TunablePool {
  name: string
  candidates: readonly Candidate[]
  prompts: readonly TunablePrompt[]
}

interface TunablePrompt extends Pick<PromptReading, 'topics' | 'difficulty'> {
  row: PoolRow
  reading: PromptReading
  form: readonly number[]
  /** The file's own name of its kind, which a judge would give; null where it says too little. */
  kind: Topic | null
}

/** A pool cut in two: one half may be asked, the other one is decided on. */
export interface Split {
  asked: readonly TunablePrompt[]
  decidedOn: readonly TunablePrompt[]
  decided: Decided
  seed: number
}

export interface TuningOptions {
  /** How many prompts are asked and graded. */
  count: number
  /** The judge names the kind of each prompt. */
  isNamed?: boolean
  /** The share of grades that are wrong. */
  flipped?: number
  /** The error rate that the estimator is told. */
  errorRate?: number
  /** The models have no ratings. */
  isUnrated?: boolean
}

const unrated: QualityPrior = { points: 1300, strength: 5, offsets: null, basis: 'assumed' }

export function toTunable(pool: Pool, readers: Readers): TunablePool {
  const { read, candidates } = coldStart(pool, readers)
  const prompts = pool.rows.flatMap((row) => {
    const reading = read(row)
    if (reading === null) return []
    const { topics, difficulty } = reading
    const form = formOf(readFeatures({ lastUser: row.prompt, system: '' }).dense)
    return [{ row, reading, topics, difficulty, form, kind: topicOfLabel(row.label) }]
  })
  return { name: pool.name, candidates, prompts }
}

export function splitOf({ prompts }: TunablePool, seed: number, half: 0 | 1): Split {
  const places = shuffled([...prompts.keys()], seed)
  const isFirst = new Set(places.slice(0, Math.floor(places.length / 2)))
  const first = prompts.filter((_, index) => isFirst.has(index))
  const second = prompts.filter((_, index) => !isFirst.has(index))
  const [asked, decidedOn] = half === 0 ? [first, second] : [second, first]
  return { asked, decidedOn, decided: toDecided(decidedOn.map(({ row }) => row)), seed }
}

/** What the product expects of each model for each prompt that is decided on, in figures alone. */
export function expectTuned(pool: TunablePool, split: Split, options: TuningOptions): Expected {
  const expectations = expectationsTuned(pool, split, options)
  const figures = expectations.flatMap(({ contenders }) =>
    contenders.map(({ estimate: expected }) => expected),
  )
  return {
    models: pool.candidates.length,
    quality: Float64Array.from(figures, ({ quality }) => quality),
    costNanoUsd: Float64Array.from(figures, ({ costNanoUsd }) => costNanoUsd),
    latencyMs: Float64Array.from(figures, ({ latencyMs }) => latencyMs),
  }
}

/** What the product expects of each model for each prompt that is decided on. */
export function expectationsTuned(
  { candidates: rated }: TunablePool,
  { asked, decidedOn, seed }: Split,
  options: TuningOptions,
): Expectation[] {
  const candidates = options.isUnrated ? rated.map((one) => ({ ...one, quality: unrated })) : rated
  const sample = options.count === 0 ? [] : sampleEvenly(asked, options.count)
  const judged = judge(sample, candidates, { ...options, seed })
  const own = learnOwn({
    prompts: judged,
    weightOf: () => 1,
    priorOf: (modelId) => candidates.find((one) => one.modelId === modelId)?.quality ?? null,
  })
  return expectWith(own, candidates, { sample, decidedOn })
}

function judge(
  sample: readonly TunablePrompt[],
  candidates: readonly Candidate[],
  { isNamed = false, flipped = 0, errorRate = 0, seed }: TuningOptions & { seed: number },
): JudgedPrompt[] {
  const random = seededRandom(seed)
  return sample.map(({ row, reading, topics, difficulty, form, kind }) => ({
    id: randomUUID(),
    atMs: 0,
    topics,
    difficulty,
    confidence: reading.confidence,
    form,
    kind: isNamed ? kind : null,
    errorRate,
    answers: candidates.map(({ modelId, quality }, index) => {
      const right = row.scores[index] ?? 0
      const grade = random() < flipped ? 1 - right : right
      return { modelId, startLogit: startLogit(quality, reading), grade }
    }),
  }))
}

function expectWith(
  own: OwnKnowledge,
  candidates: readonly Candidate[],
  { sample, decidedOn }: { sample: readonly TunablePrompt[]; decidedOn: readonly TunablePrompt[] },
): Expectation[] {
  const read = ({ reading, form }: TunablePrompt) => withOwnKinds(reading, own.kinds, form)
  const taught = sample.map((prompt) => ({ prompt, shares: read(prompt).topics }))
  const lengths = lengthsOf(candidates, taught)
  const known = candidates.map((candidate, index) => ({
    candidate,
    knowledge: {
      feedback: null,
      own: fitOf(own, candidate.modelId),
      latency: latencyPrior(candidate),
      lnOutputTokens: lengths[index] ?? [],
      lnP90: lnP90Prior,
      lengthAnswers: taught.length,
      load: 0,
    },
  }))
  return decidedOn.map((prompt) => {
    const context = contextOf(prompt.row, read(prompt))
    const contenders = known.map(({ candidate, knowledge }) => ({
      model: candidate.modelId,
      position: candidate.position,
      estimate: estimate(candidate, knowledge, context),
    }))
    return { row: prompt.row, contenders }
  })
}

/** Learnt from the run's answers as from all others, model by model. */
function lengthsOf(
  candidates: readonly Candidate[],
  taught: readonly { prompt: TunablePrompt; shares: readonly number[] }[],
): readonly number[][] {
  const router = routerFiguresAtFirst()
  const models = candidates.map(verbosityAtFirst)
  for (const { prompt, shares } of taught) {
    const { difficulty } = prompt.reading
    for (const [index, model] of models.entries()) {
      const outputTokens = prompt.row.outputTokens[index] ?? 0
      const answer = { outputTokens, isCutOff: false, shares, difficulty }
      const { outputRatio } = candidates[index] ?? { outputRatio: 1 }
      learnLength({ router, model }, { outputRatio }, answer)
    }
  }
  return models.map((model, index) =>
    lnLengthsOf(candidates[index] ?? { outputRatio: 1 }, router, model),
  )
}
