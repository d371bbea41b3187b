/**
 * Executes a run: asks all models each prompt, grades the answers, stores the outcome, and ends when all prompts have
 * one, when the cap or the router's budget is used up, or when it is stopped. A prompt that could not be finished keeps
 * its answers for the next time.
 */
import type { TuningStop } from '../../shared/tuning/tuning-run.ts'
import type { PromptCheck } from '../../shared/chat/prompt-check.ts'
import type { Candidate } from '../routing/candidate.ts'
import type { StoredTuningRequest, TuningRunStore } from '../storage/tuning-run-store.ts'
import { answerLimit } from './answer-limit.ts'
import type { AskModel } from './asker.ts'
import { gradedAnswer, type AnsweredBy } from './graded-answer.ts'
import { highestCostNanoUsd } from './highest-cost.ts'
import { judgeCostNanoUsd, judgeAnswers } from './judge-answers.ts'
import { Purse } from './purse.ts'
import { RunRequests, type RunRequest } from './run-requests.ts'
import type { GradedAnswer, PromptOutcome, StoredAnswer, StoredReading } from './tuning-outcome.ts'
import type { TuningPrompt } from './tuning-prompt.ts'

export interface RunPrompt {
  position: number
  prompt: TuningPrompt
  reading: StoredReading
  /** Whether the judge grades its answers a second time, to measure the judge. */
  isRepeated: boolean
}

export interface RunOptions {
  runId: string
  /** The process that executes the run. */
  holder: string
  store: Pick<TuningRunStore, 'reserve' | 'settle' | 'grade'>
  ask: AskModel
  /** @returns 0 to 1 */
  gradeByCheck(check: PromptCheck, answer: string): Promise<number>
  candidates: readonly Candidate[]
  judge: Candidate | null
  /** Prompts without an outcome, in the order in which they are asked. */
  prompts: readonly RunPrompt[]
  stored: readonly StoredTuningRequest[]
  maxAnswerTokens: number | null
  /** Natural logarithm of output tokens by topic. */
  lnOutputTokensOf(candidate: Candidate): readonly number[]
  capNanoUsd: number
  spentNanoUsd: number
  /** A random code for the markers of the judge's prompt. */
  newFence(): string
  stop: AbortSignal
  cancel: AbortSignal
  wait(ms: number, signal: AbortSignal): Promise<void>
  now(): number
  /** Called after each prompt. */
  onProgress(): void
}

export interface RunEnd {
  /** Null when every prompt has an outcome. */
  stoppedBy: TuningStop | null
  message: string | null
}

const promptsAtOnce = 8

export function runPrompts(options: RunOptions): Promise<RunEnd> {
  return new PromptRun(options).run()
}

class PromptRun {
  readonly #options: RunOptions
  readonly #requests: RunRequests
  readonly #purse: Purse
  readonly #ending = new AbortController()
  #end: RunEnd | null = null

  constructor(options: RunOptions) {
    const { runId, holder, store, ask, stored, cancel, wait } = options
    this.#options = options
    this.#purse = new Purse(options.capNanoUsd, options.spentNanoUsd)
    this.#requests = new RunRequests({
      runId,
      holder,
      store,
      ask,
      stored,
      stop: AbortSignal.any([options.stop, this.#ending.signal]),
      cancel,
      wait,
      onEnd: (reason, message) => this.#endBy(reason === 'storage' ? 'error' : reason, message),
      onCost: (position, nanoUsd) => this.#purse.spend(position, nanoUsd),
    })
  }

  async run(): Promise<RunEnd> {
    const underWay = new Set<Promise<void>>()
    const failures: unknown[] = []
    const start = (prompt: RunPrompt) => {
      const work = this.#finish(prompt)
        .catch((error: unknown) => {
          failures.push(error)
          this.#endBy('error', null)
        })
        .finally(() => underWay.delete(work))
      underWay.add(work)
    }
    for (const prompt of this.#options.prompts) {
      if (underWay.size >= promptsAtOnce) await Promise.race(underWay)
      const highest = this.#highestCost(prompt)
      while (!this.#isEnding() && !this.#purse.begin(prompt.position, highest)) {
        if (underWay.size === 0) this.#endBy('cap', wordsForCap)
        else await Promise.race(underWay)
      }
      if (this.#isEnding()) break
      start(prompt)
    }
    await Promise.all(underWay)
    if (failures.length > 0) throw failures[0]
    if (this.#end !== null) return this.#end
    return { stoppedBy: this.#options.stop.aborted ? 'user' : null, message: null }
  }

  #isEnding(): boolean {
    return this.#end !== null || this.#options.stop.aborted
  }

  /** Ends the run; the first reason counts. */
  #endBy(stoppedBy: TuningStop, message: string | null): void {
    this.#end ??= { stoppedBy, message }
    this.#ending.abort()
  }

  async #finish(run: RunPrompt): Promise<void> {
    const { store, runId, onProgress } = this.#options
    try {
      const outcome = await this.#outcomeOf(run)
      this.#endWithoutModels()
      if (outcome === null) return
      const isGraded = outcome.answers.some(({ grade }) => grade !== null)
      const stored = { runId, position: run.position, outcome: JSON.stringify(outcome), isGraded }
      await store.grade(stored)
    } finally {
      this.#purse.end(run.position)
      onProgress()
    }
  }

  /** @returns null when the run ended before the prompt did */
  async #outcomeOf(run: RunPrompt): Promise<PromptOutcome | null> {
    const { candidates, judge, now } = this.#options
    const answers = await Promise.all(
      candidates.map(async (candidate) => ({
        candidate,
        answer: await this.#answer(run, candidate),
      })),
    )
    if (this.#isEnding() && answers.some(({ answer }) => answer === null)) return null
    const common = { atMs: now(), kind: null, comparisons: 0, ownFamily: 0, unreadable: 0 }
    if (run.prompt.check !== null) {
      const graded = answers.map((one) => this.#gradeByCheck(run, one))
      return { ...common, gradedBy: 'check', answers: await Promise.all(graded), repeated: [] }
    }
    if (judge === null) throw new Error('a prompt without a check needs a judge')
    const send = (request: RunRequest) => this.#requests.send(request)
    const judged = await judgeAnswers(run, answers, {
      judge,
      send,
      newFence: this.#options.newFence,
    })
    if (this.#isEnding() && judged.unreadable > 0) return null
    return { ...common, ...judged, gradedBy: 'judge' }
  }

  async #gradeByCheck(
    { prompt }: RunPrompt,
    { candidate, answer }: AnsweredBy,
  ): Promise<GradedAnswer> {
    const { check } = prompt
    const isAnswered = check !== null && answer !== null
    const grade = isAnswered ? await this.#options.gradeByCheck(check, answer.text) : null
    return gradedAnswer(candidate, answer, { grade, missing: null })
  }

  async #answer(run: RunPrompt, candidate: Candidate): Promise<StoredAnswer | null> {
    const request = this.#requestFor(run, candidate)
    return request && (await this.#requests.send(request))
  }

  /** @returns null when the prompt does not fit the model's context */
  #requestFor({ position, prompt, reading }: RunPrompt, candidate: Candidate): RunRequest | null {
    const { maxAnswerTokens, lnOutputTokensOf } = this.#options
    const max_tokens = answerLimit({
      candidate,
      lnOutputTokens: lnOutputTokensOf(candidate),
      reading,
      limit: maxAnswerTokens,
    })
    if (max_tokens === null) return null
    const key = `answer/${position}/${candidate.modelId}`
    const body = { messages: [...prompt.messages], max_tokens }
    return { key, position, candidate, body, isJudge: false }
  }

  #highestCost(run: RunPrompt): number {
    const { candidates, judge } = this.#options
    const requests = candidates.flatMap((candidate) => this.#requestFor(run, candidate) ?? [])
    const answers = requests
      .filter(({ key }) => !this.#requests.isOver(key))
      .map(({ candidate, body }) => highestCostNanoUsd(candidate, body))
    const forJudge =
      judge === null || run.prompt.check !== null
        ? 0
        : judgeCostNanoUsd(
            run,
            candidates.map(({ modelId }) => modelId),
            { judge },
          )
    return answers.reduce((sum, nanoUsd) => sum + nanoUsd, forJudge)
  }

  #endWithoutModels(): void {
    const { candidates, judge } = this.#options
    const isOut = ({ modelId }: Candidate) => this.#requests.isGivenUp(modelId)
    const out =
      judge !== null && isOut(judge) ? judge : candidates.every(isOut) ? candidates[0] : null
    if (!out) return
    const problem = this.#requests.problemOf(out.modelId) ?? ''
    this.#endBy('no_model_answers', `${out.modelId} does not answer: ${problem}`)
  }
}

const wordsForCap = 'The rest of the cap does not cover another prompt.'
