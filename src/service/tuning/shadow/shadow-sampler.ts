/**
 * Shadow sampling in a running service: takes answered requests, and grades them in the background. A bounded queue in
 * memory is all that holds their words.
 */
import { makesEmbeddings } from '../../../shared/models/model-abilities.ts'
import type { Router } from '../../../shared/entities.ts'
import type { ShadowSettings } from '../../../shared/routers/shadow-settings.ts'
import { utcDay } from '../../chat/admission/quota.ts'
import type { AnsweredRequest, ShadowListener } from '../../chat/learning/shadow-answers.ts'
import { isNamed, type Candidate, type ModelKnowledge } from '../../routing/candidate.ts'
import type { StoredJudgedPrompt } from '../../storage/judged-prompt-store.ts'
import type { ShadowSampleStore, UngradedReason } from '../../storage/shadow-sample-store.ts'
import type { AskModel } from '../asker.ts'
import { tunedRouter } from '../chat-asker.ts'
import { nanoUsdOf } from '../nano-usd.ts'
import { readingOf, storedReading } from '../prompt-reading.ts'
import { chooseSecondModel, isGradable } from './choose-second-model.ts'
import { gradeSample, type SampleToGrade } from './grade-sample.ts'
import { SampleQueue } from './sample-queue.ts'
import { sampledRequest, type SampledRequest } from './sampled-request.ts'
import { ShadowRequests } from './shadow-requests.ts'

export interface ShadowSamplerOptions {
  store: Omit<ShadowSampleStore, 'ofRouter' | 'summaries' | 'forget'>
  routers(): ReadonlyMap<string, Router>
  candidatesOf(router: Router): Candidate[]
  /** Whether its provider and its breaker let it be asked now. */
  isUsable(candidate: Candidate): boolean
  knowledgeOf(candidate: Candidate, routerId: string): Pick<ModelKnowledge, 'lnOutputTokens'>
  /** All stored ones. */
  judgedPrompts(): readonly StoredJudgedPrompt[]
  /** @param router  as `tunedRouter` made it */
  askerFor(router: Router): AskModel
  newId(): string
  /** A random code that no text contains. */
  newFence(): string
  /** Random number from 0 to below 1. */
  random(): number
  now(): number
  /** Resolves when the caller's answer has had time to leave. */
  afterAnswer(): Promise<void>
  /** Called with errors of the store and unexpected ones; the sample is lost. */
  onError(error: unknown): void
}

/** Most queued samples: some 8 MiB at most. */
const mostQueued = 32
const samplesAtOnce = 2
/** Pause after a sample that the cap did not cover; none is drawn during it. */
const pauseMs = 60_000
/** The newest samples of a router are stored; routing learns from them again and again. */
const mostStored = 1_000

export class ShadowSampler implements ShadowListener {
  readonly #options: ShadowSamplerOptions
  readonly #queue: SampleQueue<SampledRequest>
  /** Samples that found the queue full and are not counted in storage yet, by router. */
  readonly #dropped = new Map<string, number>()
  /** Times when samples may be drawn again, by router. */
  readonly #pausedUntilMs = new Map<string, number>()
  /** Models that cost more than their requests allow, so that no reservation for them can be trusted. */
  readonly #overrun = new Set<string>()

  constructor(options: ShadowSamplerOptions) {
    this.#options = options
    const { afterAnswer, onError } = options
    const work = async (request: SampledRequest) => {
      await this.#sample(request)
      await this.#countDropped()
    }
    const limits = { most: mostQueued, atOnce: samplesAtOnce }
    this.#queue = new SampleQueue({ ...limits, afterAnswer, work, onError })
  }

  isDrawn({ id, routing: { shadow } }: Router): boolean {
    if (shadow === null || this.#queue.signal.aborted) return false
    const { now, random } = this.#options
    if (now() < (this.#pausedUntilMs.get(id) ?? 0)) return false
    return shadow.share >= 1 || random() < shadow.share
  }

  answered(answered: AnsweredRequest): void {
    const request = this.#queue.signal.aborted ? null : sampledRequest(answered)
    if (request === null || this.#queue.add(request)) return
    this.#dropped.set(request.routerId, (this.#dropped.get(request.routerId) ?? 0) + 1)
  }

  /** Resolves when nothing is queued and nothing is under way. */
  idle(): Promise<void> {
    return this.#queue.idle()
  }

  /** Cancels what is under way and forgets the queue. */
  async close(): Promise<void> {
    await this.#queue.close()
    await this.#countDropped().catch(this.#options.onError)
  }

  async #sample(request: SampledRequest): Promise<void> {
    const { routers, store, askerFor, knowledgeOf, newFence, now } = this.#options
    const router = routers().get(request.routerId)
    const shadow = router?.routing.shadow
    // It may have been turned off while the request waited.
    if (!router || !shadow) return
    const tuned = tunedRouter(router, shadow.judge)
    const sample = await this.#choose(request, tuned, shadow)
    if (sample === null) return
    const requests = new ShadowRequests({
      store,
      accountNow: () => ({ routerId: router.id, day: utcDay(now()) }),
      capNanoUsd: nanoUsdOf(shadow.maxUsdPerDay),
      ask: askerFor(tuned),
      signal: this.#queue.signal,
      onOverrun: (modelId) => this.#overrun.add(modelId),
    })
    const graded = await gradeSample(sample, {
      requests,
      lnOutputTokensOf: (candidate) => knowledgeOf(candidate, router.id).lnOutputTokens,
      newFence,
      now,
    })
    if (graded.kind === 'graded') await store.add(graded.sample, graded.judged, mostStored)
    else if (!this.#queue.signal.aborted) await this.#countUngraded(router.id, graded.kind)
  }

  /** @returns null when the answer cannot be compared with another one */
  async #choose(
    request: SampledRequest,
    router: Router,
    { judge: judgeId }: ShadowSettings,
  ): Promise<SampleToGrade | null> {
    const { candidatesOf, judgedPrompts, random, newId, store } = this.#options
    const { model, decision, prompt } = request
    if (!isGradable({ model, decision, judge: judgeId })) return null
    const candidates = candidatesOf(router).filter((candidate) => !makesEmbeddings(candidate))
    const isUsable = (candidate: Candidate) => this.#isUsable(candidate)
    const first = candidates.find(({ modelId }) => modelId === model)
    const judge = candidates.find((one) => isNamed(one, judgeId) && isUsable(one))
    if (!first || !judge) return null
    const reading = readingOf(prompt)
    const judged = judgedPrompts().filter(
      ({ routerId, appliesTo }) => routerId === request.routerId || appliesTo === 'all',
    )
    const { topics } = reading
    const choice = { model, decision, judge: judgeId, candidates, isUsable, topics, judged, random }
    const second = chooseSecondModel(choice)
    if (second === null) return null
    return {
      request,
      reading: storedReading(prompt, reading, { candidates: [first, second], newId }),
      first,
      second,
      judge,
      repeated: await store.repeated(router.id, judge.modelId),
    }
  }

  #isUsable(candidate: Candidate): boolean {
    return !this.#overrun.has(candidate.modelId) && this.#options.isUsable(candidate)
  }

  async #countUngraded(routerId: string, reason: UngradedReason): Promise<void> {
    const { store, now } = this.#options
    if (reason === 'overCap') this.#pausedUntilMs.set(routerId, now() + pauseMs)
    await store.countUngraded({ routerId, day: utcDay(now()), reason, samples: 1 })
  }

  async #countDropped(): Promise<void> {
    const { store, now } = this.#options
    for (const [routerId, samples] of this.#dropped) {
      this.#dropped.delete(routerId)
      await store.countUngraded({ routerId, day: utcDay(now()), reason: 'dropped', samples })
    }
  }
}
