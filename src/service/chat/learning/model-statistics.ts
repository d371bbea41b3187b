/**
 * What has been learned from the answers of each deployment: its latency, the length of its answers, and
 * its load. Every request reads this for every candidate, so all of it is in memory; changes go to storage
 * in the background, where they are merged with what other nodes learned. Of the failures only timeouts count here; breakers learn from the others.
 */
import type { DecisionRecord } from '../../../shared/request-detail.ts'
import { topicShares } from '../../../shared/topics.ts'
import type { ModelServers } from '../../providers/model-servers.ts'
import type { ServerTimings } from '../../providers/provider.ts'
import type { Candidate, FeedbackCounts, ModelKnowledge } from '../../routing/candidate.ts'
import { lnOutputOf } from '../../routing/expected-output.ts'
import { latencyPrior } from '../../routing/knowledge.ts'
import type { AnswerForm, ModelFigures } from '../../storage/model-statistics.ts'
import { mergeFigures } from '../../storage/merge-figures.ts'
import type { LearnedStatistics, StoredStatistics } from '../../storage/storage.ts'
import { learnLength, lengthsAtFirst } from './answer-lengths.ts'
import {
  averageAt,
  latencyOf,
  slopeOf,
  withAnswer,
  withPrompt,
  withTimeout,
  type TimedAnswer,
} from './latency-average.ts'

/** Concurrent requests that a deployment is assumed to serve without slowing down. */
const requestsAtOnce = 8

export interface ModelStatisticsOptions {
  /** Read from storage at the start. */
  stored: readonly StoredStatistics[]
  /** Requests under way at a deployment. */
  pendingOf(modelId: string): number
  /** Null when no answer was judged. */
  feedbackOf(modelId: string): FeedbackCounts | null
  /** What judged prompts say about the model; null when none was judged. */
  ownOf(modelId: string): readonly number[] | null
  /** Requests in progress and waiting at a provider, for each that it answers at once; null: none waits. */
  loadOf(providerId: string): number | null
  /** Whether a model of this computer has to be loaded first. */
  isCold(candidate: Pick<Candidate, 'modelId' | 'providerId'>): boolean
  servers: Pick<ModelServers, 'answered' | 'speedOf' | 'restore'>
  /** Unix milliseconds, so that figures from before a restart have an age. */
  now(): number
}

/** The time and tokens of one answer. */
export interface AnswerSample extends TimedAnswer {
  candidate: Candidate
  /** The model had to be loaded first. */
  isCold: boolean
  /** Billed. */
  outputTokens: number
  /** The server's own; null when it reports none. */
  timings: ServerTimings | null
  /** Cut off at the request's token limit. */
  isCutOff: boolean
  /** The reading of the prompt; null when it was not read. */
  reading: DecisionRecord['reading']
}

export interface TimeoutSample {
  candidate: Candidate
  isStreamed: boolean
  isCold: boolean
  tookMs: number
}

export class ModelStatistics {
  readonly #options: ModelStatisticsOptions
  readonly #figures: Map<string, ModelFigures>
  /** As they are in storage, as far as this process knows. */
  readonly #stored = new Map<string, ModelFigures>()
  /** Models whose latest figures are not in storage yet. */
  readonly #changed = new Set<string>()

  constructor(options: ModelStatisticsOptions) {
    this.#options = options
    this.#figures = new Map(options.stored.map(({ modelId, ...figures }) => [modelId, figures]))
    for (const [modelId, figures] of this.#figures) this.#keepStored(modelId, figures)
    for (const [modelId, { served }] of this.#figures) {
      if (served) options.servers.restore(modelId, served)
    }
  }

  /**
   * The current figures of a candidate; from the prior where no answer gave any. The lengths are updated
   * in place: copy them to keep them.
   */
  knowledgeOf(candidate: Candidate, isStreamed: boolean): ModelKnowledge {
    const { modelId, providerId } = candidate
    const figures = this.#figures.get(figuresName(candidate))
    return {
      feedback: this.#options.feedbackOf(modelId),
      own: this.#options.ownOf(modelId),
      latency: this.#latencyOf(candidate, figures, isStreamed),
      lnOutputTokens: figures?.lengths?.lnTokens ?? lnOutputOf(candidate.outputRatio),
      load: this.#options.loadOf(providerId) ?? this.#options.pendingOf(modelId) / requestsAtOnce,
    }
  }

  /** Whether a request sent now waits for its model to load. */
  isCold(candidate: Candidate): boolean {
    return candidate.isLocal && this.#options.isCold(candidate)
  }

  /** Learns from a complete answer. */
  answered(sample: AnswerSample): void {
    const { candidate, reading, timings } = sample
    const figures = this.#figuresOf(candidate)
    if (candidate.isLocal) {
      this.#options.servers.answered(candidate.modelId, timings ?? timedFromOutside(sample))
      figures.served = this.#options.servers.speedOf(candidate.modelId)
    }
    const timed = timedByServer(sample)
    const isCold = timed === null && sample.isCold
    const answer = timed ?? sample
    if (answer.isStreamed && !isCold) figures.prompts = withPrompt(figures.prompts, answer)
    const form = formOf(sample.isStreamed, isCold)
    const before = averageAt(figures.latencies[form], latencyPrior(candidate), this.#options.now())
    figures.latencies[form] = withAnswer(before, answer, promptSlopeOf(figures))
    figures.lengths ??= lengthsAtFirst(candidate)
    const { outputTokens, isCutOff } = sample
    const shares = topicShares(reading?.topics ?? [])
    learnLength(figures.lengths, { outputTokens, isCutOff, shares })
  }

  /** Learns from an attempt that timed out before any output. */
  timedOut({ candidate, isStreamed, isCold, tookMs }: TimeoutSample): void {
    const figures = this.#figuresOf(candidate)
    const form = formOf(isStreamed, isCold)
    const lnTokens = figures.lengths?.lnTokens ?? lnOutputOf(candidate.outputRatio)
    const meanLn = lnTokens.reduce((sum, ln) => sum + ln, 0) / lnTokens.length
    const before = averageAt(figures.latencies[form], latencyPrior(candidate), this.#options.now())
    const expectedTokens = Math.exp(meanLn)
    figures.latencies[form] = withTimeout(before, { isStreamed, tookMs, expectedTokens })
  }

  /** The figures that changed since the last call, to be stored. */
  takeChanged(): LearnedStatistics[] {
    const changed = [...this.#changed].flatMap((modelId) => {
      const figures = this.#figures.get(modelId)
      const base = this.#stored.get(modelId) ?? null
      // Copied, because answers change the figures in place.
      return figures ? [{ modelId, base, figures: structuredClone(figures) }] : []
    })
    this.#changed.clear()
    return changed
  }

  /** Continues from what `takeChanged` gave and what was stored of it, with the answers since then. */
  saved(learned: readonly LearnedStatistics[], stored: readonly StoredStatistics[]): void {
    for (const { modelId, figures } of learned) {
      const merged = stored.find((each) => each.modelId === modelId)
      if (merged) this.#adopt(merged, figures)
    }
  }

  /** Continues from what other nodes stored. */
  follow(stored: readonly StoredStatistics[]): void {
    for (const each of stored) this.#adopt(each, this.#stored.get(each.modelId) ?? null)
  }

  /** @param base  what the stored figures were merged with */
  #adopt({ modelId, ...stored }: StoredStatistics, base: ModelFigures | null): void {
    const mine = this.#figures.get(modelId)
    this.#figures.set(modelId, mine ? mergeFigures({ base, mine, stored }) : stored)
    this.#keepStored(modelId, stored)
  }

  #keepStored(modelId: string, figures: ModelFigures): void {
    this.#stored.set(modelId, structuredClone(figures))
  }

  #latencyOf(candidate: Candidate, figures: ModelFigures | undefined, isStreamed: boolean) {
    const prior = latencyPrior(candidate)
    if (figures === undefined) return prior
    const loadMs = figures.served?.loadMs ?? null
    const isCold = this.isCold(candidate)
    const average = figures.latencies[formOf(isStreamed, isCold && loadMs === null)]
    const msPerPromptToken = promptSlopeOf(figures)
    const latency = latencyOf(average, prior, { msPerPromptToken, nowMs: this.#options.now() })
    if (!isCold || loadMs === null) return latency
    return { ...latency, firstTokenMs: latency.firstTokenMs + loadMs }
  }

  #figuresOf(candidate: Candidate): ModelFigures {
    const name = figuresName(candidate)
    this.#changed.add(name)
    const known = this.#figures.get(name)
    if (known !== undefined) return known
    const figures: ModelFigures = { latencies: {}, prompts: null, lengths: null }
    this.#figures.set(name, figures)
    return figures
  }
}

/** A reasoning effort that the router chose has figures of its own: answers are up to fifty times as long. */
function figuresName({ modelId, effort }: Candidate): string {
  return effort === null ? modelId : `${modelId} reasoning_effort=${effort}`
}

/** The server's figure, otherwise what the answers show. */
function promptSlopeOf({ served, prompts }: ModelFigures): number {
  return served?.msPerPromptToken ?? slopeOf(prompts)
}

/**
 * The times of an answer as a stream of a loaded model would have had, from a server that reports its own. Null
 * without them.
 */
function timedByServer(sample: AnswerSample): TimedAnswer | null {
  const { loadMs, promptTokens, outputTokens, outputMs } = sample.timings ?? {}
  if (!outputTokens || typeof outputMs !== 'number') return null
  const beforeMs = sample.isStreamed ? sample.firstTokenMs : sample.totalMs - outputMs
  const firstTokenMs = Math.max(0, beforeMs - (loadMs ?? 0))
  return {
    isStreamed: true,
    firstTokenMs,
    totalMs: firstTokenMs + outputMs,
    uncachedTokens: promptTokens ?? sample.uncachedTokens,
    writtenTokens: outputTokens,
  }
}

/** The writing of a stream from a server that reports no times of its own. */
function timedFromOutside(sample: AnswerSample): ServerTimings | null {
  const { isStreamed, writtenTokens, firstTokenMs, totalMs } = sample
  if (!isStreamed) return null
  const outputTokens = writtenTokens - 1
  const outputMs = totalMs - firstTokenMs
  return { loadMs: null, promptTokens: null, promptMs: null, outputTokens, outputMs }
}

function formOf(isStreamed: boolean, isCold: boolean): AnswerForm {
  if (isCold) return isStreamed ? 'stream_cold' : 'whole_cold'
  return isStreamed ? 'stream' : 'whole'
}
