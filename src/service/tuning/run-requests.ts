/**
 * Sends a run's requests, each at most once: reserves its highest cost, asks, and stores the answer with its cost. An
 * answer that is already stored is returned without asking, and a request that was lost in a crash is not sent again.
 */
import type { ChatRequest } from '../../shared/chat/chat.ts'
import type { Candidate } from '../routing/candidate.ts'
import type { StoredTuningRequest, TuningRunStore } from '../storage/tuning-run-store.ts'
import type { AskOutcome, AskModel } from './asker.ts'
import { highestCostNanoUsd } from './highest-cost.ts'
import { storedAnswerSchema, type StoredAnswer } from './tuning-outcome.ts'

export interface RunRequest {
  /** Unique in the run. */
  key: string
  position: number
  candidate: Candidate
  body: ChatRequest
  isJudge: boolean
}

export interface RunRequestsOptions {
  runId: string
  /** The process that executes the run. */
  holder: string
  store: Pick<TuningRunStore, 'reserve' | 'settle'>
  ask: AskModel
  stored: readonly StoredTuningRequest[]
  /** No request begins after this. */
  stop: AbortSignal
  /** Cancels requests under way. */
  cancel: AbortSignal
  wait(ms: number, signal: AbortSignal): Promise<void>
  /** Called when the run cannot go on. */
  onEnd(reason: 'cap' | 'router_budget' | 'storage', message: string): void
  /** Called when a request has ended. @param position  of its prompt */
  onCost(position: number, costNanoUsd: number): void
}

const mostTries = 4
const longestWaitMs = 60_000
/** Failures in a row after which the run stops asking a model. */
const toleratedFailures = 5
/** A model on this computer works on one at a time. */
export function requestsAtOnce(isLocal: boolean): number {
  return isLocal ? 1 : 4
}

export class RunRequests {
  readonly #options: RunRequestsOptions
  readonly #stored: Map<string, StoredTuningRequest>
  readonly #gates = new Map<string, Gate>()
  /** Failures in a row, by model. */
  readonly #failures = new Map<string, number>()
  readonly #givenUp = new Set<string>()
  readonly #problems = new Map<string, string>()

  constructor(options: RunRequestsOptions) {
    this.#options = options
    this.#stored = new Map(options.stored.map((request) => [request.key, request]))
  }

  /** Whether the run asks this model no more. */
  isGivenUp(modelId: string): boolean {
    return this.#givenUp.has(modelId)
  }

  /** The last failure of a model. */
  problemOf(modelId: string): string | null {
    return this.#problems.get(modelId) ?? null
  }

  /** Whether the request needs no money: it was answered, or it is never sent again. */
  isOver(key: string): boolean {
    const state = this.#stored.get(key)?.state
    return state === 'answered' || state === 'lost'
  }

  /** @returns null when there is no answer: the request failed, or it was not sent */
  async send(request: RunRequest): Promise<StoredAnswer | null> {
    const stored = this.#stored.get(request.key)
    if (stored?.answer) return storedAnswerSchema.parse(JSON.parse(stored.answer))
    if (this.isOver(request.key)) return null
    const gate = this.#gateOf(request.candidate)
    await gate.enter()
    try {
      return await this.#tryUntilAnswered(request)
    } finally {
      gate.leave()
    }
  }

  async #tryUntilAnswered(request: RunRequest): Promise<StoredAnswer | null> {
    const { stop, cancel, wait } = this.#options
    const { modelId } = request.candidate
    for (let tries = 1; tries <= mostTries; tries += 1) {
      if (stop.aborted || cancel.aborted || this.isGivenUp(modelId)) return null
      const asked = await this.#ask(request)
      if (asked === null) return null
      if (asked.kind === 'answered') {
        this.#failures.delete(modelId)
        return answerOf(asked)
      }
      this.#problems.set(modelId, asked.message)
      if (asked.retryAfterMs === null || tries === mostTries) break
      await wait(Math.min(longestWaitMs, asked.retryAfterMs), stop)
    }
    if (!stop.aborted) this.#failed(modelId)
    return null
  }

  /** @returns null when it was not sent */
  async #ask({ key, position, candidate, body, isJudge }: RunRequest): Promise<AskOutcome | null> {
    const { runId, holder, store, ask, cancel, onEnd, onCost } = this.#options
    const nanoUsd = highestCostNanoUsd(candidate, body)
    if (!(await store.reserve({ runId, holder, key, position, nanoUsd }))) {
      onEnd('cap', 'The rest of the cap does not cover another request.')
      return null
    }
    const asked = await ask({ candidate, body, isJudge }, cancel)
    const costNanoUsd = asked.costNanoUsd ?? nanoUsd
    const answer = asked.kind === 'answered' ? JSON.stringify(answerOf(asked)) : null
    const state = asked.kind === 'answered' ? 'answered' : cancel.aborted ? 'lost' : 'failed'
    await store.settle({ runId, key, state, costNanoUsd, answer })
    onCost(position, costNanoUsd)
    if (asked.kind === 'failed' && asked.reason !== 'model') onEnd(asked.reason, asked.message)
    if (costNanoUsd > nanoUsd) this.#overran(candidate.modelId)
    return asked
  }

  #failed(modelId: string): void {
    const failures = (this.#failures.get(modelId) ?? 0) + 1
    this.#failures.set(modelId, failures)
    if (failures >= toleratedFailures) this.#givenUp.add(modelId)
  }

  /** The provider billed more than the request's limits allow, so no reservation for it can be trusted. */
  #overran(modelId: string): void {
    this.#givenUp.add(modelId)
    this.#problems.set(modelId, 'A request cost more than its token limit allows.')
  }

  #gateOf({ providerId, isLocal }: Candidate): Gate {
    let gate = this.#gates.get(providerId)
    if (!gate) this.#gates.set(providerId, (gate = new Gate(requestsAtOnce(isLocal))))
    return gate
  }
}

export function answerOf(asked: Extract<AskOutcome, { kind: 'answered' }>): StoredAnswer {
  const { text, isCut, costNanoUsd, latencyMs, outputTokens } = asked
  return { text, isCut, costNanoUsd, latencyMs, outputTokens }
}

/** Admits a number of requests at once, in order of arrival. */
class Gate {
  #free: number
  readonly #waiting: (() => void)[] = []

  constructor(atOnce: number) {
    this.#free = atOnce
  }

  async enter(): Promise<void> {
    if (this.#free > 0) {
      this.#free -= 1
      return
    }
    await new Promise<void>((resolve) => this.#waiting.push(resolve))
  }

  leave(): void {
    const next = this.#waiting.shift()
    if (next) next()
    else this.#free += 1
  }
}
