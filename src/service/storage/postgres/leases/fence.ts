/**
 * Says until when a node may spend its leases. It stops long before their end by PostgreSQL's clock, so that what it
 * reserved last is in the ledger by then.
 */

/** Time from a renewal to the end of the node's leases. It must outlast the requests that they pay for. */
export const leaseMs = 15 * 60_000
/** Time from a renewal to the last new reservation. */
const fenceMs = 10 * 60_000

export interface Clocks {
  /** Monotonic milliseconds; they may stand still while the machine sleeps. */
  clock(): number
  /** Milliseconds that go on while the machine sleeps; they may jump. */
  wallClock(): number
}

export class Fence {
  readonly #clocks: Clocks
  #renewed: { atMs: number; atWallMs: number } | null = null

  constructor(clocks: Clocks) {
    this.#clocks = clocks
  }

  /** @returns a function to call once the renewal that begins now has succeeded */
  begin(): () => void {
    const { clock, wallClock } = this.#clocks
    const begun = { atMs: clock(), atWallMs: wallClock() }
    return () => {
      this.#renewed = begun
    }
  }

  get isOpen(): boolean {
    if (this.#renewed === null) return false
    const { atMs, atWallMs } = this.#renewed
    const { clock, wallClock } = this.#clocks
    return clock() - atMs < fenceMs && wallClock() - atWallMs < fenceMs
  }
}
