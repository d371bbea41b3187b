/**
 * The burst limit of a router: so many requests in any 60 seconds, exactly, whenever they come. The
 * times of the requests let through are kept (a sliding window): a token bucket would let through
 * twice the limit in the minute after a pause. In memory only: a restart begins with an empty minute.
 */
import type { Router } from '../../shared/entities.ts'
import { ServiceError } from '../errors.ts'

const windowMs = 60_000

/** The times of one router's requests, oldest first; those before `first` no longer count. */
interface Window {
  times: number[]
  first: number
}

export class Burst {
  readonly #clock: () => number
  readonly #windows = new Map<string, Window>()

  /** @param clock  monotonic milliseconds: no change of the time of day lets anything through */
  constructor(clock: () => number) {
    this.#clock = clock
  }

  /**
   * Counts one request, at once: what runs simultaneously cannot come between.
   * @returns what `giveBack` takes, or null where the router has no limit
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

  /** For a request that something else refused. */
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
  // Moved together only now and then, so that a request costs the same at any limit.
  if (window.first * 2 < times.length) return
  times.splice(0, window.first)
  window.first = 0
}

function tooMany(requestsPerMinute: number): ServiceError {
  return new ServiceError(
    'rate_limit_exceeded',
    `This router takes ${requestsPerMinute} requests a minute at the most. Try again in a moment.`,
    { headers: { 'retry-after': '1' } },
  )
}
