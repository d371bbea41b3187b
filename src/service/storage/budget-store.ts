/** Money that routers and keys spend per UTC day and month, in nano-dollars. */

/** A router or a key that has a budget. */
export interface BudgetOwner {
  kind: 'router' | 'key'
  /** The owner's id; for a rotated key, that of the first key. */
  id: string
  /** The router, or the key and its rotations, whose requests all spend the budget. */
  spenderIds: readonly string[]
}

/** Money of one UTC day or month. A request counts in the period in which it began. */
export interface BudgetPeriod {
  /** Unix milliseconds. */
  startMs: number
  endMs: number
  spentNanoUsd: number
  /** Money reserved for requests in progress. */
  reservedNanoUsd: number
  /** Set once the clock went back to before the start: requests of that time count here, but their rows are of another day. */
  holdsEarlier?: true
}

export interface BudgetFigures {
  readonly day: Readonly<BudgetPeriod>
  readonly month: Readonly<BudgetPeriod>
}

/** The spending limit; null means no limit. */
export interface BudgetLimit {
  owner: BudgetOwner
  perDayNanoUsd: number | null
  perMonthNanoUsd: number | null
}

/** The part of all budgets that this process may spend without asking the storage. */
export interface LeasedMoney {
  /** Budgets with such a part. */
  budgets: number
  nanoUsd: number
}

/** A budget whose spent money differs from its rows. */
export interface BudgetDifference {
  owner: BudgetOwner
  period: 'day' | 'month'
  startMs: number
  endMs: number
  budgetNanoUsd: number
  rowsNanoUsd: number
}

export interface BudgetStore {
  /** Null when no other process spends the same budgets. */
  readonly leased: LeasedMoney | null
  /**
   * The figures in memory; null while they are not loaded.
   * @param nowMs  starts a new day or month, never an earlier one: setting the clock back refills nothing
   */
  known(owner: BudgetOwner, nowMs: number): BudgetFigures | null
  /**
   * Loads the figures, so that `known` returns them.
   * @throws StorageUnavailable
   */
  read(owner: BudgetOwner, nowMs: number): Promise<void>
  /**
   * Reserves money for a request in the day and month of every owner, or of none, in addition to what it has reserved.
   * @returns false when a limit does not cover it, or an owner's figures are not loaded
   */
  reserve(reservation: {
    requestId: string
    nanoUsd: number
    limits: readonly BudgetLimit[]
    nowMs: number
  }): Promise<boolean>
  /** Returns a request's reservations to its budgets. Takes effect before the first wait. */
  release(requestId: string): Promise<void>
  /**
   * Replaces a request's reservation with its actual cost. Owners whose figures are not loaded will read it
   * with the ledger's rows. Takes effect before the first wait, so call it right before appending the row.
   */
  settle(settlement: {
    requestId: string
    owners: readonly BudgetOwner[]
    costNanoUsd: number
    nowMs: number
  }): Promise<void>
  /**
   * Compares the spent money of each budget in memory with the ledger's rows. On several nodes, which read their figures
   * again every few seconds, only more money than the rows have is a difference.
   */
  differences(nowMs: number): Promise<BudgetDifference[]>
}
