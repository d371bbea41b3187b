/**
 * Budgets in this process's memory, for one service per data folder. The spent sums start from those of the
 * ledger; the reserved sums exist only here. Each change runs without a wait, so nothing can happen between the
 * check of a limit and the reservation. A restart loses the reservations of requests that had no row yet.
 */
import { BudgetAccount, differencesOf, nameOf, startOfUtcMonth } from '../budget-account.ts'
import type {
  BudgetDifference,
  BudgetFigures,
  BudgetLimit,
  BudgetOwner,
  BudgetPeriod,
  BudgetStore,
} from '../budget-store.ts'
import type { DayCost, Ledger } from '../storage.ts'

/** An account with the day and month in which a request began. */
interface ReservedPeriods {
  account: BudgetAccount
  day: BudgetPeriod
  month: BudgetPeriod
}

interface Reservation {
  nanoUsd: number
  periods: readonly ReservedPeriods[]
}

export class BudgetAccounts implements BudgetStore {
  readonly leased = null
  readonly #ledger: Pick<Ledger, 'costsByDay'>
  readonly #accounts = new Map<string, BudgetAccount>()
  readonly #owners = new Map<string, BudgetOwner>()
  /** Accounts whose earlier spending is being read. */
  readonly #loading = new Map<string, Promise<void>>()
  #caughtUp: Promise<void> = Promise.resolve()
  /** Reservations by request, in the order in which they were made. */
  readonly #reservations = new Map<string, readonly Reservation[]>()

  constructor(ledger: Pick<Ledger, 'costsByDay'>) {
    this.#ledger = ledger
  }

  known(owner: BudgetOwner, nowMs: number): BudgetFigures | null {
    return this.#loading.has(nameOf(owner)) ? null : this.#account(owner, nowMs)
  }

  read(owner: BudgetOwner, nowMs: number): Promise<void> {
    const name = nameOf(owner)
    const loading = this.#loading.get(name)
    if (loading || this.#accounts.has(name)) return loading ?? Promise.resolve()
    const account = new BudgetAccount(nowMs)
    // The account exists before the read ends, so that it counts requests that end meanwhile: the ledger
    // returns exactly the rows appended before the read began.
    this.#accounts.set(name, account)
    this.#owners.set(name, owner)
    const read = this.#load(account, owner, nowMs).finally(() => this.#loading.delete(name))
    this.#loading.set(name, read)
    return read
  }

  // Not `async`, so that all of it runs before the first wait.
  reserve(request: Parameters<BudgetStore['reserve']>[0]): Promise<boolean> {
    const { requestId, nanoUsd, limits, nowMs } = request
    const earlier = this.#reservations.get(requestId) ?? []
    const periods: ReservedPeriods[] = []
    for (const limit of limits) {
      if (this.known(limit.owner, nowMs) === null) return Promise.resolve(false)
      const account = this.#account(limit.owner, nowMs)
      if (account === null) return Promise.resolve(false)
      const { day, month } = periodsOf(earlier, account) ?? account
      if (!covers(limit, { day, month }, nanoUsd)) return Promise.resolve(false)
      periods.push({ account, day, month })
    }
    const reservation = { nanoUsd, periods }
    this.#reservations.set(requestId, [...earlier, reservation])
    addReserved(reservation, nanoUsd)
    return Promise.resolve(true)
  }

  release(requestId: string): Promise<void> {
    this.#release(requestId)
    return Promise.resolve()
  }

  settle(settlement: Parameters<BudgetStore['settle']>[0]): Promise<void> {
    const { requestId, owners, costNanoUsd, nowMs } = settlement
    const reservations = this.#release(requestId)
    if (this.#accounts.size === 0) return Promise.resolve()
    for (const owner of owners) {
      const account = this.#account(owner, nowMs)
      if (account === null) continue
      // A request without a reservation began before there was a budget.
      const { day, month } = periodsOf(reservations, account) ?? account
      day.spentNanoUsd += costNanoUsd
      month.spentNanoUsd += costNanoUsd
    }
    return Promise.resolve()
  }

  async differences(nowMs: number): Promise<BudgetDifference[]> {
    const compared = [...this.#owners.values()].map(async (owner) => {
      const figures = this.known(owner, nowMs)
      if (figures === null) return []
      const before = copyOf(figures)
      return differencesOf(owner, before, await this.#costsOf(owner, before.month.startMs))
    })
    return (await Promise.all(compared)).flat()
  }

  /** Adds what another process of the same folder spent, such as a command that ran an agent. */
  catchUp(): Promise<void> {
    // One after the other: two at once would add the same money twice.
    this.#caughtUp = this.#caughtUp.catch(() => {}).then(() => this.#addMissing())
    return this.#caughtUp
  }

  async #addMissing(): Promise<void> {
    const read = [...this.#owners.values()].map(async (owner) => {
      const account = this.#accounts.get(nameOf(owner))
      if (!account || this.#loading.has(nameOf(owner))) return
      const before = copyOf(account)
      account.addMissing(before, await this.#costsOf(owner, before.month.startMs))
    })
    await Promise.all(read)
  }

  async #costsOf(owner: BudgetOwner, sinceMs: number): Promise<DayCost[]> {
    const query = { owner: owner.kind, sinceMs }
    // All reads start before the first wait, so that they include the same rows.
    const answers = owner.spenderIds.map((id) => this.#ledger.costsByDay({ ...query, id }))
    return (await Promise.all(answers)).flat()
  }

  async #load(account: BudgetAccount, owner: BudgetOwner, nowMs: number): Promise<void> {
    try {
      account.addHistory(await this.#costsOf(owner, startOfUtcMonth(nowMs)))
    } catch (error) {
      this.#accounts.delete(nameOf(owner))
      throw error
    }
  }

  #account(owner: BudgetOwner, nowMs: number): BudgetAccount | null {
    const name = nameOf(owner)
    const account = this.#accounts.get(name)
    if (account === undefined) return null
    account.advanceTo(nowMs)
    // A key was rotated: its rows are those of one spender more.
    const known = this.#owners.get(name)
    if (known && known.spenderIds.length < owner.spenderIds.length) this.#owners.set(name, owner)
    return account
  }

  #release(requestId: string): readonly Reservation[] {
    const reservations = this.#reservations.get(requestId) ?? []
    this.#reservations.delete(requestId)
    for (const reservation of reservations) addReserved(reservation, -reservation.nanoUsd)
    return reservations
  }
}

/** The day and month in which the request began. */
function periodsOf(
  reservations: readonly Reservation[],
  account: BudgetAccount,
): ReservedPeriods | undefined {
  for (const { periods } of reservations) {
    const reserved = periods.find((one) => one.account === account)
    if (reserved) return reserved
  }
  return undefined
}

function covers(limit: BudgetLimit, { day, month }: BudgetFigures, nanoUsd: number): boolean {
  const { perDayNanoUsd, perMonthNanoUsd } = limit
  return hasLeft(day, perDayNanoUsd, nanoUsd) && hasLeft(month, perMonthNanoUsd, nanoUsd)
}

function hasLeft(
  { spentNanoUsd, reservedNanoUsd }: BudgetPeriod,
  limitNanoUsd: number | null,
  nanoUsd: number,
): boolean {
  return limitNanoUsd === null || spentNanoUsd + reservedNanoUsd + nanoUsd <= limitNanoUsd
}

/** Taken when a read of the ledger starts, which includes exactly the rows appended, and so settled, before. */
function copyOf({ day, month }: BudgetFigures): BudgetFigures {
  return { day: { ...day }, month: { ...month } }
}

function addReserved({ periods }: Reservation, nanoUsd: number): void {
  for (const { day, month } of periods) {
    day.reservedNanoUsd += nanoUsd
    month.reservedNanoUsd += nanoUsd
  }
}
