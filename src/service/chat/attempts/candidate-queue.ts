/**
 * The candidates of one request that are still to be tried, in order. A candidate whose breaker is open
 * is skipped. An open breaker is only a guess, so when no other candidate is left, the one whose probe is
 * due soonest is tried early: once per request, and by one request at a time. A deployment that asked for
 * a pause or rejected its key is certain to fail and is never tried early.
 */
import type { Candidate } from '../../routing/candidate.ts'
import type { AttemptsOptions, Availability } from './attempts-options.ts'
import type { Standing } from './breaker.ts'

interface CandidateQueueOptions extends Pick<AttemptsOptions, 'candidates'>, Availability {}

export class CandidateQueue {
  readonly #options: CandidateQueueOptions
  readonly #left: Candidate[]
  #isEarlyProbeUsed = false

  constructor(options: CandidateQueueOptions) {
    this.#options = options
    this.#left = [...options.candidates]
  }

  /** The next candidate by the breakers' state now, which other requests may have changed. */
  next(): Candidate | null {
    const ready = this.nextReady()
    if (ready) return this.take(ready)
    if (this.#isEarlyProbeUsed) return null
    this.#isEarlyProbeUsed = true
    const soonest = this.#left
      .filter((candidate) => this.#isUsable(candidate))
      .flatMap((candidate) => {
        const standing = this.#standing(candidate)
        return standing.kind === 'open' ? [{ candidate, waitMs: standing.waitMs }] : []
      })
      .reduce<Waiting | null>((a, b) => (a && a.waitMs <= b.waitMs ? a : b), null)
    return soonest && this.take(soonest.candidate)
  }

  /** The next ready candidate, for a second attempt beside the first; `take` removes it. */
  nextReady(): Candidate | null {
    return this.#left.find((candidate) => this.#isReady(candidate)) ?? null
  }

  /**
   * Keeps the candidates whose context is larger, or not known.
   * @returns whether one is left
   */
  keepLarger({ contextTokens: refused }: Candidate): boolean {
    const larger = this.#left.filter(
      ({ contextTokens }) => contextTokens === null || refused === null || contextTokens > refused,
    )
    this.#left.splice(0, this.#left.length, ...larger)
    return larger.length > 0
  }

  take(candidate: Candidate): Candidate {
    this.#left.splice(this.#left.indexOf(candidate), 1)
    return candidate
  }

  #isReady(candidate: Candidate): boolean {
    return this.#isUsable(candidate) && this.#standing(candidate).kind === 'ready'
  }

  #isUsable(candidate: Candidate): boolean {
    return this.#options.upstreams.outageOf(candidate) === null
  }

  #standing({ modelId }: Candidate): Standing {
    return this.#options.deployments.standing(modelId)
  }
}

interface Waiting {
  candidate: Candidate
  waitMs: number
}
