/**
 * Budgets of routers and keys, kept to the nano-dollar under any concurrency: before a request is
 * sent, the dearest it can become is set aside in every budget it falls under, and replaced by what it
 * cost once its row is written. Setting aside and settling are synchronous, so nothing comes between.
 * The sums live in this process (one service per data folder) and begin with the ledger's; while those
 * cannot be read nothing that costs is let through.
 */
import type { Budget } from '../../shared/budget.ts'
import type { RequestRecord, Router } from '../../shared/entities.ts'
import type { DecisionRecord } from '../../shared/request-detail.ts'
import { formatUsd } from '../../shared/format.ts'
import { ServiceError } from '../errors.ts'
import type { Ledger } from '../storage/storage.ts'
import { Account, startOfUtcMonth, type Period } from './budget-account.ts'
import type { Allowance } from './allowance.ts'
import type { ChatCall, Plan } from './chat-call.ts'
import { askOf, fund, fundTiers, type FundedTiers, type Funding } from './reservation.ts'

export interface BudgetsOptions {
  ledger: Pick<Ledger, 'costsByDay'>
  /** The key's budget as it is now; null where there is no such key. */
  budgetOfKey(apiKeyId: string): KeyBudget | null
  now(): number
}

interface KeyBudget {
  budget: Budget
  /** The key and its rotations, the first key first: together they spend one budget. */
  keyIds: readonly string[]
}

type Call = Pick<ChatCall, 'requestId' | 'router' | 'apiKeyId' | 'body' | 'step'>
type Owner = 'router' | 'key'

/** One budget a request falls under. */
interface Limit {
  /** `the key’s budget of $5.00 a day` */
  name: string
  limitNanoUsd: number
  held: Pick<Period, 'spentNanoUsd' | 'reservedNanoUsd'>
  /** Infinity where what is spent stays spent. */
  anewAtMs: number
}

/** An account with the day and month that a request began in. */
interface HeldPeriods {
  account: Account
  day: Period
  month: Period
}

/** Money set aside, and where. */
interface Reservation {
  nanoUsd: number
  periods: readonly HeldPeriods[]
  allowances: readonly Allowance[]
}

interface OwnedBudget {
  owner: Owner
  /** The account's; of rotated keys the first one's. */
  id: string
  /** Whose requests spent it. */
  spenderIds: readonly string[]
  budget: Budget
}

export class Budgets {
  readonly #options: BudgetsOptions
  readonly #accounts = new Map<string, Account>()
  /** Accounts whose past is still being read. */
  readonly #loading = new Map<string, Promise<void>>()
  readonly #reservations = new Map<string, Reservation>()

  constructor(options: BudgetsOptions) {
    this.#options = options
  }

  /** Whether any budget applies; without one a request need not know of budgets at all. */
  applyTo({ router, apiKeyId, step }: Pick<Call, 'router' | 'apiKeyId' | 'step'>): boolean {
    if (step !== undefined || hasBudget(router)) return true
    return apiKeyId !== null && hasBudget(this.#options.budgetOfKey(apiKeyId)?.budget ?? null)
  }

  /**
   * Reads what was spent before, where this process does not know it yet.
   * @returns null when everything is known: then there is nothing to wait for
   * @throws ServiceError storage_unavailable
   */
  open(call: Call): Promise<unknown> | null {
    const waits = this.#budgetsOf(call).flatMap((owned) => this.#load(owned) ?? [])
    return waits.length === 0 ? null : Promise.all(waits)
  }

  /**
   * How the router's spending keeps pace: spent over what an even pace allows by now, of the tighter of its
   * budgets. 1 is even, more is ahead.
   * @returns null without a budget, and while this process does not know what was spent before
   */
  paceOf(router: Router): number | null {
    const nowMs = this.#options.now()
    const account = this.#account('router', router.id, nowMs)
    if (account === null || this.#loading.has(`router:${router.id}`)) return null
    return account.paceOf(router, nowMs)
  }

  /**
   * Sets aside the dearest of the candidates that fit into what is left. To be called once `open` has
   * nothing to wait for.
   * @returns the plan without those that do not fit
   * @throws ServiceError budget_exceeded when none does
   */
  reserve(call: Call, plan: Plan): Plan {
    const nowMs = this.#options.now()
    const periods: HeldPeriods[] = []
    const allowances = call.step?.allowances ?? []
    const limits = allowances.map(limitOfAllowance)
    for (const owned of this.#budgetsOf(call)) {
      const account = this.#account(owned.owner, owned.id, nowMs)
      if (account === null) throw notKnown(null)
      const { day, month } = account
      periods.push({ account, day, month })
      limits.push(...limitsOf(owned, account))
    }
    const left = Math.min(...limits.map(leftIn))
    const ask = askOf(call.body, plan.record.promptTokens)
    const fundings = plan.ranked.map(({ candidate }) => fund(candidate, ask, left))
    const amounts = fundings.flatMap((one) => (one.isFunded ? [one.nanoUsd] : []))
    if (amounts.length === 0) throw exceeded(limits, fundings)
    const forAnswer = toSetAside(amounts, call.router.hedge === null ? null : left)
    const forTiers = fundTiers(plan.tiers ?? [], ask, left - forAnswer)
    const nanoUsd = forAnswer + forTiers.nanoUsd
    // Before the money is set aside: it says what was left.
    const funded = withFundedTiers(narrow(plan, fundings, limits), forTiers)
    if (nanoUsd > 0) {
      const reservation = { nanoUsd, periods, allowances }
      this.#reservations.set(call.requestId, reservation)
      addReserved(reservation, nanoUsd)
    }
    return funded
  }

  /** For a request that was not sent after all. */
  release(requestId: string): Reservation | null {
    const reservation = this.#reservations.get(requestId)
    if (!reservation) return null
    this.#reservations.delete(requestId)
    addReserved(reservation, -reservation.nanoUsd)
    return reservation
  }

  /**
   * What was set aside for the request becomes what it cost; to be told of every row. What an allowance
   * spent, its owner counts.
   */
  settle({ id, routerId, apiKeyId, costNanoUsd }: RequestRecord): void {
    const reservation = this.release(id)
    if (this.#accounts.size === 0) return
    const nowMs = this.#options.now()
    const router = this.#account('router', routerId, nowMs)
    const key = apiKeyId === null ? null : this.#account('key', this.#firstKey(apiKeyId), nowMs)
    for (const account of [router, key]) {
      if (account === null) continue
      // Without a reservation it began before there was a budget.
      const periods = reservation?.periods.find((held) => held.account === account) ?? account
      periods.day.spentNanoUsd += costNanoUsd
      periods.month.spentNanoUsd += costNanoUsd
    }
  }

  #budgetsOf({ router, apiKeyId }: Call): OwnedBudget[] {
    const ofKey = apiKeyId === null ? null : this.#options.budgetOfKey(apiKeyId)
    const all: (OwnedBudget | null)[] = [
      ofKey && {
        owner: 'key',
        id: ofKey.keyIds[0] ?? apiKeyId ?? '',
        spenderIds: ofKey.keyIds,
        budget: ofKey.budget,
      },
      { owner: 'router', id: router.id, spenderIds: [router.id], budget: router },
    ]
    return all.filter((one) => one !== null).filter(({ budget }) => hasBudget(budget))
  }

  #firstKey(apiKeyId: string): string {
    return this.#options.budgetOfKey(apiKeyId)?.keyIds[0] ?? apiKeyId
  }

  #account(owner: Owner, id: string, nowMs: number): Account | null {
    const account = this.#accounts.get(`${owner}:${id}`)
    account?.advanceTo(nowMs)
    return account ?? null
  }

  #load({ owner, id, spenderIds }: OwnedBudget): Promise<void> | null {
    const name = `${owner}:${id}`
    const loading = this.#loading.get(name)
    if (loading || this.#accounts.has(name)) return loading ?? null
    const nowMs = this.#options.now()
    const account = new Account(nowMs)
    // There before the answer is, so that requests which end meanwhile are counted: the ledger gives
    // exactly the rows handed to it before it was asked.
    this.#accounts.set(name, account)
    const sinceMs = startOfUtcMonth(nowMs)
    const { ledger } = this.#options
    const read = Promise.all(
      spenderIds.map((spenderId) => ledger.costsByDay({ owner, id: spenderId, sinceMs })),
    )
      .then((costs) => account.addHistory(costs.flat()))
      .catch((cause: unknown) => {
        this.#accounts.delete(name)
        throw notKnown(cause)
      })
      .finally(() => this.#loading.delete(name))
    this.#loading.set(name, read)
    return read
  }
}

/**
 * The dearest, because a fall-over may reach it; with a hedge two may be asked at once.
 * @param hedgedWithin  as far as there is so much; null without a hedge
 */
function toSetAside(amounts: readonly number[], hedgedWithin: number | null): number {
  const [dearest = 0, next = 0] = amounts.toSorted((a, b) => b - a)
  return hedgedWithin === null ? dearest : Math.max(dearest, Math.min(dearest + next, hedgedWithin))
}

function hasBudget(budget: Budget | null): boolean {
  return budget !== null && (budget.budgetUsdPerDay !== null || budget.budgetUsdPerMonth !== null)
}

function limitsOf({ owner, budget }: OwnedBudget, account: Account): Limit[] {
  const { budgetUsdPerDay, budgetUsdPerMonth } = budget
  const all = [
    { per: 'day', usd: budgetUsdPerDay, period: account.day },
    { per: 'month', usd: budgetUsdPerMonth, period: account.month },
  ]
  return all.flatMap(({ per, usd, period }) => {
    if (usd === null) return []
    const limitNanoUsd = Math.round(usd * 1e9)
    const name = `the ${owner}’s budget of ${inUsd(limitNanoUsd)} a ${per}`
    return [{ name, limitNanoUsd, held: period, anewAtMs: period.endMs }]
  })
}

function limitOfAllowance(allowance: Allowance): Limit {
  const { name, limitNanoUsd } = allowance
  const named = `${name} of ${inUsd(limitNanoUsd)}`
  return { name: named, limitNanoUsd, held: allowance, anewAtMs: Infinity }
}

function leftIn({ limitNanoUsd, held }: Limit): number {
  return limitNanoUsd - held.spentNanoUsd - held.reservedNanoUsd
}

function addReserved({ periods, allowances }: Reservation, nanoUsd: number): void {
  for (const { day, month } of periods) {
    day.reservedNanoUsd += nanoUsd
    month.reservedNanoUsd += nanoUsd
  }
  for (const allowance of allowances) allowance.reservedNanoUsd += nanoUsd
}

/** The plan as far as it is paid for; the very same where all of it is. */
function narrow(plan: Plan, fundings: readonly Funding[], limits: readonly Limit[]): Plan {
  if (fundings.every((one) => one.isFunded && one.outputTokens === null)) return plan
  const outputLimits = new Map<string, number>()
  const ranked: DecisionRecord['ranked'] = []
  const excluded = [...plan.record.excluded]
  for (const [index, { model, position, estimate }] of plan.ranked.entries()) {
    const funding = fundings[index]
    if (!funding?.isFunded) {
      const reason = wordsFor(funding?.nanoUsd ?? 0, limits)
      excluded.push({ model, position, code: 'over_budget', reason, estimate })
      continue
    }
    const { outputTokens } = funding
    if (outputTokens !== null) outputLimits.set(model, outputTokens)
    const limited = `${outputTokens} tokens at the most, for what its budget has left`
    ranked.push({ model, position, reason: outputTokens === null ? null : limited, estimate })
  }
  return {
    ...plan,
    ranked: plan.ranked.filter((_, index) => fundings[index]?.isFunded),
    keepsFirst: plan.keepsFirst && fundings[0]?.isFunded === true,
    record: { ...plan.record, ranked, excluded },
    outputLimits,
  }
}

/** The plan with the tiers that are paid for; the very same where it has none. */
function withFundedTiers(plan: Plan, { tiers, outputLimits: limits }: FundedTiers): Plan {
  if (plan.tiers === undefined) return plan
  for (const { record } of plan.tiers.filter((tier) => !tiers.includes(tier)))
    Object.assign(record, {
      outcome: 'passed_over',
      reason: 'its budget does not cover it as well',
    })
  if (limits.size === 0) return { ...plan, tiers }
  const outputLimits = new Map(plan.outputLimits)
  for (const [model, tokens] of limits)
    outputLimits.set(model, Math.min(tokens, outputLimits.get(model) ?? Infinity))
  return { ...plan, tiers, outputLimits }
}

function wordsFor(nanoUsd: number, limits: readonly Limit[]): string {
  const limit = tooSmall(limits, nanoUsd)
  const left = limit && `${inUsd(leftIn(limit))} is left of ${limit.name}`
  return `can cost ${inUsd(nanoUsd)}, ${left ?? 'which is not left'}`
}

function exceeded(limits: readonly Limit[], fundings: readonly Funding[]): ServiceError {
  const nanoUsd = Math.min(...fundings.map((funding) => funding.nanoUsd))
  const limit = tooSmall(limits, nanoUsd)
  const message = limit
    ? `${capitalised(limit.name)} does not cover this request: ${inUsd(leftIn(limit))} is left, the request can cost ${inUsd(nanoUsd)}.${anewIn(limit)}`
    : 'The budget does not cover this request.'
  return new ServiceError('budget_exceeded', message, { headers: { 'x-should-retry': 'false' } })
}

/** Of the budgets that stand in the way, the one that does so the longest. */
function tooSmall(limits: readonly Limit[], nanoUsd: number): Limit | undefined {
  return limits
    .filter((limit) => leftIn(limit) < nanoUsd)
    .toSorted((a, b) => byNumber(b.anewAtMs, a.anewAtMs) || leftIn(a) - leftIn(b))[0]
}

/** Infinity is equal to itself, which a difference would not say. */
function byNumber(a: number, b: number): number {
  return a === b ? 0 : a - b
}

function anewIn({ anewAtMs }: Limit): string {
  return anewAtMs === Infinity ? '' : ` It starts anew at ${isoSecond(anewAtMs)}.`
}

function inUsd(nanoUsd: number): string {
  return formatUsd(Math.max(0, nanoUsd) / 1e9)
}

function capitalised(text: string): string {
  return `${text.slice(0, 1).toUpperCase()}${text.slice(1)}`
}

function isoSecond(timeMs: number): string {
  return new Date(timeMs).toISOString().replace('.000Z', 'Z')
}

function notKnown(cause: unknown): ServiceError {
  return new ServiceError(
    'storage_unavailable',
    'What was spent cannot be read just now, so nothing is sent.',
    { cause, headers: { 'retry-after': '5' } },
  )
}
