/**
 * What the answers of each deployment taught: how quick it is, how long its answers are, how busy it is.
 * Read for every candidate of every request, so it is all in memory; what is new goes to the storage in
 * the background. Failures teach nothing here (the breakers learn from those), except a timeout.
 */
import type { DecisionRecord } from '../../shared/request-detail.ts'
import { topicShares } from '../../shared/topics.ts'
import type { Candidate, FeedbackCounts, ModelKnowledge } from '../routing/candidate.ts'
import { lnOutputPrior } from '../routing/expected-output.ts'
import { latencyPrior } from '../routing/knowledge.ts'
import type { AnswerForm, ModelFigures } from '../storage/model-statistics.ts'
import type { StoredStatistics } from '../storage/storage.ts'
import { learnLength, lengthsAtFirst } from './answer-lengths.ts'
import {
  latencyOf,
  paceAt,
  slopeOf,
  withAnswer,
  withPrompt,
  withTimeout,
  type TimedAnswer,
} from './pace.ts'

/** Requests at once that a deployment takes without being slower; no provider says its own number. */
const requestsAtOnce = 8

export interface ModelStatisticsOptions {
  /** As the storage kept them. */
  stored: readonly StoredStatistics[]
  /** Requests under way at a deployment. */
  pendingOf(modelId: string): number
  /** Null where no answer was judged. */
  feedbackOf(modelId: string): FeedbackCounts | null
  /** Whether the model on this computer is yet to be loaded. */
  isLocalModelCold(): boolean
  /** Unix milliseconds: what was learnt before a restart has its age. */
  now(): number
}

/** What one answer took. */
export interface AnswerSample extends TimedAnswer {
  candidate: Candidate
  /** Its model had to be loaded. */
  isCold: boolean
  /** Billed. */
  outputTokens: number
  /** At a limit of the request's. */
  isCutOff: boolean
  /** What the prompt looked like, where anybody looked. */
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
  /** Models of which the storage does not have the latest. */
  readonly #changed = new Set<string>()

  constructor(options: ModelStatisticsOptions) {
    this.#options = options
    this.#figures = new Map(options.stored.map(({ modelId, ...figures }) => [modelId, figures]))
  }

  /**
   * What is known of a candidate at this moment; of the prior what no answer told yet. The lengths are
   * those that are learnt in place: whoever keeps them keeps a copy.
   */
  knowledgeOf(candidate: Candidate, isStreamed: boolean): ModelKnowledge {
    const { modelId } = candidate
    const figures = this.#figures.get(modelId)
    return {
      feedback: this.#options.feedbackOf(modelId),
      latency: this.#latencyOf(candidate, figures, isStreamed),
      lnOutputTokens: figures?.lengths?.lnTokens ?? lnOutputPrior,
      load: this.#options.pendingOf(modelId) / requestsAtOnce,
    }
  }

  /** Whether an answer asked for now waits for its model to be loaded. */
  isCold({ isLocal }: Candidate): boolean {
    return isLocal && this.#options.isLocalModelCold()
  }

  /** Learns from an answer that came to its end. */
  answered(sample: AnswerSample): void {
    const { candidate, isStreamed, isCold, reading } = sample
    const figures = this.#figuresOf(candidate)
    if (isStreamed && !isCold) figures.prompts = withPrompt(figures.prompts, sample)
    const form = formOf(isStreamed, isCold)
    const known = paceAt(figures.paces[form], latencyPrior(candidate), this.#options.now())
    figures.paces[form] = withAnswer(known, sample, slopeOf(figures.prompts))
    figures.lengths ??= lengthsAtFirst()
    const { outputTokens, isCutOff } = sample
    const shares = topicShares(reading?.topics ?? [])
    learnLength(figures.lengths, { outputTokens, isCutOff, shares })
  }

  /** Learns from one that showed nothing in its time. */
  timedOut({ candidate, isStreamed, isCold, tookMs }: TimeoutSample): void {
    const figures = this.#figuresOf(candidate)
    const form = formOf(isStreamed, isCold)
    const lnTokens = figures.lengths?.lnTokens ?? lnOutputPrior
    const meanLn = lnTokens.reduce((sum, ln) => sum + ln, 0) / lnTokens.length
    const known = paceAt(figures.paces[form], latencyPrior(candidate), this.#options.now())
    const expectedTokens = Math.exp(meanLn)
    figures.paces[form] = withTimeout(known, { isStreamed, tookMs, expectedTokens })
  }

  /** What changed since this was last asked, to be stored. */
  takeChanged(): StoredStatistics[] {
    const changed = [...this.#changed].flatMap((modelId) => {
      const figures = this.#figures.get(modelId)
      return figures ? [{ modelId, ...figures }] : []
    })
    this.#changed.clear()
    return changed
  }

  #latencyOf(candidate: Candidate, figures: ModelFigures | undefined, isStreamed: boolean) {
    const prior = latencyPrior(candidate)
    if (figures === undefined) return prior
    const pace = figures.paces[formOf(isStreamed, this.isCold(candidate))]
    const msPerPromptToken = slopeOf(figures.prompts)
    return latencyOf(pace, prior, { msPerPromptToken, nowMs: this.#options.now() })
  }

  #figuresOf({ modelId }: Candidate): ModelFigures {
    this.#changed.add(modelId)
    const known = this.#figures.get(modelId)
    if (known !== undefined) return known
    const figures: ModelFigures = { paces: {}, prompts: null, lengths: null }
    this.#figures.set(modelId, figures)
    return figures
  }
}

function formOf(isStreamed: boolean, isCold: boolean): AnswerForm {
  if (isCold) return isStreamed ? 'stream_cold' : 'whole_cold'
  return isStreamed ? 'stream' : 'whole'
}
