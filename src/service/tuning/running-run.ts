/** A run that this process executes: its lease, its end, and its results. */
import type { Router } from '../../shared/entities.ts'
import { isNamed, type Candidate, type ModelKnowledge } from '../routing/candidate.ts'
import { teaches } from '../storage/judged-prompt-store.ts'
import type { StoredTuningPrompt, TuningLease } from '../storage/tuning-run-store.ts'
import { createChatAsker } from './chat-asker.ts'
import { toJudgedPrompts, tuningResult } from './result.ts'
import type { FinishedPrompt } from './result-tables.ts'
import { runPrompts, type RunEnd, type RunPrompt } from './run-prompts.ts'
import { toTuningRun } from './to-tuning-run.ts'
import type { TuningDependencies } from './tuning-dependencies.ts'
import { promptOutcomeSchema, storedReadingSchema, type RunSetup } from './tuning-outcome.ts'
import { tuningPromptSchema } from './tuning-prompt.ts'

export interface PreparedRun {
  /** The router as made by `tunedRouter`. */
  router: Router
  candidates: readonly Candidate[]
  judge: Candidate | null
  setup: RunSetup
}

const leaseMs = 6_000
/** Two renewals may fail or be late before a lease expires. */
const renewEveryMs = 2_000
/** How long requests under way may take after a stop. */
const graceMs = 30_000
/** The same at the end of the process. */
const closingMs = 3_000
/** Prompts of the judge that are graded twice, to measure the judge. */
export const repeatedPrompts = 20

export class RunningRun {
  readonly id: string
  readonly #run: PreparedRun
  readonly #dependencies: TuningDependencies
  readonly #stop = new AbortController()
  readonly #cancel = new AbortController()
  #ended: Promise<void> = Promise.resolve()

  constructor(id: string, run: PreparedRun, dependencies: TuningDependencies) {
    this.id = id
    this.#run = run
    this.#dependencies = dependencies
  }

  /** Resolves when the run has ended; never rejects. */
  get ended(): Promise<void> {
    return this.#ended
  }

  lease(): TuningLease {
    const { holder, now } = this.#dependencies
    return { holder, nowMs: now(), expiresAtMs: now() + leaseMs }
  }

  /** @param notify  called when the run's figures change */
  start(notify: () => Promise<void>): void {
    const { onBug } = this.#dependencies
    const tell = () => void notify().catch(onBug)
    const renewal = setInterval(() => void this.#renew().catch(onBug), renewEveryMs)
    renewal.unref()
    this.#ended = this.#execute(tell)
      .catch(onBug)
      .finally(() => {
        clearInterval(renewal)
        tell()
      })
    tell()
  }

  stop(): void {
    this.#stopWithin(graceMs)
  }

  close(): void {
    this.#stopWithin(closingMs)
  }

  #stopWithin(ms: number): void {
    this.#stop.abort()
    setTimeout(() => this.#cancel.abort(), ms).unref()
  }

  async #renew(): Promise<void> {
    const renewed = await this.#dependencies.store.renew(this.id, this.lease())
    if (renewed?.isStopWanted) this.stop()
    // Another process executes the run by now, or it was ended.
    if (renewed === null) this.#stopWithin(0)
  }

  async #execute(onProgress: () => void): Promise<void> {
    const { onBug } = this.#dependencies
    try {
      await this.#end(await this.#ask(onProgress))
    } catch (error) {
      onBug(error)
      const message = 'Something went wrong in Modelport. See the log for details.'
      await this.#end({ stoppedBy: 'error', message })
    }
  }

  async #ask(onProgress: () => void): Promise<RunEnd> {
    const { store, completeChat, newId } = this.#dependencies
    const [stored, prompts, requests] = await Promise.all([
      store.get(this.id),
      store.prompts(this.id),
      store.requests(this.id),
    ])
    if (stored === null) throw new Error('a run under way has no row')
    const { router, candidates, judge, setup } = this.#run
    return await runPrompts({
      ...this.#dependencies,
      runId: this.id,
      ask: createChatAsker({ completeChat, router, runId: this.id, source: 'tune', newId }),
      candidates,
      judge,
      prompts: openPrompts(prompts),
      stored: requests,
      maxAnswerTokens: setup.maxAnswerTokens,
      lnOutputTokensOf: (candidate) => this.#knowledgeOf(candidate).lnOutputTokens,
      capNanoUsd: stored.capNanoUsd,
      spentNanoUsd: stored.spentNanoUsd,
      stop: this.#stop.signal,
      cancel: this.#cancel.signal,
      onProgress,
    })
  }

  #knowledgeOf(candidate: Candidate): ModelKnowledge {
    return this.#dependencies.knowledgeOf(candidate, this.#run.router.id)
  }

  async #end({ stoppedBy, message }: RunEnd): Promise<void> {
    const { store, judgedPrompts, holder, now } = this.#dependencies
    const prompts = finishedPrompts(await store.prompts(this.id))
    const result = await this.#result(prompts)
    await judgedPrompts.add(this.#run.router.id, toJudgedPrompts(prompts))
    const state = stoppedBy === null || stoppedBy === 'cap' ? 'done' : 'stopped'
    await store.end(this.id, { holder, state, stoppedBy, message, result, endedAtMs: now() })
  }

  /** JSON without `run`. */
  async #result(prompts: readonly FinishedPrompt[]): Promise<string | null> {
    const { store, judgedPrompts, routers, now } = this.#dependencies
    const stored = await store.get(this.id)
    const router = stored && routers().get(stored.routerId)
    if (!stored || !router) return null
    const appliesTo = (await judgedPrompts.applied()).get(this.id)
    const run = toTuningRun(stored, { routerName: router.name, appliesTo, nowMs: now() })
    const candidates = this.#run.candidates.filter((candidate) =>
      router.models.some((model) => isNamed(candidate, model)),
    )
    const ids = new Set(prompts.map(({ reading }) => reading.id))
    const judgedBefore = (await judgedPrompts.list()).filter(
      (prompt) => !ids.has(prompt.id) && teaches(prompt, router.id),
    )
    const knowledgeOf = (candidate: Candidate) => this.#knowledgeOf(candidate)
    const options = { run, router, candidates, knowledgeOf, prompts, judgedBefore }
    const { run: _run, ...result } = tuningResult(options)
    return JSON.stringify(result)
  }
}

export function finishedPrompts(prompts: readonly StoredTuningPrompt[]): FinishedPrompt[] {
  return prompts.flatMap(({ reading, outcome }) =>
    outcome === null
      ? []
      : {
          reading: storedReadingSchema.parse(JSON.parse(reading)),
          outcome: promptOutcomeSchema.parse(JSON.parse(outcome)),
        },
  )
}

/** The prompts without an outcome. Of all prompts for the judge, the first ones are graded twice. */
function openPrompts(prompts: readonly StoredTuningPrompt[]): RunPrompt[] {
  let judgedBefore = prompts.filter(({ outcome }) => isByJudge(outcome)).length
  return prompts.flatMap(({ position, text, reading, outcome }) => {
    if (outcome !== null || text === null) return []
    const prompt = tuningPromptSchema.parse(JSON.parse(text))
    const isRepeated = prompt.check === null && judgedBefore < repeatedPrompts
    if (prompt.check === null) judgedBefore += 1
    return { position, prompt, reading: storedReadingSchema.parse(JSON.parse(reading)), isRepeated }
  })
}

function isByJudge(outcome: string | null): boolean {
  return outcome !== null && promptOutcomeSchema.parse(JSON.parse(outcome)).gradedBy === 'judge'
}
