/**
 * Sends ledger rows to the database. A row waits a few milliseconds for others, so that many are committed
 * together. When the database cannot store a group (because of a full disk, for example), the group stays in
 * memory and is sent again with a growing delay until it is stored. Meanwhile `outage` is set, and admission
 * refuses requests. Only requests already in progress add rows then, and none of these rows is lost. A journal also keeps
 * them for the next process.
 */
import type { StorageHealth, StorageOutage } from '../maintenance.ts'
import { StorageConflict, StorageUnavailable } from '../storage.ts'
import type { RowValues } from './ledger-row.ts'
import type { RefusedRow } from './sql.ts'

/** A group of this size is sent although another one is being stored. */
const fullGroupRows = 500
/** The first delay before a group is sent again; it doubles after each failure. */
const firstRetryMs = 250
const lastRetryMs = 2_000
/**
 * Rows in memory (about 30 MB) at which admission refuses requests until half of them are stored. Requests in progress
 * still add rows, and none is dropped.
 */
const fullQueueRows = 10_000
/** A group that waits for longer than this is written to the journal. */
const journalAfterMs = 1_000

/** Keeps rows that wait to be stored for the next process. */
export interface RowJournal {
  /** The rows that a process before could not store, and whether all could be read. @throws FileProblem */
  read(): Promise<{ rows: RowValues[]; isWhole: boolean }>
  /** Resolves once the rows are on the disk, or once writing them has failed. */
  add(rows: readonly RowValues[]): Promise<void>
  /** Called when all rows are stored. */
  clear(): Promise<void>
  /** Keeps what was read under another name, because some of it could not be stored. */
  setAside(): Promise<void>
  /** Resolves when the last change is made. */
  close(): Promise<void>
}

interface Database {
  /**
   * How long a ledger row waits for others. Each commit waits for the disk: one per request would use more of the
   * processor than the request itself. A crash loses the rows of this time and of the commits they wait for.
   */
  patienceMs: number
  /** @returns the rows that could not be stored. @throws StorageUnavailable when none of them was */
  send(rows: readonly RowValues[]): Promise<RefusedRow[]>
  /** @throws StorageUnavailable while the database cannot be written */
  probe(): Promise<unknown>
  /** Whether another write failed for a reason that concerns every write. */
  isOutage(error: StorageUnavailable): boolean
  /** Stores waiting rows when the process ends; without a journal they are lost. */
  journal?: RowJournal | undefined
}

/** Rows that are stored together. */
class RowGroup {
  /**
   * Values instead of records, because large objects that wait to be sent survive long enough to be expensive.
   */
  readonly rows: RowValues[] = []
  /** Resolves once the group is stored. */
  readonly stored: Promise<RefusedRow[]>
  #resolve: (failures: RefusedRow[]) => void = () => {}
  #reject: (error: Error) => void = () => {}

  constructor() {
    this.stored = new Promise((resolve, reject) => {
      this.#resolve = resolve
      this.#reject = reject
    })
  }

  settle(failures: RefusedRow[]): void {
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
  /** Whether the open group is sent as soon as no other is being stored. */
  #isHurried = false
  /** Groups sent without a reply yet. */
  #sending = 0
  /** Groups that could not be stored, oldest first. */
  #waiting: RowGroup[] = []
  /** Groups in the journal. */
  readonly #kept = new Set<RowGroup>()
  #retry: NodeJS.Timeout | undefined
  #retryMs = firstRetryMs
  /** Why rows could not be stored. */
  #failure: Error | null = null
  /** Set while rows are stored in the space that was reserved. */
  #shortage: Error | null = null
  /** Rows that were added and are not stored yet, and the error once they are too many. */
  #queuedRows = 0
  #overload: Error | null = null
  #outage: StorageOutage | null = null
  readonly #listeners = new Set<(outage: StorageOutage | null) => void>()
  #isProbing = false
  #isClosed = false

  constructor(database: Database) {
    this.#database = database
  }

  /** @param isUrgent  whether an answer waits for it */
  add(row: RowValues, isUrgent = false): Promise<void> {
    this.#open ??= this.#begin()
    const group = this.#open
    const index = group.rows.push(row) - 1
    this.#count(1)
    if (group.rows.length >= fullGroupRows) this.flush()
    else if (isUrgent && !this.#isHurried) this.#hurry()
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

  /** Ends the wait. Rows that arrive while a group is stored share the next one, and its additions to the roll-ups. */
  #endPatience(): void {
    this.#isHurried = true
    this.#flushHurried()
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
    if (this.#waiting.length > 0) this.#wait(group)
    else void this.#store(group)
  }

  /** Sends everything a last time; rows that cannot be stored then are in the journal, or lost without one. */
  close(): void {
    this.#isClosed = true
    clearTimeout(this.#retry)
    for (const group of this.#waiting.splice(0)) void this.#store(group)
    this.flush()
  }

  /** Rejects all rows from now on. */
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

  /** Called after another write failed, such as one of a conversation: its reason may concern the ledger as well. */
  writeFailed(error: unknown): void {
    const isOutage = error instanceof StorageUnavailable && this.#database.isOutage(error)
    if (!isOutage || this.#isClosed || this.#failure !== null) return
    this.#setFailure(error)
    this.#scheduleRetry()
  }

  /** Tests the database after another call failed, so that no request has to find out. */
  async suspect(): Promise<void> {
    if (this.#isProbing || this.#isClosed || this.#failure !== null) return
    this.#isProbing = true
    try {
      await this.#database.probe()
    } catch (error) {
      this.writeFailed(error)
    } finally {
      this.#isProbing = false
    }
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
    this.#patience = setTimeout(() => this.#endPatience(), this.#database.patienceMs)
    const group = new RowGroup()
    const end = (error?: unknown) => {
      this.#count(-group.rows.length)
      if (!(error instanceof StorageUnavailable)) this.#release(group)
    }
    group.stored.then(() => end(), end)
    return group
  }

  #count(rows: number): void {
    this.#queuedRows += rows
    const limit = this.#overload === null ? fullQueueRows : fullQueueRows / 2
    const isOverloaded = this.#queuedRows >= limit
    if (isOverloaded === (this.#overload !== null)) return
    this.#overload = isOverloaded ? new StorageUnavailable('Too many rows wait to be stored') : null
    this.#update()
  }

  async #store(group: RowGroup): Promise<void> {
    this.#sending += 1
    const isSlow = this.#database.journal && setTimeout(() => this.#keep(group), journalAfterMs)
    try {
      group.settle(await this.#database.send(group.rows))
    } catch (error) {
      this.#failed(group, toStorageError(error))
    } finally {
      clearTimeout(isSlow)
      this.#sending -= 1
      this.#flushHurried()
    }
  }

  #wait(group: RowGroup): void {
    this.#waiting.push(group)
    this.#keep(group)
  }

  #keep(group: RowGroup): void {
    if (this.#kept.has(group)) return
    this.#kept.add(group)
    void this.#database.journal?.add(group.rows)
  }

  #release(group: RowGroup): void {
    if (this.#kept.delete(group) && this.#kept.size === 0) void this.#database.journal?.clear()
  }

  #failed(group: RowGroup, error: Error): void {
    if (!(error instanceof StorageUnavailable)) return group.fail(error)
    if (this.#isClosed) {
      this.#keep(group)
      return group.fail(error)
    }
    this.#wait(group)
    if (this.#failure !== null) return
    this.#setFailure(error)
    this.#scheduleRetry()
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
        group.settle(failures.filter(({ error }) => !(error instanceof StorageConflict)))
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
    const cause = this.#failure ?? this.#shortage ?? this.#overload
    if (cause === (before?.cause ?? null)) return
    this.#outage = cause === null ? null : { cause, canStoreRows: this.#failure === null }
    for (const listener of this.#listeners) listener(this.#outage)
  }
}

function toStorageError(error: unknown): Error {
  return error instanceof Error ? error : new StorageUnavailable(String(error))
}

function refuseFailed(failures: readonly RefusedRow[], index: number): void {
  const own = failures.find((failure) => failure.index === index)
  if (own) throw own.error
}
