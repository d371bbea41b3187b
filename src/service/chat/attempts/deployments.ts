/** The state of every deployment (a model at a provider), shared by all requests. */
import type { ProviderError } from '../../providers/provider.ts'
import { balance } from '../../routing/balance.ts'
import type { Candidate } from '../../routing/candidate.ts'
import { PeakEwma } from '../../routing/peak-ewma.ts'
import {
  Breakers,
  countsAsFailure,
  type BreakerTrial,
  type DeploymentHint,
  type Standing,
} from './breaker.ts'
import { RetryBudget } from './retry-budget.ts'

export class Deployments {
  readonly budget: RetryBudget
  /** 0 to 1, 1 excluded. */
  readonly random: () => number
  readonly #clock: () => number
  readonly #breakers: Breakers
  readonly #loads: PeakEwma

  /** @param clock  monotonic milliseconds. @param random  0 to 1, 1 excluded */
  constructor(clock: () => number, random: () => number) {
    this.budget = new RetryBudget(clock)
    this.#clock = clock
    this.random = random
    this.#breakers = new Breakers(clock, random)
    this.#loads = new PeakEwma(clock)
  }

  /** Tells other nodes when a breaker opens or recovers, and when a provider asks for a pause. */
  share(publish: (hint: DeploymentHint) => void): void {
    this.#breakers.share(publish)
  }

  /** Follows another node's hint. */
  follow(hint: DeploymentHint): void {
    this.#breakers.follow(hint)
  }

  /** The order in which to try them; deployments of one model share its requests. */
  balanced(candidates: readonly Candidate[], isStreamed: boolean): Candidate[] {
    const loadOf = (modelId: string) => this.#loads.loadOf(modelId, isStreamed)
    return balance(candidates, { loadOf, random: this.random })
  }

  /** Requests in progress. */
  pendingOf(modelId: string): number {
    return this.#loads.pendingOf(modelId)
  }

  standing(modelId: string): Standing {
    return this.#breakers.standing(modelId)
  }

  /** Whether the model is not skipped now, and has not failed in the last minute. */
  isHealthy(modelId: string): boolean {
    return this.standing(modelId).kind === 'ready' && !this.#loads.hasFailed(modelId)
  }

  standings(): Iterable<{ modelId: string; kind: Standing['kind'] }> {
    return this.#breakers.standings()
  }

  /** The deployments of a provider that are skipped now, and for how long. */
  pausedOf(providerId: string): { modelId: string; waitMs: number }[] {
    return [...this.#breakers.paused()].filter(({ modelId }) =>
      modelId.startsWith(`${providerId}:`),
    )
  }

  /** Follows one attempt; `end` must be called, however it ended. */
  begin(modelId: string, isStreamed: boolean): BreakerTrial {
    const loads = this.#loads
    const breaker = this.#breakers.begin(modelId)
    const startedAtMs = this.#clock()
    loads.began(modelId)
    return {
      answering: () => {
        loads.answered(modelId, isStreamed, this.#clock() - startedAtMs)
        breaker.answering()
      },
      succeeded: () => breaker.succeeded(),
      failed(error: ProviderError) {
        if (countsAsFailure(error)) loads.failed(modelId, error.retryAfterMs)
        breaker.failed(error)
      },
      end() {
        loads.ended(modelId)
        breaker.end()
      },
    }
  }
}
