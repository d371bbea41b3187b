/** One node's leases of one budget, and the reservations that wait for a grant. */
import { startOfUtcMonth } from '../../budget-account.ts'
import type { BudgetFigures, BudgetLimit, BudgetOwner } from '../../budget-store.ts'
import type { OwnerView } from './budget-leases.ts'
import { Slice } from './slice.ts'

/** The slices of a request: it holds money in all of them, and its cost counts in those of the time when it began. */
export interface RequestSlices {
  all: readonly Slice[]
  own: readonly Slice[]
}

export class LeasedAccount {
  #owner: BudgetOwner
  /** Slices by period and start. */
  readonly #slices = new Map<string, Slice>()
  #day: Slice
  #month: Slice
  /** Time of the last use by the node's monotonic clock. */
  usedAtMs = -Infinity
  readAtMs = -Infinity
  /** The last of the statements about this account, which run one after the other. */
  #last: Promise<unknown> = Promise.resolve()
  #running = 0

  constructor(owner: BudgetOwner, nowMs: number) {
    this.#owner = owner
    this.#day = this.#slice('day', nowMs)
    this.#month = this.#slice('month', nowMs)
  }

  get owner(): BudgetOwner {
    return this.#owner
  }

  /** Whether a key was rotated since: its account is to be read with one spender more. */
  lacks({ spenderIds }: BudgetOwner): boolean {
    return spenderIds.length > this.#owner.spenderIds.length
  }

  /** The next use reads what all spenders of the owner spent. */
  extendTo(owner: BudgetOwner): void {
    this.#owner = owner
    this.readAtMs = -Infinity
  }

  get isBusy(): boolean {
    return this.#running > 0
  }

  get isRead(): boolean {
    return this.readAtMs !== -Infinity
  }

  /** Null while a period is new and not read. */
  get figures(): BudgetFigures | null {
    if (!this.#day.isRead || !this.#month.isRead) return null
    return { day: this.#day.figures, month: this.#month.figures }
  }

  /** Without the costs whose rows are not in the ledger yet. */
  get recordedFigures(): BudgetFigures | null {
    const { figures } = this
    if (figures === null) return null
    const { day, month } = figures
    return {
      day: { ...day, spentNanoUsd: this.#day.ledgerNanoUsd },
      month: { ...month, spentNanoUsd: this.#month.ledgerNanoUsd },
    }
  }

  get slices(): IterableIterator<Slice> {
    return this.#slices.values()
  }

  /** The first month that has a slice. */
  get sinceMs(): number {
    return startOfUtcMonth(Math.min(...[...this.slices].map(({ startMs }) => startMs)))
  }

  /** Starts the day and month of a time, unless they are earlier: setting the clock back refills nothing. */
  advanceTo(nowMs: number): void {
    if (nowMs >= this.#day.endMs) this.#day = this.#slice('day', nowMs)
    if (nowMs >= this.#month.endMs) this.#month = this.#slice('month', nowMs)
  }

  /** A request that began before the current day needs money in its own day and in the current one. */
  slicesAt(startedAtMs: number): RequestSlices {
    this.advanceTo(startedAtMs)
    const own = [this.#slice('day', startedAtMs), this.#slice('month', startedAtMs)]
    return { own, all: [...new Set([...own, this.#day, this.#month])] }
  }

  setLimits({ perDayNanoUsd, perMonthNanoUsd }: BudgetLimit): void {
    for (const slice of this.slices)
      slice.limitNanoUsd = slice.period === 'day' ? perDayNanoUsd : perMonthNanoUsd
  }

  /** @returns a function that takes what the database has; call it with a view that was read after this call */
  beginReading(): (view: OwnerView) => void {
    const recorded = new Map([...this.slices].map((slice) => [slice, slice.recordedNanoUsd]))
    return (view) => {
      // The ledger's latest day may be later than the clock's.
      for (const { dayStartMs } of view.costs) this.advanceTo(dayStartMs)
      for (const slice of this.slices) slice.read(recorded.get(slice) ?? 0, view)
    }
  }

  /** Runs work after all earlier work of this account. */
  async exclusive<Result>(work: () => Promise<Result>): Promise<Result> {
    this.#running += 1
    const result = this.#last.then(work)
    this.#last = result.catch(() => null)
    try {
      return await result
    } finally {
      this.#running -= 1
    }
  }

  isCurrent(slice: Slice): boolean {
    return slice === this.#day || slice === this.#month
  }

  /** Forgets the periods that are over. */
  removeOld(): void {
    for (const [name, slice] of this.#slices) {
      if (!this.isCurrent(slice) && slice.isSettled && slice.isStored && slice.heldNanoUsd === 0)
        this.#slices.delete(name)
    }
  }

  #slice(period: 'day' | 'month', timeMs: number): Slice {
    const slice = new Slice(period, timeMs)
    const name = `${period} ${slice.startMs}`
    const existing = this.#slices.get(name)
    if (existing) return existing
    this.#slices.set(name, slice)
    return slice
  }
}
