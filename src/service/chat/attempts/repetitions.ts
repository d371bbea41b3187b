/**
 * When a request without another candidate asks the only one again. Numbers and waits are those of OpenAI's and
 * Anthropic's SDKs: two repetitions, after 0.5 s and 1 s, up to a quarter shorter. A longer wait is left to the caller,
 * who is told how long it is and that another try may help.
 */
import type { Candidate } from '../../routing/candidate.ts'
import type { Failure } from './all-unavailable.ts'
import type { AttemptsOptions, UpstreamAccess } from './attempts-options.ts'

const mostRepetitions = 2
const firstWaitMs = 500
const jitter = 0.25
/** Sum of the waits. A failure then still has its own status: a stream's first keep-alive is sent after 10 s. */
const longestWaitsMs = 8_000

interface RepetitionsOptions extends Pick<
  AttemptsOptions,
  'candidates' | 'deployments' | 'clock' | 'repeats'
> {
  upstreams: Pick<UpstreamAccess, 'outageOf' | 'timeLimitsOf'>
}

export class Repetitions {
  readonly #options: RepetitionsOptions
  readonly #startedMs: number
  #count = 0
  #waitedMs = 0

  constructor(options: RepetitionsOptions) {
    this.#options = options
    this.#startedMs = options.clock()
  }

  /** How long to wait before the next try; null when there is none. */
  nextWaitMs({ candidate, error }: Failure): number | null {
    const { deployments, upstreams, clock } = this.#options
    if (!this.#options.repeats || !error.isWorthRepeating) return null
    if (this.#count === mostRepetitions || !this.#isOnly(candidate)) return null
    const backoffMs = firstWaitMs * 2 ** this.#count * (1 - jitter * deployments.random())
    const standing = deployments.standing(candidate.modelId)
    const pauseMs = standing.kind === 'cooling' ? standing.waitMs : 0
    const waitMs = Math.max(backoffMs, pauseMs, error.retryAfterMs ?? 0)
    const { firstTokenMs, totalMs } = upstreams.timeLimitsOf(candidate)
    const leftMs = Math.min(firstTokenMs, totalMs) - (clock() - this.#startedMs)
    if (waitMs > Math.min(leftMs, longestWaitsMs - this.#waitedMs)) return null
    this.#count += 1
    this.#waitedMs += waitMs
    return waitMs
  }

  /** Whether it can be used and every other candidate is certain to fail. */
  #isOnly(candidate: Candidate): boolean {
    const { candidates, deployments, upstreams } = this.#options
    return candidates.every((each) => {
      const isOut = upstreams.outageOf(each) !== null
      if (each === candidate) return !isOut
      return isOut || deployments.standing(each.modelId).kind === 'cooling'
    })
  }

  /** Whether another attempt is possible now. An open breaker does not prevent it, because it only estimates. */
  isPossible({ modelId }: Candidate): boolean {
    const { kind } = this.#options.deployments.standing(modelId)
    return kind === 'ready' || kind === 'open'
  }
}
