/**
 * Budgets of several nodes, exact to the nano-dollar. A node leases a part of what is left in PostgreSQL and spends it in
 * memory; a request waits for PostgreSQL only when the node's lease does not cover it. Until its
 * fence, a node that cannot reach PostgreSQL spends what it has leased. A dead node's leases count as spent until it starts again on
 * its data folder (predecessors.ts), or for 15 minutes: by then its requests are over, and its last rows are in the ledger.
 */
import { differencesOf, nameOf } from '../../budget-account.ts'
import type {
  BudgetDifference,
  BudgetFigures,
  BudgetOwner,
  BudgetStore,
  LeasedMoney,
} from '../../budget-store.ts'
import { StorageRejected } from '../../storage-errors.ts'
import type { BudgetLeases, GrantedLease, OwnedLease, OwnerView } from './budget-leases.ts'
import { Fence, type Clocks } from './fence.ts'
import { LeasedAccount, type RequestSlices } from './leased-account.ts'
import { grantSize, missingFor } from './sizes.ts'
import type { Slice } from './slice.ts'

/** How often `renew` must be called. */
export const renewalMs = 1_000
/** Delay until a renewal that `recorded` asks for. */
export const soonMs = 100
/** Time without a request after which a node returns its lease. */
const idleMs = 5_000
/** Oldest figures of a budget in use. */
const oldestFiguresMs = 5_000
/** A read within this time before is recent enough, also for a refusal. */
const freshMs = 100
/** Grants that one reservation waits for before its caller reads the figures again. */
const maxGrants = 3

export interface LeasedBudgetsOptions extends Clocks {
  /** This process, unlike any other that uses the database. */
  process: string
  /** Runs each work in a transaction of its own. @throws StorageUnavailable */
  run<Result>(work: (leases: BudgetLeases) => Promise<Result>): Promise<Result>
}

interface Part extends RequestSlices {
  account: LeasedAccount
}

interface Reservation {
  nanoUsd: number
  parts: readonly Part[]
}

/** A cost whose row is not in the ledger yet. */
interface Settlement {
  owners: readonly BudgetOwner[]
  nanoUsd: number
  nowMs: number
  slices: Slice[]
}

/** Reservations that wait for the same grant. */
interface Waiting {
  needs: number[]
  slices: Set<Slice>
}

interface NextGrant extends Waiting {
  outcome: Promise<boolean>
}

export class LeasedBudgets implements BudgetStore {
  readonly #options: LeasedBudgetsOptions
  readonly #fence: Fence
  readonly #accounts = new Map<string, LeasedAccount>()
  /** Reservations by request, in the order in which they were made. */
  readonly #reservations = new Map<string, readonly Reservation[]>()
  readonly #settlements = new Map<string, Settlement>()
  readonly #nextGrants = new Map<LeasedAccount, NextGrant>()
  /** This process, as the holder of leases; null until it needs one. */
  #holder: string | null = null
  #holders = 0
  #registering: Promise<void> | null = null

  constructor(options: LeasedBudgetsOptions) {
    this.#options = options
    this.#fence = new Fence(options)
  }

  known(owner: BudgetOwner, nowMs: number): BudgetFigures | null {
    const account = this.#accounts.get(nameOf(owner))
    if (!account || account.lacks(owner)) return null
    account.advanceTo(nowMs)
    return account.figures
  }

  async read(owner: BudgetOwner, nowMs: number): Promise<void> {
    const account = this.#accountOf(owner, nowMs)
    account.advanceTo(nowMs)
    await account.exclusive(async () => {
      const isFresh = this.#options.clock() - account.readAtMs < freshMs
      if (!isFresh || account.figures === null) await this.#read(account)
    })
  }

  async reserve(request: Parameters<BudgetStore['reserve']>[0]): Promise<boolean> {
    const { requestId, nanoUsd, limits, nowMs } = request
    for (let grants = 0; grants <= maxGrants; grants += 1) {
      const parts: Part[] = []
      for (const limit of limits) {
        const account = this.#accounts.get(nameOf(limit.owner))
        if (!account?.isRead) return false
        account.usedAtMs = this.#options.clock()
        parts.push({ account, ...account.slicesAt(nowMs) })
        account.setLimits(limit)
      }
      const short = parts.filter(({ all }) => !all.every((slice) => slice.covers(nanoUsd)))
      if (short.length === 0 && (limits.length === 0 || this.#fence.isOpen)) {
        const earlier = this.#reservations.get(requestId) ?? []
        this.#reservations.set(requestId, [...earlier, { nanoUsd, parts }])
        addReserved(parts, nanoUsd)
        return true
      }
      await this.#beHolder()
      const granted = await Promise.all(short.map((part) => this.#grant(part, nanoUsd)))
      if (granted.includes(false)) return false
    }
    return false
  }

  release(requestId: string): Promise<void> {
    this.#release(requestId)
    return Promise.resolve()
  }

  settle(settlement: Parameters<BudgetStore['settle']>[0]): Promise<void> {
    const { requestId, owners, costNanoUsd, nowMs } = settlement
    const reserved = this.#release(requestId).flatMap(({ parts }) => parts)
    if (costNanoUsd === 0) return Promise.resolve()
    const slices = owners.flatMap((owner) => {
      const account = this.#accounts.get(nameOf(owner))
      const part = reserved.find((one) => one.account === account)
      // A request without a reservation began before there was a budget.
      return part?.own ?? account?.slicesAt(nowMs).own ?? []
    })
    for (const slice of slices) slice.addCost(costNanoUsd)
    this.#settlements.set(requestId, { owners, nanoUsd: costNanoUsd, nowMs, slices })
    return Promise.resolve()
  }

  /**
   * Call it once the ledger has the row of a settled request.
   * @returns whether to renew soon, so that other nodes do not count the cost twice
   */
  recorded(requestId: string): boolean {
    const settlement = this.#settlements.get(requestId)
    if (!settlement) return false
    this.#settlements.delete(requestId)
    for (const slice of settlement.slices) slice.recordCost(settlement.nanoUsd)
    return settlement.slices.some(({ isOverstated }) => isOverstated)
  }

  async differences(nowMs: number): Promise<BudgetDifference[]> {
    const compared = [...this.#accounts.values()].map((account) =>
      account.exclusive(async () => {
        account.advanceTo(nowMs)
        const { owner, sinceMs, recordedFigures: recorded } = account
        const query = { holder: this.#holder ?? '', owner, sinceMs }
        const { costs } = await this.#options.run((leases) => leases.view(query))
        const all = recorded === null ? [] : differencesOf(owner, recorded, costs)
        return all.filter(({ budgetNanoUsd, rowsNanoUsd }) => budgetNanoUsd > rowsNanoUsd)
      }),
    )
    return (await Promise.all(compared)).flat()
  }

  /**
   * Extends the node's leases and returns the parts that it does not need.
   * @throws StorageUnavailable
   */
  async renew(): Promise<void> {
    if (this.#holder === null) return
    const nowMs = this.#options.clock()
    const idle = [...this.#accounts.values()].filter(({ isBusy }) => !isBusy)
    for (const account of idle) {
      const isIdle = nowMs - account.usedAtMs >= idleMs
      for (const slice of account.slices) slice.trim(isIdle || !account.isCurrent(slice))
      account.removeOld()
    }
    const changed = idle.filter((account) => [...account.slices].some(({ isStored }) => !isStored))
    await this.#store(this.#holder, changed)
    const old = idle.filter(
      ({ usedAtMs, readAtMs }) => nowMs - usedAtMs < idleMs && nowMs - readAtMs > oldestFiguresMs,
    )
    await Promise.all(old.map((account) => account.exclusive(() => this.#read(account))))
  }

  /** Returns all leases at an orderly stop, after the last row. */
  async close(): Promise<void> {
    const holder = this.#holder
    this.#holder = null
    if (holder !== null) await this.#options.run((leases) => leases.remove(holder))
  }

  get leased(): LeasedMoney {
    if (!this.#fence.isOpen) return { budgets: 0, nanoUsd: 0 }
    const held = [...this.#accounts.values()].flatMap(({ slices }) =>
      Math.max(0, ...[...slices].map(({ heldNanoUsd }) => heldNanoUsd)),
    )
    return {
      budgets: held.filter((nanoUsd) => nanoUsd > 0).length,
      nanoUsd: held.reduce((sum, nanoUsd) => sum + nanoUsd, 0),
    }
  }

  #accountOf(owner: BudgetOwner, nowMs: number): LeasedAccount {
    const name = nameOf(owner)
    const existing = this.#accounts.get(name)
    if (existing?.lacks(owner)) existing.extendTo(owner)
    if (existing) return existing
    const account = new LeasedAccount(owner, nowMs)
    this.#accounts.set(name, account)
    // Their rows may reach the ledger after the account's first read.
    for (const settlement of this.#settlements.values()) {
      if (!settlement.owners.some((one) => nameOf(one) === name)) continue
      const { own } = account.slicesAt(settlement.nowMs)
      for (const slice of own) slice.addCost(settlement.nanoUsd)
      settlement.slices.push(...own)
    }
    return account
  }

  #release(requestId: string): readonly Reservation[] {
    const reservations = this.#reservations.get(requestId) ?? []
    this.#reservations.delete(requestId)
    for (const { parts, nanoUsd } of reservations) addReserved(parts, -nanoUsd)
    return reservations
  }

  async #read(account: LeasedAccount): Promise<void> {
    const { owner, sinceMs } = account
    const holder = this.#holder ?? ''
    const finish = account.beginReading()
    const readAtMs = this.#options.clock()
    finish(await this.#options.run((leases) => leases.view({ holder, owner, sinceMs })))
    account.readAtMs = readAtMs
  }

  /** @returns false when the budget does not cover even the smallest of the reservations that wait */
  #grant({ account, all }: Part, nanoUsd: number): Promise<boolean> {
    const next = this.#nextGrants.get(account)
    if (next) {
      next.needs.push(nanoUsd)
      for (const slice of all) next.slices.add(slice)
      return next.outcome
    }
    const waiting: Waiting = { needs: [nanoUsd], slices: new Set(all) }
    const outcome = account.exclusive(() => {
      this.#nextGrants.delete(account)
      return this.#runGrant(account, waiting)
    })
    this.#nextGrants.set(account, { ...waiting, outcome })
    return outcome
  }

  async #runGrant(account: LeasedAccount, { slices, needs }: Waiting): Promise<boolean> {
    const { owner, sinceMs } = account
    const holder = this.#holder ?? ''
    const finish = account.beginReading()
    const readAtMs = this.#options.clock()
    let grants: Grant[] = []
    const decide = (view: OwnerView) => {
      finish(view)
      account.readAtMs = readAtMs
      grants = grantsFor([...slices], needs)
      return grants.map(toLease)
    }
    try {
      const isHolder = await this.#options.run((leases) =>
        leases.grant({ holder, owner, sinceMs }, decide),
      )
      if (!isHolder) {
        await this.#replaceHolder(holder)
        return true
      }
    } catch (error) {
      // A node recorded more than it had reserved in the meantime.
      if (error instanceof StorageRejected) return false
      throw error
    }
    // The leases ended since.
    if (this.#holder !== holder) return true
    for (const { slice, nanoUsd, storedNanoUsd } of grants) {
      slice.granted(nanoUsd)
      slice.stored(storedNanoUsd)
    }
    return grants.length > 0
  }

  /** @throws StorageUnavailable */
  async #beHolder(): Promise<void> {
    if (this.#fence.isOpen) return
    this.#registering ??= this.#register().finally(() => (this.#registering = null))
    await this.#registering
  }

  async #register(): Promise<void> {
    if (this.#holder !== null) return this.#store(this.#holder, [])
    const holder = `${this.#options.process}.${(this.#holders += 1)}`
    const renewed = this.#fence.begin()
    const leases = leasesOf([...this.#accounts.values()])
    await this.#options.run((store) =>
      store.register(
        holder,
        leases.map(({ lease }) => lease),
      ),
    )
    for (const { slice, lease } of leases) slice.stored(lease.nanoUsd)
    this.#holder = holder
    renewed()
  }

  /** Extends the leases and stores those of some accounts. */
  async #store(holder: string, accounts: readonly LeasedAccount[]): Promise<void> {
    const renewed = this.#fence.begin()
    const leases = leasesOf(accounts)
    for (const { slice } of leases) slice.storing()
    const write = this.#options.run((store) =>
      store.renew(
        holder,
        leases.map(({ lease }) => lease),
      ),
    )
    // No grant of these accounts may run at the same time.
    for (const account of accounts) account.exclusive(() => write).catch(() => null)
    if (!(await write)) return this.#replaceHolder(holder)
    if (this.#holder !== holder) return
    for (const { slice, lease } of leases) slice.stored(lease.nanoUsd)
    renewed()
  }

  /**
   * The leases ended while this node could not renew them. What it still needs for its requests is leased again, whatever
   * the limit, because it will be spent.
   */
  async #replaceHolder(lost: string): Promise<void> {
    if (this.#holder === lost) {
      this.#holder = null
      for (const account of this.#accounts.values())
        for (const slice of account.slices) {
          slice.stored(0)
          slice.trim(true)
        }
    }
    this.#registering ??= this.#register().finally(() => (this.#registering = null))
    await this.#registering
  }
}

interface Grant {
  slice: Slice
  nanoUsd: number
  /** The whole lease. */
  storedNanoUsd: number
}

/** A request needs money in every period, so nothing is granted unless all of them cover the smallest reservation. */
function grantsFor(slices: readonly Slice[], needs: readonly number[]): Grant[] {
  const limited = slices.filter(({ limitNanoUsd }) => limitNanoUsd !== null)
  const sizes = new Map(limited.map((slice) => [slice, grantSize(slice.rest, needs)]))
  if ([...sizes.values()].includes(null)) return []
  const largest = Math.max(0, ...[...sizes.values()].map((size) => size ?? 0))
  return slices.map((slice) => {
    const nanoUsd = sizes.get(slice) ?? Math.max(largest, missingFor(needs, slice.rest.freeNanoUsd))
    return { slice, nanoUsd, storedNanoUsd: slice.heldNanoUsd + nanoUsd }
  })
}

function toLease({ slice, nanoUsd, storedNanoUsd }: Grant): GrantedLease {
  slice.storing()
  const { period, startMs, limitNanoUsd, ledgerNanoUsd } = slice
  const limit =
    limitNanoUsd === null || nanoUsd === 0
      ? null
      : { nanoUsd: limitNanoUsd, spentNanoUsd: ledgerNanoUsd }
  return { period, startMs, nanoUsd: storedNanoUsd, limit }
}

/** The leases as they should be stored. */
function leasesOf(accounts: readonly LeasedAccount[]): { slice: Slice; lease: OwnedLease }[] {
  return accounts.flatMap(({ owner, slices }) =>
    [...slices].map((slice) => {
      const { period, startMs, heldNanoUsd: nanoUsd } = slice
      return { slice, lease: { owner, period, startMs, nanoUsd } }
    }),
  )
}

function addReserved(parts: readonly Part[], nanoUsd: number): void {
  for (const { all } of parts) for (const slice of all) slice.addReserved(nanoUsd)
}
