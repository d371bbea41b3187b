/**
 * Counts refused requests and stores them in batches. Anybody who reaches the port can cause them, so memory and the
 * work for each are bounded: docs/decisions/2026-11-23-refusals.md.
 */
import type { RefusalKind, RefusedRequest } from '../../shared/requests/refusal.ts'
import type { Log } from '../data-folder/log.ts'
import {
  mostNewestRefusals,
  type RefusalBatch,
  type RefusalStore,
} from '../storage/refusal-store.ts'
import type { Workspace } from './workspace.ts'

const minuteMs = 60_000
/** Longest wait before counts are stored, as for a ledger row in SQLite. A crash loses what waits. */
const patienceMs = 5
const retryMs = 1_000
const mostKinds = 2_000
/** Minutes whose counts wait while the database cannot be written. */
const mostMinutes = 5
const logEveryMs = 60_000
const newsEveryMs = 1_000

export interface RefusalsOptions {
  store: Pick<RefusalStore, 'add'>
  log: Pick<Log, 'noted' | 'failed'>
  /** Unix milliseconds. */
  now(): number
  /** Called after refusals were stored, at most once a second. */
  onNews(): void
}

/** A kind with its count since the start. */
export interface RefusalTotal {
  kind: RefusalKind
  count: number
}

export class Refusals {
  readonly #options: RefusalsOptions
  /** Totals since the start, by the parts of the kind. */
  readonly #totals = new Map<string, RefusalTotal>()
  /** Counts that wait to be stored, by minute and kind. */
  #minutes = new Map<number, Map<RefusalKind, number>>()
  #newest: RefusedRequest[] = []
  #timer: NodeJS.Timeout | null = null
  #storing: Promise<void> | null = null
  #hasFailed = false
  #sinceStart = 0
  #logged = 0
  #loggedAtMs = -Infinity
  #news: NodeJS.Timeout | null = null

  constructor(options: RefusalsOptions) {
    this.#options = options
  }

  note({ id, atMs, ...kind }: RefusedRequest): void {
    const total = this.#totalOf(kind)
    total.count += 1
    this.#sinceStart += 1
    this.#count(total.kind, atMs - (atMs % minuteMs), 1)
    this.#newest.push({ ...kind, id, atMs })
    if (this.#newest.length >= 2 * mostNewestRefusals) this.#dropOldest()
    this.#timer ??= setTimeout(() => void this.#flush(), patienceMs)
    if (this.#options.now() - this.#loggedAtMs >= logEveryMs) this.#writeLine()
  }

  /** Counts since the start. */
  totals(): Iterable<RefusalTotal> {
    return this.#totals.values()
  }

  /** Stores what waits. */
  async close(): Promise<void> {
    if (this.#sinceStart > this.#logged) this.#writeLine()
    if (this.#news !== null) clearTimeout(this.#news)
    if (this.#timer !== null) clearTimeout(this.#timer)
    await this.#storing
    if (this.#minutes.size > 0) await this.#store()
    if (this.#timer !== null) clearTimeout(this.#timer)
  }

  #totalOf(kind: RefusalKind): RefusalTotal {
    const { apiKeyId, routerId, code, door } = kind
    const name = `${apiKeyId ?? ''}\n${routerId ?? ''}\n${code}\n${door}`
    const known = this.#totals.get(name)
    if (known !== undefined) return known
    const isNamed = apiKeyId !== null || routerId !== null
    if (isNamed && this.#totals.size >= mostKinds) {
      return this.#totalOf({ apiKeyId: null, routerId: null, code, door })
    }
    const total = { kind, count: 0 }
    this.#totals.set(name, total)
    return total
  }

  #count(kind: RefusalKind, startMs: number, count: number): void {
    const isNew = !this.#minutes.has(startMs)
    const minute =
      isNew && this.#minutes.size >= mostMinutes
        ? (this.#minutes.keys().next().value ?? 0)
        : startMs
    const counts = this.#minutes.get(minute) ?? new Map<RefusalKind, number>()
    counts.set(kind, (counts.get(kind) ?? 0) + count)
    this.#minutes.set(minute, counts)
  }

  #dropOldest(): void {
    this.#newest = this.#newest.slice(-mostNewestRefusals)
  }

  async #flush(): Promise<void> {
    this.#storing = this.#store()
    await this.#storing
    this.#storing = null
    this.#timer = null
    if (this.#minutes.size === 0) return
    this.#timer = setTimeout(() => void this.#flush(), this.#hasFailed ? retryMs : patienceMs)
    // A service that is stopping stores what waits when it closes.
    this.#timer.unref()
  }

  /** Stores what waits. After a failure it waits again, with what came meanwhile. */
  async #store(): Promise<void> {
    this.#dropOldest()
    const batch: RefusalBatch = { counts: toCounts(this.#minutes), newest: this.#newest }
    this.#minutes = new Map()
    this.#newest = []
    try {
      await this.#options.store.add(batch)
      this.#hasFailed = false
      this.#tell()
    } catch (error) {
      if (!this.#hasFailed) this.#options.log.failed('refusals', error)
      this.#hasFailed = true
      for (const { kind, startMs, count } of batch.counts) this.#count(kind, startMs, count)
      this.#newest = [...batch.newest, ...this.#newest]
    }
  }

  #tell(): void {
    this.#news ??= setTimeout(() => {
      this.#news = null
      this.#options.onNews()
    }, newsEveryMs).unref()
  }

  #writeLine(): void {
    const { log, now } = this.#options
    log.noted('requests refused', {
      sinceLastLine: String(this.#sinceStart - this.#logged),
      sinceStart: String(this.#sinceStart),
    })
    this.#logged = this.#sinceStart
    this.#loggedAtMs = now()
  }
}

function toCounts(minutes: ReadonlyMap<number, ReadonlyMap<RefusalKind, number>>) {
  return [...minutes].flatMap(([startMs, counts]) =>
    [...counts].map(([kind, count]) => ({ kind, startMs, count })),
  )
}

/** The refusals of a service. */
export function createRefusals({ storage, events, log, now }: Workspace): Refusals {
  const onNews = () => events.emit('changed', { what: 'refusals' })
  return new Refusals({ store: storage.refusals, log, now, onNews })
}
