/** What reads the prompts of a pool in the bench: never with labels of the prompts it is asked about. */
import {
  shippedWeights,
  type RoutingWeights,
} from '../../src/service/routing/prompt/routing-weights.ts'
import type { ExplainedReading } from '../../src/service/routing/candidate.ts'
import { readPrompt } from '../../src/service/routing/prompt/read-prompt.ts'
import weightsFile from '../../resources/routing-weights.json' with { type: 'json' }
import type { DataFile } from '../../training/reader/data-file.ts'
import { gradedFeatures, scoredPrompts } from '../../training/reader/difficulty-samples.ts'
import type { Read } from './fold.ts'
import { gradedPrompts, type GradedPrompt } from '../../training/graded/graded-prompts.ts'
import { topicOfLabel } from '../../training/reader/labels.ts'
import type { Pool, PoolRow } from './pool.ts'
import { questionStem } from '../../training/reader/question-stem.ts'
import { seedSamples } from '../../training/reader/training-set.ts'
import { trainDifficulty } from '../../training/reader/train-difficulty.ts'
import { toTopicSample, trainTopics, type TopicSample } from '../../training/reader/train-topics.ts'

/** A prompt with a topic, and the question it is, whichever file it stands in. */
interface LabelledPrompt {
  file: string
  stem: string
  row: Row
  sample: TopicSample
}

type Row = DataFile['rows'][number]

/** What is left out together: a question in all files and forms, or one file's prompt. */
type LeftOut = 'question' | 'prompt'

/** The prompts of all files in groups, and for each group weights that saw the others. */
interface PromptGroups {
  groupOf(file: string, prompt: string): number
  weights: readonly RoutingWeights[]
}

/** Kinds are left out in groups, because training a reader for each kind would take minutes. */
const kindGroups = 6
/** The goals of the order were set with whole halves learned, so prompts are left out in more groups than questions. */
const groupsOf: Readonly<Record<LeftOut, number>> = { question: 5, prompt: 10 }

export class Readers {
  readonly #known: LabelledPrompt[]
  readonly #seeds = seedSamples()
  readonly #files: readonly DataFile[]
  readonly #cold = new Map<string, RoutingWeights>()
  readonly #groups = new Map<LeftOut, PromptGroups>()

  constructor(files: readonly DataFile[]) {
    this.#files = files
    this.#known = files.flatMap(({ name, rows }) =>
      rows.flatMap((row: Row) => {
        const topic = topicOfLabel(row.label)
        if (topic === null) return []
        const sample = toTopicSample(row.prompt, topic)
        return [{ file: name, stem: questionStem(row.prompt), row, sample }]
      }),
    )
  }

  /**
   * The shipped weights, or, where they were trained on this very file, weights that know of it the
   * taught rows only, and of other files no prompt that stands in it.
   */
  forFold(pool: Pool, taught: readonly PoolRow[]): Read {
    if (!isTrainedOn(pool)) return readWith(shippedWeights())
    const others = this.#without(pool)
    const own = taught.flatMap(({ prompt, label }) => {
      const topic = topicOfLabel(label)
      return topic === null ? [] : [toTopicSample(prompt, topic)]
    })
    return this.#trained(this.cold(pool), [...others.map(({ sample }) => sample), ...own])
  }

  /** Reads prompts as if none of this topic had ever been seen. @param topic  place in `topicNames` */
  without(pool: Pool, topic: number): Read {
    return this.#trained(
      this.cold(pool),
      this.#known.map(({ sample }) => sample),
      topic,
    )
  }

  /** Weights for a pool that a fresh install meets: the shipped ones, or ones that never saw its file. */
  cold(pool: Pool): RoutingWeights {
    if (!isTrainedOn(pool)) return shippedWeights()
    const known = this.#cold.get(pool.name)
    if (known) return known
    const own = stemsOf(pool)
    const others = this.#files.filter(({ name }) => name !== pool.name)
    const weights = this.#trainedOn(others, ({ prompt }) => !own.has(questionStem(prompt)))
    this.#cold.set(pool.name, weights)
    return weights
  }

  /** Weights that saw other prompts of the pool's file, but not what is left out with the one that they read. */
  forOthersOfFile(pool: Pool, leftOut: LeftOut): Read {
    if (!isTrainedOn(pool)) return readWith(shippedWeights())
    const groups = this.#groups.get(leftOut) ?? this.#trainGroups(leftOut)
    this.#groups.set(leftOut, groups)
    const reads = groups.weights.map(readWith)
    return (asked) => reads[groups.groupOf(pool.name, asked.prompt)]?.(asked) ?? null
  }

  #trainGroups(leftOut: LeftOut): PromptGroups {
    const nameOf = (file: string, prompt: string) =>
      leftOut === 'question' ? questionStem(prompt) : `${file} ${prompt}`
    const places = new Map<string, number>()
    for (const { name, rows } of this.#files) {
      for (const { prompt } of rows) {
        const named = nameOf(name, prompt)
        if (!places.has(named)) places.set(named, places.size)
      }
    }
    const groupOf = (file: string, prompt: string) =>
      (places.get(nameOf(file, prompt)) ?? 0) % groupsOf[leftOut]
    const weights = Array.from({ length: groupsOf[leftOut] }, (_, group) =>
      this.#trainedOn(this.#files, ({ prompt }, file) => groupOf(file, prompt) !== group),
    )
    return { groupOf, weights }
  }

  #trainedOn(
    files: readonly DataFile[],
    isTaught: (row: Row, file: string) => boolean,
  ): RoutingWeights {
    const taught = files.map((file) => withRows(file, (row) => isTaught(row, file.name)))
    const rows = new Set<Row>(taught.flatMap((file): readonly Row[] => file.rows))
    const known = this.#known.filter(({ row }) => rows.has(row))
    const topics = trainTopics([...known.map(({ sample }) => sample), ...this.#seeds])
    const scored = taught.flatMap((file) => scoredPrompts(file, topics))
    const graded = gradedFeatures(gradedPrompts, topics)
    return { ...shippedWeights(), topics, difficulty: trainDifficulty({ scored, graded }) }
  }

  /** What reads graded prompts: weights that saw the other kinds only, in a few groups of whole kinds. */
  forKinds(): (prompt: Pick<GradedPrompt, 'prompt' | 'kind'>) => ExplainedReading {
    const kinds = [...new Set(gradedPrompts.map(({ kind }) => kind))]
    const groups = kinds.map((_, index) => index % kindGroups)
    const weights = Array.from({ length: kindGroups }, (_, group) => {
      const left = new Set(kinds.filter((__, index) => groups[index] === group))
      return this.#withoutKinds(left)
    })
    return ({ prompt, kind }) =>
      readPrompt({ lastUser: prompt, system: '' }, weights[groups[kinds.indexOf(kind)] ?? 0])
  }

  #withoutKinds(left: ReadonlySet<string>): RoutingWeights {
    const others = gradedPrompts.filter(({ kind }) => !left.has(kind))
    const known = this.#known.map(({ sample }) => sample)
    const topics = trainTopics([...known, ...seedSamples(others)])
    const scored = this.#files.flatMap((file) => scoredPrompts(file, topics))
    const graded = gradedFeatures(others, topics)
    return { ...shippedWeights(), topics, difficulty: trainDifficulty({ scored, graded }) }
  }

  #without(pool: Pool): LabelledPrompt[] {
    const inPool = stemsOf(pool)
    return this.#known.filter(({ file, stem }) => file !== pool.name && !inPool.has(stem))
  }

  #trained(
    weights: RoutingWeights,
    samples: readonly TopicSample[],
    left: number | null = null,
  ): Read {
    const all = [...samples, ...this.#seeds].filter((sample) => sample.topic !== left)
    return readWith({ ...weights, topics: trainTopics(all) })
  }
}

function isTrainedOn(pool: Pool): boolean {
  return weightsFile.provenance.sources.some(({ hash }) => hash === pool.hash)
}

function withRows(file: DataFile, isKept: (row: Row) => boolean): DataFile {
  return file.kind === 'pair'
    ? { ...file, rows: file.rows.filter(isKept) }
    : { ...file, rows: file.rows.filter(isKept) }
}

function stemsOf(pool: Pool): ReadonlySet<string> {
  return new Set(pool.rows.map(({ prompt }) => questionStem(prompt)))
}

/** Each row is read once. */
export function readWith(weights: RoutingWeights): Read {
  const readings = new Map<PoolRow, ReturnType<Read>>()
  return (row) => {
    const known = readings.get(row)
    if (known) return known
    const reading = readPrompt({ lastUser: row.prompt, system: '' }, weights)
    readings.set(row, reading)
    return reading
  }
}
