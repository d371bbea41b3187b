/**
 * What has been learned from the answers of each deployment and router: latency, the length of answers, and
 * load. Every request reads this for every candidate, so all of it is in memory; changes go to storage
 * in the background, where they are merged with what other nodes learned. Of the failures only timeouts count here; breakers learn from the others.
 */
import type { DecisionRecord } from '../../../shared/requests/detail.ts'
import { topicShares } from '../../../shared/routers/topics.ts'
import type { ModelServers } from '../../providers/model-servers.ts'
import type { ServerTimings } from '../../providers/provider.ts'
import type {
  Candidate,
  FeedbackCounts,
  ModelFit,
  ModelKnowledge,
} from '../../routing/candidate.ts'
import { knownAnswers } from '../../routing/first-look.ts'
import { latencyPrior } from '../../routing/knowledge.ts'
import type { AnswerForm, ModelFigures, RouterFigures } from '../../storage/model-statistics.ts'
import { mergeFigures, mergeRouterFigures } from '../../storage/merge-figures.ts'
import type { Stored } from '../../storage/storage.ts'
import {
  learnLength,
  lnLengthsOf,
  noRouterFigures,
  routerFiguresAtFirst,
  lnP90Of,
  verbosityAtFirst,
} from './answer-lengths.ts'
import {
  latencyOf,
  slopeOf,
  timedOutAnswer,
  withAnswer,
  withPrompt,
  type LnTimes,
  type TimedAnswer,
} from './latency-average.ts'
import { LearnedFigures } from './learned-figures.ts'
import { expectedOf, noLatency, sharedLatency, type SharedLatency } from './shared-latency.ts'

/** Concurrent requests that a deployment is assumed to serve without slowing down. */
const requestsAtOnce = 8

export interface ModelStatisticsOptions {
  /** Read from storage at the start. */
  stored: {
    models: readonly Stored<ModelFigures>[]
    routers: readonly Stored<RouterFigures>[]
  }
  /** Requests under way at a deployment. */
  pendingOf(modelId: string): number
  /** @returns null when no answer was judged */
  feedbackOf(modelId: string): FeedbackCounts | null
  /** What the router learnt about the model from judged prompts; null when none was judged. */
  ownOf(modelId: string, routerId: string): ModelFit | null
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
  routerId: string
  /** The model had to be loaded first. */
  isCold: boolean
  /** Billed. */
  outputTokens: number
  /** The server's own; null when it reports none. */
  timings: ServerTimings | null
  /** Cut off at the request's token limit. */
  isCutOff: boolean
  /** Whether it is as long as the router's answers; otherwise only its times count. */
  teachesLength: boolean
  /** The reading of the prompt; null when it was not read. */
  reading: DecisionRecord['reading']
}

export interface TimeoutSample {
  candidate: Candidate
  routerId: string
  isStreamed: boolean
  isCold: boolean
  tookMs: number
}

/** Router and form of answer whose figures are asked for. */
export interface KnowledgeQuery {
  routerId: string
  isStreamed: boolean
}

/** First looks of a router at most: these, and a share of its answers, smaller for models that were known before. */
const firstLooks = 3
const looksPerAnswer = { first: 0.02, again: 0.004 }
/** Time after which shared latencies are computed again, because they fade. */
const sharedForMs = 10_000

export class ModelStatistics {
  readonly models: LearnedFigures<ModelFigures>
  readonly routers: LearnedFigures<RouterFigures>
  readonly #options: ModelStatisticsOptions
  /** First looks at each deployment that are under way or failed. */
  readonly #unansweredLooks = new Map<string, number>()
  readonly #shared = new Map<AnswerForm, SharedLatency & { untilMs: number }>()

  constructor(options: ModelStatisticsOptions) {
    const { stored, servers } = options
    this.#options = options
    this.models = new LearnedFigures(stored.models, {
      first: () => ({ latencies: {}, prompts: null, verbosity: null }),
      merge: mergeFigures,
    })
    this.routers = new LearnedFigures(stored.routers, {
      first: routerFiguresAtFirst,
      merge: mergeRouterFigures,
    })
    for (const { id, figures } of stored.models) {
      if (figures.served) servers.restore(id, figures.served)
    }
  }

  /** The current figures of a candidate; from the prior and other models where no answer gave any. */
  knowledgeOf(candidate: Candidate, { routerId, isStreamed }: KnowledgeQuery): ModelKnowledge {
    const { modelId, providerId } = candidate
    const figures = this.models.get(figuresName(candidate))
    return {
      feedback: this.#options.feedbackOf(modelId),
      own: this.#options.ownOf(modelId, routerId),
      latency: this.#latencyOf(candidate, figures, isStreamed),
      lnOutputTokens: this.#lengthsOf(candidate, routerId),
      lnP90: lnP90Of(figures?.verbosity ?? null),
      lengthAnswers: Math.round(figures?.verbosity?.answers ?? 0),
      load: this.#options.loadOf(providerId) ?? this.#options.pendingOf(modelId) / requestsAtOnce,
    }
  }

  /** Whether another request may go to the model only to learn how it answers. */
  mayLookAt(candidate: Candidate, routerId: string): boolean {
    const { looks, answers } = this.routers.get(routerId) ?? noRouterFigures
    const name = figuresName(candidate)
    const wasKnown = (this.models.get(name)?.verbosity?.answers ?? 0) > knownAnswers - 1
    const share = wasKnown ? looksPerAnswer.again : looksPerAnswer.first
    if (looks >= firstLooks + share * answers) return false
    return (this.#unansweredLooks.get(name) ?? 0) < knownAnswers
  }

  /** Counts a first look. */
  looked(candidate: Candidate, routerId: string): void {
    this.routers.change(routerId).looks += 1
    const name = figuresName(candidate)
    this.#unansweredLooks.set(name, (this.#unansweredLooks.get(name) ?? 0) + 1)
  }

  /** Whether a request sent now waits for its model to load. */
  isCold(candidate: Candidate): boolean {
    return candidate.isLocal && this.#options.isCold(candidate)
  }

  /** Learns from a complete answer. */
  answered(sample: AnswerSample): void {
    const { candidate, routerId, reading, timings, outputTokens, isCutOff } = sample
    const figures = this.models.change(figuresName(candidate))
    this.#unansweredLooks.delete(figuresName(candidate))
    if (candidate.isLocal) {
      this.#options.servers.answered(candidate.modelId, timings ?? timedFromOutside(sample))
      figures.served = this.#options.servers.speedOf(candidate.modelId)
    }
    const timed = timedByServer(sample)
    const isCold = timed === null && sample.isCold
    const answer = timed ?? sample
    if (answer.isStreamed && !isCold) figures.prompts = withPrompt(figures.prompts, answer)
    this.#learnTimes(candidate, formOf(sample.isStreamed, isCold), answer)
    if (!sample.teachesLength) return
    figures.verbosity ??= verbosityAtFirst()
    const lengths = { router: this.routers.change(routerId), model: figures.verbosity }
    const shares = topicShares(reading?.topics ?? [])
    const difficulty = reading?.difficulty ?? null
    learnLength(lengths, candidate, { outputTokens, isCutOff, shares, difficulty })
  }

  /** Learns from an attempt that timed out before any output. */
  timedOut({ candidate, routerId, isStreamed, isCold, tookMs }: TimeoutSample): void {
    const lnTokens = this.#lengthsOf(candidate, routerId)
    const meanLn = lnTokens.reduce((sum, ln) => sum + ln, 0) / lnTokens.length
    const answer = timedOutAnswer({ isStreamed, tookMs, expectedTokens: Math.exp(meanLn) })
    this.#learnTimes(candidate, formOf(isStreamed, isCold), answer)
  }

  #learnTimes(candidate: Candidate, form: AnswerForm, answer: TimedAnswer): void {
    const figures = this.models.change(figuresName(candidate))
    const prior = latencyPrior(candidate)
    const nowMs = this.#options.now()
    const average = figures.latencies[form]
    const basis = { prior, shared: this.#sharedOf(candidate, form) }
    const msPerPromptToken = promptSlopeOf(figures)
    const expected = latencyOf(average, basis, { msPerPromptToken, nowMs })
    figures.latencies[form] = withAnswer(average, { answer, expected, prior, nowMs })
    this.#shared.delete(form)
  }

  #lengthsOf(candidate: Candidate, routerId: string): number[] {
    const { verbosity = null } = this.models.get(figuresName(candidate)) ?? {}
    return lnLengthsOf(candidate, this.routers.get(routerId) ?? noRouterFigures, verbosity)
  }

  #latencyOf(candidate: Candidate, figures: ModelFigures | undefined, isStreamed: boolean) {
    const loadMs = figures?.served?.loadMs ?? null
    const isCold = figures !== undefined && this.isCold(candidate)
    const form = formOf(isStreamed, isCold && loadMs === null)
    const basis = { prior: latencyPrior(candidate), shared: this.#sharedOf(candidate, form) }
    const msPerPromptToken = figures === undefined ? 0 : promptSlopeOf(figures)
    const nowMs = this.#options.now()
    const latency = latencyOf(figures?.latencies[form], basis, { msPerPromptToken, nowMs })
    if (!isCold || loadMs === null) return latency
    return { ...latency, firstTokenMs: latency.firstTokenMs + loadMs }
  }

  #sharedOf({ isLocal, providerId }: Candidate, form: AnswerForm): LnTimes {
    if (isLocal) return noLatency
    const nowMs = this.#options.now()
    let shared = this.#shared.get(form)
    if (shared === undefined || nowMs >= shared.untilMs) {
      const untilMs = nowMs + sharedForMs
      shared = { ...sharedLatency(this.models.entries(), form, nowMs), untilMs }
      this.#shared.set(form, shared)
    }
    return expectedOf(shared, providerId)
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
