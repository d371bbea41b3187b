/**
 * The daily limit of a router, exact and durable without a database write per request. A lease of requests
 * is taken from storage before any of them is sent, and its unused rest is returned at an orderly stop. After a
 * killed process, the next one returns the rest by the marks in its data folder, and loses at most 0.025 % of the limit
 * for each kill. Without marks (the computer stopped as well, or its data folder is gone), a crash loses at most a lease, 1 %
 * of the limit, and what waited for one. It never counts too little. Where several services share the storage, each returns
 * what it has not used for some seconds, and a kill before an answer of the storage loses one lease.
 */
import { setImmediate as nextTick } from 'node:timers/promises'
import { dailyLimitOf, type Router } from '../../../shared/entities.ts'
import type { DailyUse } from '../../../shared/requests/usage.ts'
import type { QuotaStore } from '../../storage/storage.ts'
import { ServiceError } from '../../errors.ts'
import type { QuotaMarks } from './quota-marks.ts'

const dayMs = 86_400_000
/** How many requests that waited for a lease continue in one tick of the event loop. */
const servedPerTick = 16
/** After this time without a request, the unused rest of a lease is returned to the other services. */
const idleMs = 5_000

/** The state that the rate-limit headers report. */
export interface QuotaState {
  limit: number
  remaining: number
  resetMs: number
}

interface Waiter {
  resolve(state: QuotaState): void
  reject(error: unknown): void
}

/** One router's day: requests leased and not yet used, and those waiting for the next lease. */
interface Lease {
  limit: number
  day: string
  /** Start of the day, Unix milliseconds. */
  startMs: number
  left: number
  /** Requests that are marked as dispatched before they are. */
  marked: number
  used: number
  usedAtMs: number
  isExhausted: boolean
  isMarked: boolean
  isRefilling: boolean
  waiters: Waiter[]
}

/**
 * File of the marks, and who takes requests: the service that owns the data folder, a command as its guest, or one of
 * several services that share the storage.
 */
export interface OwnedMarks {
  file: QuotaMarks
  role: 'service' | 'guest' | 'shared'
}

interface QuotaOptions {
  now(): number
  /** Called when unused requests could not be returned; they stay counted. */
  onLostLease(error: unknown): void
  marks: OwnedMarks | null
}

export class Quota {
  readonly #store: QuotaStore
  readonly #now: () => number
  readonly #onLostLease: (error: unknown) => void
  readonly #leases = new Map<string, Lease>()
  readonly #marks: OwnedMarks | null
  /** Set from the first lease on: what a killed process left is returned before it. */
  #returned: Promise<void> | null = null
  #sharing: NodeJS.Timeout | undefined

  constructor(store: QuotaStore, { now, onLostLease, marks }: QuotaOptions) {
    this.#store = store
    this.#now = now
    this.#onLostLease = onLostLease
    this.#marks = marks
  }

  /**
   * Counts one request against the router's UTC day.
   * @throws ServiceError daily_limit_exceeded, storage_unavailable
   */
  async take(router: Router): Promise<QuotaState | null> {
    const limit = dailyLimitOf(router)
    if (limit === null) return null
    const lease = this.#leaseOf(router.id, limit)
    if (lease.left > 0) {
      // Early, so that no request waits for the disk.
      if (lease.left === lowWater(limit)) this.#refillUnlessRunning(router.id, lease)
      return this.#useOne(router.id, lease)
    }
    if (lease.isExhausted) throw limitExceeded(lease, this.#now())
    return new Promise((resolve, reject) => {
      lease.waiters.push({ resolve, reject })
      this.#refillUnlessRunning(router.id, lease)
    })
  }

  /**
   * The state of the day without counting a request, for the headers of other refusals.
   * @returns null when the router has no limit, and when storage cannot be read
   */
  async state(router: Router): Promise<QuotaState | null> {
    const limit = dailyLimitOf(router)
    if (limit === null) return null
    const lease = this.#leaseOf(router.id, limit)
    if (lease.used > 0) return stateOf(lease, this.#now())
    try {
      const { day } = lease
      const { used } = await this.#store.take({ routerId: router.id, day, wanted: 0, limit })
      return stateOf({ ...lease, used }, this.#now())
    } catch {
      // The refusal stands; only its headers are missing.
      return null
    }
  }

  /** The requests counted today, of routers with a limit; of other nodes, those up to their last lease. */
  async dailyUse(routers: Iterable<Router>): Promise<DailyUse[]> {
    const uses = [...routers].map(async (router) => {
      const state = await this.state(router)
      return state ? [{ routerId: router.id, requests: state.limit - state.remaining }] : []
    })
    return (await Promise.all(uses)).flat()
  }

  /** The requests left today, for routers whose count this process knows. */
  *remaining(): Generator<{ routerId: string; remaining: number }> {
    const nowMs = this.#now()
    for (const [routerId, lease] of this.#leases) {
      if (lease.used > 0 && lease.day >= utcDay(nowMs))
        yield { routerId, remaining: stateOf(lease, nowMs).remaining }
    }
  }

  /** Calls `share` each second, for a storage that several services use. */
  shareEachSecond(): void {
    this.#sharing = setInterval(() => void this.share(), 1_000)
    this.#sharing.unref()
  }

  /** Returns leases that are idle or of a killed process, and lets the next request ask whether others returned some. */
  async share(): Promise<void> {
    await (this.#returned ??= this.#returnLost())
    const nowMs = this.#now()
    const settled = [...this.#leases].filter(([, lease]) => !lease.isRefilling)
    for (const [, lease] of settled) lease.isExhausted = false
    const idle = settled.filter(([, { usedAtMs }]) => nowMs - usedAtMs >= idleMs)
    await Promise.all(idle.map(([routerId, lease]) => this.#giveBack(routerId, lease)))
  }

  /** Returns unused leased requests. */
  async close(): Promise<void> {
    clearInterval(this.#sharing)
    await Promise.all([...this.#leases].map(([routerId, lease]) => this.#giveBack(routerId, lease)))
    if (this.#marks !== null && this.#marks.role !== 'guest') this.#marks.file.remove()
  }

  #leaseOf(routerId: string, limit: number): Lease {
    const nowMs = this.#now()
    const lease = this.#leases.get(routerId)
    if (lease && lease.limit === limit && isOfDay(lease, nowMs)) return lease
    if (lease) void this.#giveBack(routerId, lease)
    const fresh = newLease(limit, nowMs)
    this.#leases.set(routerId, fresh)
    return fresh
  }

  #refillUnlessRunning(routerId: string, lease: Lease): void {
    if (!lease.isRefilling && !lease.isExhausted) void this.#refill(routerId, lease)
  }

  async #refill(routerId: string, lease: Lease): Promise<void> {
    lease.isRefilling = true
    do {
      try {
        await this.#takeLease(routerId, lease)
        await this.#serve(routerId, lease)
      } catch (cause) {
        const error = notCounted(cause)
        for (const waiter of lease.waiters.splice(0)) waiter.reject(error)
      }
    } while (lease.waiters.length > 0)
    lease.isRefilling = false
    // It was replaced for another limit or day in the meantime, so its rest is returned here.
    if (this.#leases.get(routerId) !== lease) await this.#giveBack(routerId, lease)
  }

  async #takeLease(routerId: string, lease: Lease): Promise<void> {
    const { limit, day } = lease
    const size = leaseSize(limit)
    const waiting = lease.waiters.length
    // Of several services, nobody finds what one was granted and did not hear of.
    const needed = this.#marks?.role === 'shared' ? Math.min(waiting, size) : waiting
    const wanted = Math.max(needed, size)
    this.#returned ??= this.#returnLost()
    await this.#returned
    if (!lease.isMarked) await this.#markBefore(routerId, lease)
    const taken = await this.#store.take({ routerId, day, wanted, needed, limit })
    lease.left += taken.granted
    lease.used = taken.used
    lease.isExhausted = taken.used >= limit
    this.#mark(routerId, lease, true)
  }

  /** Returns what a killed process has counted and not dispatched. */
  async #returnLost(): Promise<void> {
    if (this.#marks === null || this.#marks.role === 'guest') return
    const { file, role } = this.#marks
    const today = utcDay(this.#now())
    try {
      const marks = file.read().filter(({ day }) => day === today)
      // Before: a kill between the two must not return them twice.
      if (role === 'shared') file.remove()
      for (const { routerId, day, requests } of marks) {
        const unused = role === 'shared' ? requests : (await this.#usedOf(routerId, day)) - requests
        if (unused > 0) await this.#store.giveBack({ routerId, day, count: unused })
      }
    } catch (error) {
      this.#onLostLease(error)
    }
  }

  /** Marks the count before the first lease, which a kill could leave without a mark. */
  async #markBefore(routerId: string, lease: Lease): Promise<void> {
    lease.isMarked = true
    if (this.#marks?.role !== 'service') return
    lease.used = await this.#usedOf(routerId, lease.day)
    this.#mark(routerId, lease, true)
  }

  async #usedOf(routerId: string, day: string): Promise<number> {
    return (await this.#store.take({ routerId, day, wanted: 0, limit: null })).used
  }

  /** Counts a request before it is dispatched, so that a crash cannot count too few. */
  #useOne(routerId: string, lease: Lease): QuotaState {
    lease.left -= 1
    lease.usedAtMs = this.#now()
    if (lease.marked > 0) lease.marked -= 1
    else if (this.#marks !== null) {
      lease.marked = Math.min(lease.left, Math.floor(lease.limit / 4_000))
      this.#mark(routerId, lease)
    }
    return stateOf(lease, lease.usedAtMs)
  }

  /** @param isLeased  whether requests were taken just now: then the count has also those of other processes */
  #mark(routerId: string, { day, used, left, marked }: Lease, isLeased = false): void {
    if (this.#marks === null) return
    const { file, role } = this.#marks
    try {
      // From the next lease of the service on, its marks have the requests of the guest.
      if (role === 'guest') return file.remove()
      if (isLeased) file.begin()
      const requests = role === 'shared' ? left - marked : used - left + marked
      file.write({ routerId, day, requests })
    } catch (error) {
      this.#onLostLease(error)
      file.giveUp()
    }
  }

  /** A few at a time, because resuming all of them at once would block the event loop. */
  async #serve(routerId: string, lease: Lease): Promise<void> {
    for (let served = 1; lease.waiters.length > 0; served += 1) {
      if (lease.left === 0 && !lease.isExhausted) return
      const waiter = lease.waiters.shift()
      if (lease.left > 0) waiter?.resolve(this.#useOne(routerId, lease))
      else waiter?.reject(limitExceeded(lease, this.#now()))
      if (served % servedPerTick === 0) await nextTick()
    }
  }

  async #giveBack(routerId: string, lease: Lease): Promise<void> {
    const count = lease.left
    lease.left = 0
    lease.marked = 0
    if (count === 0) return
    // Before: the storage may have taken them back although a kill comes first.
    if (this.#marks?.role === 'shared') this.#mark(routerId, lease)
    try {
      await this.#store.giveBack({ routerId, day: lease.day, count })
      lease.used -= count
    } catch (error) {
      this.#onLostLease(error)
    }
  }
}

function newLease(limit: number, nowMs: number): Lease {
  return {
    limit,
    day: utcDay(nowMs),
    startMs: nowMs - (nowMs % dayMs),
    left: 0,
    marked: 0,
    used: 0,
    usedAtMs: nowMs,
    isExhausted: false,
    isMarked: false,
    isRefilling: false,
    waiters: [],
  }
}

function isOfDay({ startMs }: Lease, nowMs: number): boolean {
  return nowMs >= startMs && nowMs < startMs + dayMs
}

/** Size of a lease: with the low-water rest of the lease before, 1 % of the limit. */
function leaseSize(limit: number): number {
  return Math.min(1000, Math.max(1, Math.floor(limit / 125)))
}

/** The rest at which the next lease is taken; 0 when leases are too small for that. */
function lowWater(limit: number): number {
  return Math.floor(leaseSize(limit) / 4)
}

function stateOf(lease: Lease, nowMs: number): QuotaState {
  const remaining = Math.max(0, lease.limit - lease.used + lease.left)
  const resetMs = Math.max(0, lease.startMs + dayMs - nowMs)
  return { limit: lease.limit, remaining, resetMs }
}

function notCounted(cause: unknown): ServiceError {
  return new ServiceError(
    'storage_unavailable',
    'The request could not be counted because the database does not respond. Try again shortly.',
    { cause, headers: { 'retry-after': '5' } },
  )
}

function limitExceeded(lease: Lease, nowMs: number): ServiceError {
  const state = stateOf(lease, nowMs)
  return new ServiceError(
    'daily_limit_exceeded',
    `This router has served its ${lease.limit} requests for today. The limit resets at 00:00 UTC; a higher tier can be set on the router.`,
    {
      headers: {
        ...quotaHeaders(state),
        'retry-after': String(Math.ceil(state.resetMs / 1000)),
        // Otherwise SDKs would sleep for all of retry-after.
        'x-should-retry': 'false',
      },
    },
  )
}

/** Headers of both families: OpenAI's, and the IETF draft's (revision 11). */
export function quotaHeaders(state: QuotaState): Record<string, string> {
  const resetSeconds = Math.ceil(state.resetMs / 1000)
  return {
    'x-ratelimit-limit-requests': String(state.limit),
    'x-ratelimit-remaining-requests': String(state.remaining),
    'x-ratelimit-reset-requests': goDuration(resetSeconds),
    'ratelimit-policy': `"router-day";q=${state.limit};w=86400`,
    ratelimit: `"router-day";r=${state.remaining};t=${resetSeconds}`,
  }
}

/** `6m0s`, `13h5m2s`: the format of OpenAI's reset headers. */
function goDuration(seconds: number): string {
  const hours = Math.floor(seconds / 3600)
  const minutes = Math.floor((seconds % 3600) / 60)
  const rest = `${seconds % 60}s`
  if (hours > 0) return `${hours}h${minutes}m${rest}`
  return minutes > 0 ? `${minutes}m${rest}` : rest
}

export function utcDay(timeMs: number): string {
  return new Date(timeMs).toISOString().slice(0, 10)
}
