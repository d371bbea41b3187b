/**
 * The circuit breakers: no request waits for a deployment (a model at a provider) that is down. The
 * thresholds are those of Envoy's outlier detection: five failures in a row open the breaker for 30 s, and
 * the n-th opening in a row for n times as long, at most 300 s. Then one probe passes. Its first delta closes
 * the breaker on probation; a complete answer resets everything.
 * @see https://www.envoyproxy.io/docs/envoy/latest/api-v3/config/cluster/v3/outlier_detection.proto
 */
import { z } from 'zod'
import type { ProviderError, ProviderErrorKind } from '../../providers/provider.ts'

const failuresToOpen = 5
const openStepMs = 30_000
const longestOpenMs = 300_000
const firstBackoffMs = 1_000
const longestBackoffMs = 60_000
const longestCoolDownMs = 3_600_000
const pauseSchema = z.number().min(0).max(longestCoolDownMs)
const jitter = 0.1
/** Time after an answer to this node for which another node's failures may be that node's own. */
const freshAnswerMs = 10_000
/** The retry time while another request probes: it may finish at any moment. */
const probeWaitMs = 1_000

/** Kinds of errors that count against the deployment; the others are caused by the request or the key. */
const failureKinds: ReadonlySet<ProviderErrorKind> = new Set([
  'unavailable',
  'timeout',
  'network',
  'invalid_response',
  'rate_limit',
])

/** A server that is only busy answers later. One whose model wrote what nobody can read still answers other requests. */
export function countsAsFailure({ kind, isBusy, isBadOutput }: ProviderError): boolean {
  return failureKinds.has(kind) && !isBusy && !isBadOutput
}

/** Whether a deployment may be tried now, and if not, when. */
export type Standing =
  | { kind: 'ready' }
  /** Failed too often. This is a guess: as the last candidate left, it may be tried early. */
  | { kind: 'open'; waitMs: number }
  /** Another request is probing the model. */
  | { kind: 'probing'; waitMs: number }
  /** The provider asked for a pause of this length. */
  | { kind: 'cooling'; waitMs: number }

/** One attempt's outcome for a breaker. `end` must be called, and counts nothing by itself. */
export interface BreakerTrial {
  /** The first delta arrived. */
  answering(): void
  /** Notes that the answer is complete. */
  succeeded(): void
  failed(error: ProviderError): void
  end(): void
}

/** What a node tells the others about a deployment. Durations, because nodes have clocks of their own. */
export const deploymentHintSchema = z.discriminatedUnion('kind', [
  /** The breaker opened. */
  z.strictObject({ kind: z.literal('opened'), modelId: z.string(), openMs: pauseSchema }),
  /** The provider asked for a pause. */
  z.strictObject({ kind: z.literal('cooled'), modelId: z.string(), coolMs: pauseSchema }),
  /** A probe got a complete answer. */
  z.strictObject({ kind: z.literal('recovered'), modelId: z.string() }),
])
export type DeploymentHint = z.infer<typeof deploymentHintSchema>

interface State {
  failuresInARow: number
  /** Failures since the last complete answer. */
  openings: number
  /** Null while the breaker is closed. */
  openUntilMs: number | null
  isProbing: boolean
  rateLimitsInARow: number
  cooledUntilMs: number
  /** When this node got the last complete answer. */
  answeredAtMs: number
}

const ready: Standing = { kind: 'ready' }

export class Breakers {
  readonly #clock: () => number
  readonly #random: () => number
  readonly #states = new Map<string, State>()
  /** Null for a node on its own. */
  #publish: ((hint: DeploymentHint) => void) | null = null

  /** @param clock  monotonic milliseconds. @param random  0 to 1 */
  constructor(clock: () => number, random: () => number) {
    this.#clock = clock
    this.#random = random
  }

  /** Calls back with what other nodes should know. */
  share(publish: (hint: DeploymentHint) => void): void {
    this.#publish = publish
  }

  /**
   * Follows another node's hint. A breaker opens here too, unless this node just got an answer: then the trouble may be
   * the other node's network, and the next failure of this node opens it.
   */
  follow(hint: DeploymentHint): void {
    const state = this.#stateOf(hint.modelId)
    const nowMs = this.#clock()
    switch (hint.kind) {
      case 'cooled':
        state.cooledUntilMs = Math.max(state.cooledUntilMs, nowMs + hint.coolMs)
        return
      case 'opened':
        state.failuresInARow = Math.max(state.failuresInARow, failuresToOpen - 1)
        if (nowMs - state.answeredAtMs < freshAnswerMs) return
        state.openUntilMs = Math.max(state.openUntilMs ?? 0, nowMs + hint.openMs)
        return
      case 'recovered':
        // This node's next request probes it.
        if (state.openUntilMs !== null) state.openUntilMs = Math.min(state.openUntilMs, nowMs)
    }
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

  /** Every deployment that is not ready, and for how long. */
  *paused(): Generator<{ modelId: string; waitMs: number }> {
    for (const modelId of this.#states.keys()) {
      const standing = this.standing(modelId)
      if (standing.kind !== 'ready') yield { modelId, waitMs: standing.waitMs }
    }
  }

  /** Every deployment that was tried or failed, with its state. */
  *standings(): Generator<{ modelId: string; kind: Standing['kind'] }> {
    for (const modelId of this.#states.keys()) {
      yield { modelId, kind: this.standing(modelId).kind }
    }
  }

  /** Starts one attempt; `standing` says whether it should. */
  begin(modelId: string): BreakerTrial {
    const state = this.#stateOf(modelId)
    const { openUntilMs } = state
    let isProbe = openUntilMs !== null
    const isRecovery = isProbe
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
      succeeded: () => {
        // An attempt that started before the breaker opened says nothing about its state now.
        if (isProbe || state.openUntilMs === null) Object.assign(state, untouched())
        if (this.#publish !== null) state.answeredAtMs = this.#clock()
        if (isRecovery) this.#publish?.({ kind: 'recovered', modelId })
        endProbe()
      },
      failed: (error) => {
        this.#coolDown(modelId, state, error)
        if (countsAsFailure(error)) this.#count(modelId, state, { isProbe, isEarly })
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

  #count(
    modelId: string,
    state: State,
    { isProbe, isEarly }: { isProbe: boolean; isEarly: boolean },
  ): void {
    // Requests in progress when it opened fail with it; they are no further evidence.
    // Neither is an early probe: it must not keep the breaker open for longer.
    if (state.openUntilMs !== null && (!isProbe || isEarly)) return
    state.failuresInARow += 1
    if (!isProbe && state.failuresInARow < failuresToOpen) return
    state.openings += 1
    const openMs = Math.min(openStepMs * state.openings, longestOpenMs)
    state.openUntilMs = this.#clock() + openMs
    this.#publish?.({ kind: 'opened', modelId, openMs })
  }

  /** Never shorter than `retry-after`, up to an hour; the jitter applies to our own backoff only. */
  #coolDown(modelId: string, state: State, { kind, retryAfterMs }: ProviderError): void {
    if (kind !== 'rate_limit' || retryAfterMs === null) return
    const nowMs = this.#clock()
    if (state.cooledUntilMs <= nowMs) state.rateLimitsInARow += 1
    const backoffMs = Math.min(firstBackoffMs * 2 ** (state.rateLimitsInARow - 1), longestBackoffMs)
    const spreadMs = Math.max(retryAfterMs, backoffMs) * (1 + jitter * (2 * this.#random() - 1))
    const coolMs = Math.min(Math.max(retryAfterMs, spreadMs), longestCoolDownMs)
    state.cooledUntilMs = Math.max(state.cooledUntilMs, nowMs + coolMs)
    this.#publish?.({ kind: 'cooled', modelId, coolMs })
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
    answeredAtMs: -Infinity,
  }
}

/** Closes the breaker on probation: the model answers again, but one more failure opens it again. */
function closeOnProbation(state: State): void {
  state.openUntilMs = null
  state.failuresInARow = failuresToOpen - 1
}
