/**
 * Delays answers to wrong API keys once an address has sent many of them, so that guessing keys is slow. It never
 * locks an address out: a request with a right key is not delayed.
 */
const minuteMs = 60_000
/** Wrong keys of one address in a minute that are answered at once. */
const undelayed = 20
/** Addresses with a count; the oldest is forgotten first. */
const mostAddresses = 1_000
/** Answers that wait at the same time. Above this, an answer comes at once and ends its connection. */
const mostWaiting = 256

interface WrongKeyDelayOptions {
  /** Resolves when the delay is over. */
  wait(): Promise<void>
  /** Unix milliseconds. */
  now(): number
}

export class WrongKeyDelay {
  readonly #options: WrongKeyDelayOptions
  readonly #counts = new Map<string, { sinceMs: number; count: number }>()
  #waiting = 0

  constructor(options: WrongKeyDelayOptions) {
    this.#options = options
  }

  /**
   * Counts a wrong key, and waits if its address sent too many.
   * @param address  the client's address
   * @returns whether the connection must be closed, because too many answers wait already
   */
  async wrongKey(address: string): Promise<{ closes: boolean }> {
    if (this.#count(address) <= undelayed) return { closes: false }
    if (this.#waiting >= mostWaiting) return { closes: true }
    this.#waiting += 1
    try {
      await this.#options.wait()
    } finally {
      this.#waiting -= 1
    }
    return { closes: false }
  }

  #count(address: string): number {
    const nowMs = this.#options.now()
    const known = this.#counts.get(address)
    const isCurrent = known !== undefined && Math.abs(nowMs - known.sinceMs) < minuteMs
    const next = isCurrent ? { ...known, count: known.count + 1 } : { sinceMs: nowMs, count: 1 }
    // Deleted first, so that the map's order is that of the latest use.
    this.#counts.delete(address)
    this.#counts.set(address, next)
    const [oldest] = this.#counts.keys()
    if (this.#counts.size > mostAddresses && oldest !== undefined) this.#counts.delete(oldest)
    return next.count
  }
}
