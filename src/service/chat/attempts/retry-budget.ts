/**
 * Limits the attempts beyond the first for the whole service: a fifth of its requests plus ten a second, over
 * the last ten seconds. When every upstream fails at once, retries then add a fifth to the load instead of
 * multiplying it. The figures are Finagle's.
 * @see https://finagle.github.io/blog/2016/02/08/retry-budgets
 */
const windowSeconds = 10
const retriesPerRequest = 0.2
const reservePerSecond = 10

interface Second {
  second: number
  requests: number
  retries: number
}

export class RetryBudget {
  readonly #clock: () => number
  /** A ring buffer with one entry per second of the window. */
  readonly #seconds: Second[] = []

  /** @param clock  monotonic milliseconds */
  constructor(clock: () => number) {
    this.#clock = clock
  }

  /** Counts one request. */
  deposit(): void {
    this.#current().requests += 1
  }

  /** Takes one retry; false when none is left. */
  withdraw(): boolean {
    const current = this.#current()
    let requests = 0
    let retries = 0
    for (const counted of this.#seconds) {
      if (counted.second <= current.second - windowSeconds) continue
      requests += counted.requests
      retries += counted.retries
    }
    const allowed = requests * retriesPerRequest + reservePerSecond * windowSeconds
    if (retries + 1 > allowed) return false
    current.retries += 1
    return true
  }

  #current(): Second {
    const second = Math.floor(this.#clock() / 1000)
    const place = second % windowSeconds
    const known = this.#seconds.find((counted) => counted.second % windowSeconds === place)
    if (known?.second === second) return known
    if (known) return Object.assign(known, { second, requests: 0, retries: 0 })
    const fresh = { second, requests: 0, retries: 0 }
    this.#seconds.push(fresh)
    return fresh
  }
}
