/**
 * One node's part of a budget in a UTC day or month. The node may use `held` in addition to the requests that are in the
 * ledger. `held` in memory never exceeds the lease in the database: it is raised after the database, and lowered before.
 */
import { dayOf, monthOf } from '../../budget-account.ts'
import type { BudgetPeriod } from '../../budget-store.ts'
import type { LeasedPeriod, OwnerView } from './budget-leases.ts'
import { freePartToKeep, sliceOf, type Rest } from './sizes.ts'

/** Figures of a period in the database when it was last read. */
interface View {
  spentNanoUsd: number
  otherLeasesNanoUsd: number
  /** This node's recorded costs that `spentNanoUsd` contains. */
  recordedNanoUsd: number
}

export class Slice {
  readonly period: LeasedPeriod
  readonly startMs: number
  readonly endMs: number
  /** The latest reservation's; null means no limit. */
  limitNanoUsd: number | null = null
  #held = 0
  #reserved = 0
  /** Costs whose rows are not in the ledger yet. */
  #unrecorded = 0
  /** All costs whose rows are in the ledger. */
  #recorded = 0
  /** The lease in the database; null when the outcome of a statement is unknown. */
  #stored: number | null = 0
  #view: View | null = null

  constructor(period: LeasedPeriod, timeMs: number) {
    this.period = period
    const { startMs, endMs } = period === 'day' ? dayOf(timeMs) : monthOf(timeMs)
    this.startMs = startMs
    this.endMs = endMs
  }

  get isRead(): boolean {
    return this.#view !== null
  }

  /** Whether all costs of this period are recorded and none is reserved. */
  get isSettled(): boolean {
    return this.#reserved === 0 && this.#unrecorded === 0
  }

  get isStored(): boolean {
    return this.#stored === this.#held
  }

  /** Whether other nodes see much more leased than this node still needs, because its costs are in the ledger by now. */
  get isOverstated(): boolean {
    return this.#stored !== null && this.#stored - this.#held > sliceOf(this.rest.leftNanoUsd)
  }

  get heldNanoUsd(): number {
    return this.#held
  }

  /** `reserved` includes the leases of other nodes, so limit - spent - reserved is what this node can still use. */
  get figures(): BudgetPeriod {
    const { startMs, endMs } = this
    return {
      startMs,
      endMs,
      spentNanoUsd: this.ledgerNanoUsd + this.#unrecorded,
      reservedNanoUsd: this.#reserved + (this.#view?.otherLeasesNanoUsd ?? 0),
    }
  }

  /** The costs of rows in the ledger, as far as this node knows them. */
  get ledgerNanoUsd(): number {
    const { spentNanoUsd = 0, recordedNanoUsd = 0 } = this.#view ?? {}
    return spentNanoUsd + this.#recorded - recordedNanoUsd
  }

  get #free(): number {
    return this.#held - this.#reserved - this.#unrecorded
  }

  /** Whether the node's own lease covers a reservation, without asking the database. */
  covers(nanoUsd: number): boolean {
    if (this.#view === null || this.#free < nanoUsd) return false
    if (this.limitNanoUsd === null) return true
    const { spentNanoUsd, reservedNanoUsd } = this.figures
    return spentNanoUsd + reservedNanoUsd + nanoUsd <= this.limitNanoUsd
  }

  /** @param nanoUsd  negative when a reservation ends */
  addReserved(nanoUsd: number): void {
    this.#reserved += nanoUsd
  }

  /** Adds a cost without a reservation, or above it. It was spent in any case, so the lease grows by it. */
  addCost(nanoUsd: number): void {
    this.#unrecorded += nanoUsd
    this.#held = Math.max(this.#held, this.#reserved + this.#unrecorded)
  }

  /** The ledger has the row of a cost. */
  recordCost(nanoUsd: number): void {
    this.#unrecorded -= nanoUsd
    this.#recorded += nanoUsd
    this.#held -= nanoUsd
  }

  get recordedNanoUsd(): number {
    return this.#recorded
  }

  /** @param recordedNanoUsd  as it was before the database was read; later rows may be missing in the view */
  read(recordedNanoUsd: number, view: OwnerView): void {
    const spent = view.costs.filter(
      ({ dayStartMs }) => dayStartMs >= this.startMs && dayStartMs < this.endMs,
    )
    const leases = view.otherLeases.filter(
      ({ period, startMs }) => period === this.period && startMs === this.startMs,
    )
    this.#view = {
      spentNanoUsd: spent.reduce((sum, { costNanoUsd }) => sum + costNanoUsd, 0),
      otherLeasesNanoUsd: leases.reduce((sum, { nanoUsd }) => sum + nanoUsd, 0),
      recordedNanoUsd,
    }
  }

  /** The rest by the figures of the latest read; Infinity without a limit. */
  get rest(): Rest {
    const { spentNanoUsd, reservedNanoUsd } = this.figures
    const freeNanoUsd = this.#free
    const leftNanoUsd =
      this.limitNanoUsd === null
        ? Infinity
        : this.limitNanoUsd - spentNanoUsd - reservedNanoUsd - freeNanoUsd
    return { leftNanoUsd, freeNanoUsd }
  }

  /** The outcome of a statement that changes the lease is unknown until `stored` or `granted`. */
  storing(): void {
    this.#stored = null
  }

  stored(nanoUsd: number): void {
    this.#stored = nanoUsd
  }

  granted(nanoUsd: number): void {
    this.#held += nanoUsd
  }

  /** Lowers the lease in memory; the database follows. */
  trim(isIdle: boolean): void {
    const { rest } = this
    this.#held -= rest.freeNanoUsd - freePartToKeep(rest, isIdle)
  }
}
