/**
 * The signals of all answers, summed up in memory and written together at most once a second. Answers without a
 * signal are only counted here. They are written with the next signal of their model, because alone they would
 * say nothing new.
 */
import {
  signalKinds,
  unmarkedWeight,
  type SignalName,
  type SignalRecord,
  type SignalSetting,
} from '../../../shared/requests/signals.ts'
import { unreadDifficulty } from '../../../shared/models/quality-scale.ts'
import { topicNames, topicShares } from '../../../shared/routers/topics.ts'
import type { FeedbackStore, ModelFeedback } from '../../storage/feedback-store.ts'
import { SchemaMatcher } from '../attempts/json-schema.ts'
import type { JudgedAnswer } from './answer-signals.ts'
import { AskedAgain } from './asked-again.ts'

const writeMs = 1_000

export interface SignalLabelsOptions {
  store: Pick<FeedbackStore, 'addSignals'>
  /** The switches, read for each answer. */
  settings(): Readonly<Record<SignalSetting, boolean>>
  /** Unix milliseconds. */
  now(): number
  /** Monotonic milliseconds. */
  clock(): number
  /** Called when signals could not be stored; they are lost. */
  onError(error: unknown): void
}

interface Sums extends ModelFeedback {
  hasSignal: boolean
}

export class SignalLabels {
  readonly #options: SignalLabelsOptions
  readonly #sums = new Map<string, Sums>()
  #timer: NodeJS.Timeout | null = null
  readonly schemas: Pick<SchemaMatcher, 'match'>
  readonly askedAgain: AskedAgain

  constructor(options: SignalLabelsOptions) {
    this.#options = options
    this.schemas = new SchemaMatcher(() => options.clock())
    this.askedAgain = new AskedAgain(() => options.clock())
  }

  isOn(name: SignalName): boolean {
    return this.#options.settings()[signalKinds[name].setting]
  }

  /** Counts a signal. */
  add({ model, label, weight }: SignalRecord, reading: JudgedAnswer['reading']): void {
    const sums = this.#count({ modelId: model, reading }, label, weight)
    sums.hasSignal = true
    this.#timer ??= setTimeout(() => void this.#write(), writeMs).unref()
  }

  /** Counts an answer without a signal. */
  addUnmarked(answer: JudgedAnswer): void {
    this.#count(answer, 1, unmarkedWeight)
  }

  /** Writes what is still in memory. */
  async close(): Promise<void> {
    if (this.#timer !== null) clearTimeout(this.#timer)
    await this.#write()
  }

  #count({ modelId, reading }: JudgedAnswer, label: number, weight: number): Sums {
    const sums = this.#sums.get(modelId) ?? noSums(modelId)
    this.#sums.set(modelId, sums)
    const difficulty = reading?.difficulty ?? unreadDifficulty
    const shares = topicShares(reading?.topics ?? [])
    for (let topic = 0; topic < shares.length; topic += 1) {
      const counted = weight * (shares[topic] ?? 0)
      sums.good[topic] = (sums.good[topic] ?? 0) + counted * label
      sums.bad[topic] = (sums.bad[topic] ?? 0) + counted * (1 - label)
      sums.difficulty[topic] = (sums.difficulty[topic] ?? 0) + counted * difficulty
    }
    return sums
  }

  async #write(): Promise<void> {
    this.#timer = null
    const { store, now, onError } = this.#options
    const written: ModelFeedback[] = []
    for (const { hasSignal, ...sums } of this.#sums.values()) {
      if (!hasSignal) continue
      written.push(sums)
      this.#sums.delete(sums.modelId)
    }
    if (written.length > 0) await store.addSignals(written, now()).catch(onError)
  }
}

function noSums(modelId: string): Sums {
  const zeros = () => topicNames.map(() => 0)
  return { modelId, good: zeros(), bad: zeros(), difficulty: zeros(), hasSignal: false }
}
