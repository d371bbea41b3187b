/**
 * The burst limit of a router: at most so many requests in any 60 seconds. It stores the times of accepted
 * requests (a sliding window), because a token bucket would accept twice the limit in the minute after a
 * pause. In memory only; a restart resets it.
 */
import type { Router } from '../../../shared/entities.ts'
import { ServiceError } from '../../errors.ts'

const windowMs = 60_000

/** The times of one router's requests, oldest first; entries before `first` no longer count. */
interface Window {
  times: number[]
  first: number
}

export class Burst {
  readonly #clock: () => number
  readonly #windows = new Map<string, Window>()

  /** @param clock  monotonic milliseconds, so that changing the time of day has no effect */
  constructor(clock: () => number) {
    this.#clock = clock
  }

  /**
   * Counts one request synchronously, so concurrent requests cannot exceed the limit.
   * @returns the argument for `giveBack`, or null when the router has no limit
   * @throws ServiceError rate_limit_exceeded
   */
  take({ id, requestsPerMinute }: Pick<Router, 'id' | 'requestsPerMinute'>): number | null {
    if (requestsPerMinute === null) return null
    const nowMs = this.#clock()
    const window = this.#windowOf(id)
    forget(window, nowMs - windowMs)
    if (window.times.length - window.first >= requestsPerMinute) throw tooMany(requestsPerMinute)
    window.times.push(nowMs)
    return nowMs
  }

  /** For a request that another limit refused. */
  giveBack(routerId: string, takenAtMs: number): void {
    const { times, first } = this.#windowOf(routerId)
    const index = times.lastIndexOf(takenAtMs)
    if (index >= first) times.splice(index, 1)
  }

  #windowOf(routerId: string): Window {
    const known = this.#windows.get(routerId)
    if (known) return known
    const window = { times: [], first: 0 }
    this.#windows.set(routerId, window)
    return window
  }
}

function forget(window: Window, untilMs: number): void {
  const { times } = window
  while (window.first < times.length && (times[window.first] ?? 0) <= untilMs) window.first += 1
  // Compacted only now and then, so that a request costs the same at any limit.
  if (window.first * 2 < times.length) return
  times.splice(0, window.first)
  window.first = 0
}

function tooMany(requestsPerMinute: number): ServiceError {
  return new ServiceError(
    'rate_limit_exceeded',
    `This router accepts at most ${requestsPerMinute} requests a minute. Try again in a moment.`,
    { headers: { 'retry-after': '1' } },
  )
}
