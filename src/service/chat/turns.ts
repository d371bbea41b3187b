/**
 * Whose turn it is. Candidates that may be asked come in their order; those whose breaker is open are
 * passed over. The breaker only guesses, so the last one left is never kept back: when nobody else is,
 * the open one whose probe is soonest is tried before its time, once per request and by one request at
 * a time. A deployment that asked to be left alone, or whose key was rejected, told us itself: it is not.
 */
import type { Candidate } from '../routing/candidate.ts'
import type { AttemptsOptions } from './attempts.ts'
import type { Standing } from './breaker.ts'

type TurnsOptions = Pick<AttemptsOptions, 'candidates' | 'outageOf' | 'deployments'>

export class Turns {
  readonly #options: TurnsOptions
  readonly #left: Candidate[]
  #isLastTaken = false

  constructor(options: TurnsOptions) {
    this.#options = options
    this.#left = [...options.candidates]
  }

  /** Asked for each attempt anew: what another request learnt meanwhile counts. */
  next(): Candidate | null {
    const ready = this.#left.find((candidate) => this.#isReady(candidate))
    if (ready) return this.#take(ready)
    if (this.#isLastTaken) return null
    this.#isLastTaken = true
    const soonest = this.#left
      .filter((candidate) => this.#isAble(candidate))
      .flatMap((candidate) => {
        const standing = this.#standing(candidate)
        return standing.kind === 'open' ? [{ candidate, waitMs: standing.waitMs }] : []
      })
      .reduce<Waiting | null>((a, b) => (a && a.waitMs <= b.waitMs ? a : b), null)
    return soonest && this.#take(soonest.candidate)
  }

  /** One to ask beside another: the next that is ready, if it fits; nobody else is tried. */
  nextIf(fits: (candidate: Candidate) => boolean): Candidate | null {
    const ready = this.#left.find((candidate) => this.#isReady(candidate))
    return ready !== undefined && fits(ready) ? this.#take(ready) : null
  }

  #isReady(candidate: Candidate): boolean {
    return this.#isAble(candidate) && this.#standing(candidate).kind === 'ready'
  }

  /** Whether its provider can be used at all. */
  #isAble(candidate: Candidate): boolean {
    return this.#options.outageOf(candidate) === null
  }

  #standing({ modelId }: Candidate): Standing {
    return this.#options.deployments.standing(modelId)
  }

  #take(candidate: Candidate): Candidate {
    this.#left.splice(this.#left.indexOf(candidate), 1)
    return candidate
  }
}

interface Waiting {
  candidate: Candidate
  waitMs: number
}
