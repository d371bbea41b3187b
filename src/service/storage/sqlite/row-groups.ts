/**
 * Sends ledger rows to the worker. A row waits a few milliseconds for others, so that many are committed
 * together. When the database cannot store a group (because of a full disk, for example), the group stays in
 * memory and is sent again with a growing delay until it is stored. Meanwhile `outage` is set, and admission
 * refuses requests. Only requests already in progress add rows then, and none of these rows is lost.
 */
import type { StorageHealth, StorageOutage } from '../maintenance.ts'
import { StorageUnavailable } from '../storage.ts'
import type { RowValues } from './ledger-row.ts'
import { cannotWrite, toError, type AppendFailure } from './protocol.ts'

/**
 * How long a ledger row waits for others, ms. Each commit waits for the disk: one per request would use more of
 * the processor than the request itself. A crash loses the rows of at most this time.
 */
const patienceMs = 5
/** The first delay before a group is sent again; it doubles after each failure. */
const firstRetryMs = 250
const lastRetryMs = 2_000
/** About 30 MB. Far fewer requests are in progress when an outage begins. */
const maxWaitingRows = 10_000

interface Database {
  /** @returns the rows that could not be stored. @throws StorageUnavailable when none of them was */
  send(rows: readonly RowValues[]): Promise<AppendFailure[]>
  /** @throws StorageUnavailable while the database cannot be written */
  probe(): Promise<unknown>
}

/** Rows that are stored together. */
class RowGroup {
  /**
   * Values instead of records, because large objects that wait to be sent survive long enough to be expensive.
   */
  readonly rows: RowValues[] = []
  /** Resolves once the group is stored. */
  readonly stored: Promise<AppendFailure[]>
  #resolve: (failures: AppendFailure[]) => void = () => {}
  #reject: (error: Error) => void = () => {}

  constructor() {
    this.stored = new Promise((resolve, reject) => {
      this.#resolve = resolve
      this.#reject = reject
    })
  }

  settle(failures: AppendFailure[]): void {
    this.#resolve(failures)
  }

  fail(error: Error): void {
    this.#reject(error)
  }
}

export class RowGroups implements StorageHealth {
  readonly #database: Database
  /** The group that takes rows until it is sent. */
  #open: RowGroup | null = null
  #patience: NodeJS.Timeout | undefined
  /** Whether the open group has an urgent row. */
  #isHurried = false
  /** Groups sent to the worker without a reply yet. */
  #sending = 0
  /** Groups that could not be stored, oldest first. */
  #waiting: RowGroup[] = []
  #retry: NodeJS.Timeout | undefined
  #retryMs = firstRetryMs
  /** Why rows could not be stored. */
  #failure: Error | null = null
  /** Set while rows are stored in the space that was reserved. */
  #shortage: Error | null = null
  #outage: StorageOutage | null = null
  readonly #listeners = new Set<(outage: StorageOutage | null) => void>()
  #isClosed = false

  constructor(database: Database) {
    this.#database = database
  }

  /** @param isUrgent  whether an answer waits for it */
  add(row: RowValues, isUrgent = false): Promise<void> {
    this.#open ??= this.#begin()
    const group = this.#open
    const index = group.rows.push(row) - 1
    if (isUrgent && !this.#isHurried) this.#hurry()
    return group.stored.then((failures) => refuseFailed(failures, index))
  }

  /**
   * Sends the open group as soon as no other is being stored, but only after the event loop has handled its
   * pending events: the rows that arrive until then share its commit.
   */
  #hurry(): void {
    this.#isHurried = true
    if (this.#sending === 0) setImmediate(() => this.#flushHurried())
  }

  #flushHurried(): void {
    if (this.#isHurried && this.#sending === 0) this.flush()
  }

  /** Sends the rows that wait for others. */
  flush(): void {
    clearTimeout(this.#patience)
    this.#isHurried = false
    const group = this.#open
    this.#open = null
    if (group === null) return
    if (this.#waiting.length > 0) this.#keep(group)
    else void this.#store(group)
  }

  /** Sends everything a last time; rows that cannot be stored then are lost. */
  close(): void {
    this.#isClosed = true
    clearTimeout(this.#retry)
    for (const group of this.#waiting.splice(0)) void this.#store(group)
    this.flush()
  }

  /** From now on, rows are rejected. */
  fail(error: StorageUnavailable): void {
    const isNews = !this.#isClosed && this.#failure === null
    this.#isClosed = true
    clearTimeout(this.#patience)
    clearTimeout(this.#retry)
    this.#open?.fail(error)
    this.#open = null
    for (const group of this.#waiting.splice(0)) group.fail(error)
    if (isNews) this.#setFailure(error)
  }

  /** Another write failed, such as one of a conversation: its reason may concern the ledger as well. */
  writeFailed(error: unknown): void {
    const isOutage = error instanceof StorageUnavailable && cannotWrite(error)
    if (!isOutage || this.#isClosed || this.#failure !== null) return
    this.#setFailure(error)
    this.#scheduleRetry()
  }

  /** @param cause  null when the reserved space exists again */
  setShortage(cause: Error | null): void {
    this.#shortage = cause
    this.#update()
  }

  outage(): StorageOutage | null {
    return this.#outage
  }

  onChange(listener: (outage: StorageOutage | null) => void): () => void {
    this.#listeners.add(listener)
    return () => this.#listeners.delete(listener)
  }

  #begin(): RowGroup {
    this.#patience = setTimeout(() => this.flush(), patienceMs)
    return new RowGroup()
  }

  async #store(group: RowGroup): Promise<void> {
    this.#sending += 1
    try {
      group.settle(await this.#database.send(group.rows))
    } catch (error) {
      this.#failed(group, toStorageError(error))
    } finally {
      this.#sending -= 1
      this.#flushHurried()
    }
  }

  #failed(group: RowGroup, error: Error): void {
    if (this.#isClosed || !(error instanceof StorageUnavailable)) {
      group.fail(error)
      return
    }
    this.#keep(group)
    if (this.#failure !== null) return
    this.#setFailure(error)
    this.#scheduleRetry()
  }

  /** When too many rows already wait, the newest are lost. */
  #keep(group: RowGroup): void {
    const waitingRows = this.#waiting.reduce((sum, { rows }) => sum + rows.length, 0)
    if (waitingRows + group.rows.length <= maxWaitingRows) this.#waiting.push(group)
    else group.fail(new StorageUnavailable('Too many rows wait to be stored'))
  }

  #scheduleRetry(): void {
    this.#retry = setTimeout(() => void this.#sendAgain(), this.#retryMs)
    this.#retryMs = Math.min(lastRetryMs, this.#retryMs * 2)
  }

  /** One group after another: the first shows whether the database can store rows again. */
  async #sendAgain(): Promise<void> {
    for (let [group] = this.#waiting; group !== undefined; [group] = this.#waiting) {
      try {
        const failures = await this.#database.send(group.rows)
        // A commit may have succeeded although its success was not reported.
        group.settle(failures.filter(({ failure }) => failure.name !== 'StorageConflict'))
      } catch (error) {
        if (this.#isClosed) return
        if (error instanceof StorageUnavailable) return this.#scheduleRetry()
        group.fail(toStorageError(error))
      }
      this.#waiting = this.#waiting.filter((other) => other !== group)
    }
    if (await this.#canWrite()) {
      this.#retryMs = firstRetryMs
      this.#setFailure(null)
    } else if (!this.#isClosed) this.#scheduleRetry()
  }

  /** The outage may have begun with a write that is not sent again. */
  async #canWrite(): Promise<boolean> {
    try {
      await this.#database.probe()
      return !this.#isClosed
    } catch {
      return false
    }
  }

  #setFailure(failure: Error | null): void {
    this.#failure = failure
    this.#update()
  }

  #update(): void {
    const before = this.#outage
    const cause = this.#failure ?? this.#shortage
    if (cause === (before?.cause ?? null)) return
    this.#outage = cause === null ? null : { cause, canStoreRows: this.#failure === null }
    for (const listener of this.#listeners) listener(this.#outage)
  }
}

function toStorageError(error: unknown): Error {
  return error instanceof Error ? error : new StorageUnavailable(String(error))
}

function refuseFailed(failures: readonly AppendFailure[], index: number): void {
  const own = failures.find((failure) => failure.index === index)
  if (own) throw toError(own.failure)
}
