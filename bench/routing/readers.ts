/** What reads the prompts of a pool in the bench: never with labels of the prompts it is asked about. */
import {
  shippedWeights,
  type RoutingWeights,
} from '../../src/service/routing/prompt/routing-weights.ts'
import { readPrompt } from '../../src/service/routing/prompt/read-prompt.ts'
import weightsFile from '../../resources/routing-weights.json' with { type: 'json' }
import type { DataFile } from './data-file.ts'
import type { Read } from './fold.ts'
import { topicOfLabel } from './labels.ts'
import type { Pool, PoolRow } from './pool.ts'
import { questionStem } from './question-stem.ts'
import { seedSamples } from './training-set.ts'
import { toTopicSample, trainTopics, type TopicSample } from './train-topics.ts'

/** A prompt with a topic, and the question it is, whichever file it stands in. */
interface LabelledPrompt {
  file: string
  stem: string
  sample: TopicSample
}

export class Readers {
  readonly #known: LabelledPrompt[]
  readonly #seeds = seedSamples()

  constructor(files: readonly DataFile[]) {
    this.#known = files.flatMap(({ name, rows }) =>
      rows.flatMap(({ prompt, label }) => {
        const topic = topicOfLabel(label)
        if (topic === null) return []
        return [{ file: name, stem: questionStem(prompt), sample: toTopicSample(prompt, topic) }]
      }),
    )
  }

  /**
   * The shipped weights, or, where they were trained on this very file, weights that know of it the
   * taught rows only, and of other files no prompt that stands in it.
   */
  forFold(pool: Pool, taught: readonly PoolRow[]): Read {
    const isTrainedOn = weightsFile.provenance.sources.some(({ hash }) => hash === pool.hash)
    if (!isTrainedOn) return readWith(shippedWeights())
    const inPool = new Set(pool.rows.map(({ prompt }) => questionStem(prompt)))
    const others = this.#known.filter(({ file, stem }) => file !== pool.name && !inPool.has(stem))
    const own = taught.flatMap(({ prompt, label }) => {
      const topic = topicOfLabel(label)
      return topic === null ? [] : [toTopicSample(prompt, topic)]
    })
    return this.#trained([...others.map(({ sample }) => sample), ...own])
  }

  /** As if nobody had ever seen a prompt of this topic. @param topic  place in `topicNames` */
  without(topic: number): Read {
    return this.#trained(
      this.#known.map(({ sample }) => sample),
      topic,
    )
  }

  #trained(samples: readonly TopicSample[], left: number | null = null): Read {
    const all = [...samples, ...this.#seeds].filter((sample) => sample.topic !== left)
    return readWith({ ...shippedWeights(), topics: trainTopics(all) })
  }
}

/** Each row is read once. */
function readWith(weights: RoutingWeights): Read {
  const readings = new Map<PoolRow, ReturnType<Read>>()
  return (row) => {
    const known = readings.get(row)
    if (known) return known
    const reading = readPrompt({ lastUser: row.prompt, system: '' }, weights)
    readings.set(row, reading)
    return reading
  }
}
