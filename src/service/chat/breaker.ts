/**
 * What failures teach about each deployment (a model at a provider), so that no request waits for one
 * that is down. The figures are Envoy's outlier detection: five failures in a row open the breaker for
 * 30 s, the n-th opening in a row for n times as long, 300 s at the most. Then one probe goes through;
 * its first delta closes the breaker on probation, a complete answer forgets everything.
 * @see https://www.envoyproxy.io/docs/envoy/latest/api-v3/config/cluster/v3/outlier_detection.proto
 */
import type { ProviderError, ProviderErrorKind } from '../providers/provider.ts'

const failuresToOpen = 5
const openStepMs = 30_000
const longestOpenMs = 300_000
const firstBackoffMs = 1_000
const longestBackoffMs = 60_000
const longestCoolDownMs = 3_600_000
const jitter = 0.1
/** When to come back while somebody's probe is under way: it may be answered any moment. */
const probeWaitMs = 1_000

/** Kinds that speak against the deployment; the others are the request's or the key's fault. */
export const failureKinds: ReadonlySet<ProviderErrorKind> = new Set([
  'unavailable',
  'timeout',
  'network',
  'invalid_response',
  'rate_limit',
])

/** Whether a deployment may be asked now, and if not when. */
export type Standing =
  | { kind: 'ready' }
  /** Failed too often. That is our guess: as the last one left it may be tried before its time. */
  | { kind: 'open'; waitMs: number }
  /** Somebody's request is trying it. */
  | { kind: 'probing'; waitMs: number }
  /** It said itself how long it wants to be left alone. */
  | { kind: 'cooling'; waitMs: number }

/** One request's way through a breaker. `end` must be called, and counts nothing by itself. */
export interface BreakerTrial {
  /** The first delta is there. */
  answering(): void
  /** The answer is complete. */
  succeeded(): void
  failed(error: ProviderError): void
  end(): void
}

interface State {
  failuresInARow: number
  /** Since the last complete answer. */
  openings: number
  /** Null while it is closed. */
  openUntilMs: number | null
  isProbing: boolean
  rateLimitsInARow: number
  cooledUntilMs: number
}

const ready: Standing = { kind: 'ready' }

export class Breakers {
  readonly #clock: () => number
  readonly #random: () => number
  readonly #states = new Map<string, State>()

  /** @param clock  monotonic milliseconds. @param random  0 to 1 */
  constructor(clock: () => number, random: () => number) {
    this.#clock = clock
    this.#random = random
  }

  standing(modelId: string): Standing {
    const state = this.#states.get(modelId)
    if (!state) return ready
    const nowMs = this.#clock()
    if (state.cooledUntilMs > nowMs) {
      return { kind: 'cooling', waitMs: state.cooledUntilMs - nowMs }
    }
    if (state.openUntilMs === null) return ready
    if (state.isProbing) return { kind: 'probing', waitMs: probeWaitMs }
    const waitMs = state.openUntilMs - nowMs
    return waitMs > 0 ? { kind: 'open', waitMs } : ready
  }

  /** Every deployment that is not ready, with what stands in its way. */
  *paused(): Generator<{ modelId: string; waitMs: number }> {
    for (const modelId of this.#states.keys()) {
      const standing = this.standing(modelId)
      if (standing.kind !== 'ready') yield { modelId, waitMs: standing.waitMs }
    }
  }

  /** Every deployment that was asked or failed, with its standing. */
  *standings(): Generator<{ modelId: string; kind: Standing['kind'] }> {
    for (const modelId of this.#states.keys()) {
      yield { modelId, kind: this.standing(modelId).kind }
    }
  }

  /** Lets one request through; whether it should be is what `standing` says. */
  begin(modelId: string): BreakerTrial {
    const state = this.#stateOf(modelId)
    const { openUntilMs } = state
    let isProbe = openUntilMs !== null
    const isEarly = openUntilMs !== null && openUntilMs > this.#clock()
    if (isProbe) state.isProbing = true
    const endProbe = () => {
      if (isProbe) state.isProbing = false
      isProbe = false
    }
    return {
      answering() {
        if (isProbe) closeOnProbation(state)
        endProbe()
      },
      succeeded() {
        // One that began before the breaker opened says nothing about now.
        if (isProbe || state.openUntilMs === null) Object.assign(state, untouched())
        endProbe()
      },
      failed: (error) => {
        this.#coolDown(state, error)
        if (failureKinds.has(error.kind)) this.#count(state, { isProbe, isEarly })
        endProbe()
      },
      end: endProbe,
    }
  }

  #stateOf(modelId: string): State {
    const state = this.#states.get(modelId) ?? untouched()
    this.#states.set(modelId, state)
    return state
  }

  #count(state: State, { isProbe, isEarly }: { isProbe: boolean; isEarly: boolean }): void {
    // Requests that were under way when it opened fail with it: they are not further evidence.
    // Neither is a trial before the time: it must not keep the breaker open for longer.
    if (state.openUntilMs !== null && (!isProbe || isEarly)) return
    state.failuresInARow += 1
    if (!isProbe && state.failuresInARow < failuresToOpen) return
    state.openings += 1
    state.openUntilMs = this.#clock() + Math.min(openStepMs * state.openings, longestOpenMs)
  }

  /** Never shorter than what was asked for, within an hour; the jitter is on our own backoff. */
  #coolDown(state: State, { kind, retryAfterMs }: ProviderError): void {
    if (kind !== 'rate_limit' || retryAfterMs === null) return
    const nowMs = this.#clock()
    if (state.cooledUntilMs <= nowMs) state.rateLimitsInARow += 1
    const backoffMs = Math.min(firstBackoffMs * 2 ** (state.rateLimitsInARow - 1), longestBackoffMs)
    const spreadMs = Math.max(retryAfterMs, backoffMs) * (1 + jitter * (2 * this.#random() - 1))
    const coolMs = Math.min(Math.max(retryAfterMs, spreadMs), longestCoolDownMs)
    state.cooledUntilMs = Math.max(state.cooledUntilMs, nowMs + coolMs)
  }
}

function untouched(): State {
  return {
    failuresInARow: 0,
    openings: 0,
    openUntilMs: null,
    isProbing: false,
    rateLimitsInARow: 0,
    cooledUntilMs: 0,
  }
}

/** It talks again. Whether it can finish a sentence is still open: one more failure opens it anew. */
function closeOnProbation(state: State): void {
  state.openUntilMs = null
  state.failuresInARow = failuresToOpen - 1
}
