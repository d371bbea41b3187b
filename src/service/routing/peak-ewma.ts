/**
 * The load of each deployment, from the latency of its answers: Peak-EWMA as in Finagle and Linkerd. A slower
 * answer counts at once, faster ones lower the average gradually, and requests in progress multiply it. A
 * deployment that fails fast would look fast, so a failure adds a penalty that fades.
 * @see https://docs.rs/tower/latest/tower/load/peak_ewma/
 */
const decayMs = 10_000
/** Assumed for a deployment without answers: high enough not to be flooded, low enough to be tried. */
const unknownLatencyMs = 1_000
const failurePenaltyMs = 10_000
/** Rest of a penalty after a minute. */
const fadedPenaltyMs = 25

interface Faded {
  valueMs: number
  atMs: number
}

interface Load {
  pending: number
  /** Streams are measured to their first delta and whole answers to their end; the two are never mixed. */
  streamed: Faded | null
  whole: Faded | null
  penalty: Faded | null
}

export class PeakEwma {
  readonly #clock: () => number
  readonly #loads = new Map<string, Load>()

  /** @param clock  monotonic milliseconds */
  constructor(clock: () => number) {
    this.#clock = clock
  }

  /** Milliseconds, comparable between deployments only. */
  loadOf(modelId: string, isStreamed: boolean): number {
    const load = this.#loads.get(modelId)
    if (!load) return unknownLatencyMs
    const known = isStreamed ? load.streamed : load.whole
    // Old measurements fade; otherwise one bad minute would exclude a deployment for good.
    const latencyMs = known ? this.#faded(known) : unknownLatencyMs
    return Math.max(latencyMs * (load.pending + 1), this.#faded(load.penalty))
  }

  /** Whether it failed in the last minute; longer ago after a longer pause. */
  hasFailed(modelId: string): boolean {
    return this.#faded(this.#loads.get(modelId)?.penalty ?? null) > fadedPenaltyMs
  }

  /** Requests in progress. */
  pendingOf(modelId: string): number {
    return this.#loads.get(modelId)?.pending ?? 0
  }

  began(modelId: string): void {
    this.#stateOf(modelId).pending += 1
  }

  ended(modelId: string): void {
    this.#stateOf(modelId).pending -= 1
  }

  answered(modelId: string, isStreamed: boolean, latencyMs: number): void {
    const load = this.#stateOf(modelId)
    const form = isStreamed ? 'streamed' : 'whole'
    const atMs = this.#clock()
    const known = load[form]
    const kept = known ? Math.exp((known.atMs - atMs) / decayMs) : 0
    const isPeak = latencyMs >= (known?.valueMs ?? 0)
    const valueMs = isPeak ? latencyMs : latencyMs + ((known?.valueMs ?? 0) - latencyMs) * kept
    load[form] = { valueMs, atMs }
  }

  /** @param retryAfterMs  a deployment that asks for a longer pause is avoided for longer */
  failed(modelId: string, retryAfterMs: number | null): void {
    const load = this.#stateOf(modelId)
    const valueMs = Math.max(failurePenaltyMs, retryAfterMs ?? 0, this.#faded(load.penalty))
    load.penalty = { valueMs, atMs: this.#clock() }
  }

  #faded(value: Faded | null): number {
    return value ? value.valueMs * Math.exp((value.atMs - this.#clock()) / decayMs) : 0
  }

  #stateOf(modelId: string): Load {
    const load = this.#loads.get(modelId) ?? {
      pending: 0,
      streamed: null,
      whole: null,
      penalty: null,
    }
    this.#loads.set(modelId, load)
    return load
  }
}
