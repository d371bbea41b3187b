/** Money that routers and keys spend per UTC day and month, in nano-dollars. */

/** A router or a key that has a budget. */
export interface BudgetOwner {
  kind: 'router' | 'key'
  /** Of rotated keys, the first one's. */
  id: string
  /** The router, or the key and its rotations: the requests of all of them spend the budget. */
  spenderIds: readonly string[]
}

/** Money of one UTC day or month. A request counts in the one it began in. */
export interface BudgetPeriod {
  /** Unix milliseconds. */
  startMs: number
  endMs: number
  spentNanoUsd: number
  /** For requests under way. */
  reservedNanoUsd: number
}

export interface BudgetFigures {
  readonly day: Readonly<BudgetPeriod>
  readonly month: Readonly<BudgetPeriod>
}

/** What must not be exceeded; null is no limit. */
export interface BudgetLimit {
  owner: BudgetOwner
  perDayNanoUsd: number | null
  perMonthNanoUsd: number | null
}

export interface BudgetStore {
  /**
   * The figures as far as this process knows them; null while it does not.
   * @param nowMs  begins a new day or month, never an earlier one: a clock set back refills nothing
   */
  known(owner: BudgetOwner, nowMs: number): BudgetFigures | null
  /**
   * Reads the figures, so that `known` gives them.
   * @throws StorageUnavailable
   */
  read(owner: BudgetOwner, nowMs: number): Promise<void>
  /**
   * Sets money aside for a request in every owner's day and month, or in none.
   * @returns false where a limit does not cover it, or an owner's figures are not known
   */
  reserve(reservation: {
    requestId: string
    nanoUsd: number
    limits: readonly BudgetLimit[]
    nowMs: number
  }): Promise<boolean>
  /** Gives back what is set aside for a request. Takes effect before the first wait. */
  release(requestId: string): Promise<void>
  /**
   * What was set aside for a request becomes what it cost. Owners whose figures are not known read it with
   * the ledger's rows. Takes effect before the first wait: to be called right before the row is appended.
   */
  settle(settlement: {
    requestId: string
    owners: readonly BudgetOwner[]
    costNanoUsd: number
    nowMs: number
  }): Promise<void>
}
