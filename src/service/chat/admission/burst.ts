/**
 * The burst limit of a router: at most so many requests in any 60 seconds. It stores the times of accepted
 * requests (a sliding window), because a token bucket would accept twice the limit in the minute after a
 * pause. In memory only; a restart resets it.
 *
 * Several nodes report to each other what they accepted, ten times a second, and each subtracts it from the limit. So
 * together they can exceed it by what they accept in a tenth of a second. A node that hears nothing of the others accepts
 * its share: the limit divided by the number of nodes.
 */
import { z } from 'zod'
import type { Router } from '../../../shared/entities.ts'
import { ServiceError } from '../../errors.ts'

const windowMs = 60_000

const reportEveryMs = 100

/** Requests that a node accepted since its last report, by router; negative when it released more. */
export const burstReportSchema = z.record(z.string(), z.number().int())
export type BurstReport = z.infer<typeof burstReportSchema>

export interface BurstSharing {
  /** Sends this node's report to the others. */
  report(report: BurstReport): void
  /** Number of nodes, this one included, while the others' reports do not arrive; otherwise null. */
  nodesUnheard(): number | null
}

/** The times of one router's requests, oldest first; entries before `first` no longer count. */
interface Window {
  times: number[]
  first: number
  /** Reports of other nodes, oldest first. */
  reports: { atMs: number; count: number }[]
  /** The sum of the reports. */
  reported: number
}

export class Burst {
  readonly #clock: () => number
  readonly #windows = new Map<string, Window>()
  /** Null for a node on its own. */
  #sharing: BurstSharing | null = null
  #unreported: Map<string, number> | null = null

  /** @param clock  monotonic milliseconds, so that changing the time of day has no effect */
  constructor(clock: () => number) {
    this.#clock = clock
  }

  /** Makes the limits hold for several nodes together from now on. */
  share(sharing: BurstSharing): void {
    this.#sharing = sharing
  }

  /** Counts what another node accepted. */
  follow(report: BurstReport): void {
    const atMs = this.#clock()
    for (const [routerId, count] of Object.entries(report)) {
      const window = this.#windowOf(routerId)
      forget(window, atMs - windowMs)
      window.reports.push({ atMs, count })
      window.reported += count
    }
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
    const isFull = window.times.length - window.first >= this.#limitHere(window, requestsPerMinute)
    if (isFull) throw tooMany(requestsPerMinute)
    window.times.push(nowMs)
    if (this.#sharing) this.#count(id, 1)
    return nowMs
  }

  /** Returns the place of a request that another limit refused. */
  giveBack(routerId: string, takenAtMs: number): void {
    const { times, first } = this.#windowOf(routerId)
    const index = times.lastIndexOf(takenAtMs)
    if (index < first) return
    times.splice(index, 1)
    if (this.#sharing) this.#count(routerId, -1)
  }

  /** Requests that the limit leaves for this node. */
  #limitHere({ reported }: Window, requestsPerMinute: number): number {
    const sharing = this.#sharing
    if (sharing === null) return requestsPerMinute
    const nodesUnheard = sharing.nodesUnheard()
    if (nodesUnheard !== null) return Math.max(1, Math.floor(requestsPerMinute / nodesUnheard))
    return requestsPerMinute - reported
  }

  /** Counts for the next report, which is sent only after requests. */
  #count(routerId: string, change: number): void {
    if (this.#unreported === null) {
      this.#unreported = new Map()
      setTimeout(() => this.#report(), reportEveryMs).unref()
    }
    this.#unreported.set(routerId, (this.#unreported.get(routerId) ?? 0) + change)
  }

  #report(): void {
    const counts = [...(this.#unreported ?? [])].filter(([, count]) => count !== 0)
    this.#unreported = null
    if (counts.length > 0) this.#sharing?.report(Object.fromEntries(counts))
  }

  #windowOf(routerId: string): Window {
    const known = this.#windows.get(routerId)
    if (known) return known
    const window = { times: [], first: 0, reports: [], reported: 0 }
    this.#windows.set(routerId, window)
    return window
  }
}

function forget(window: Window, untilMs: number): void {
  const { times, reports } = window
  while (reports[0] !== undefined && reports[0].atMs <= untilMs)
    window.reported -= reports.shift()?.count ?? 0
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
