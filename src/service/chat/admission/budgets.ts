/**
 * Budgets of routers and keys, exact to the nano-dollar under any concurrency: before a request is sent, its highest
 * possible cost is reserved in every budget that applies, and its actual cost replaces the reservation when it ends.
 * Storage has the sums (`BudgetStore`); while they cannot be read, only free requests are sent.
 */
import type { Budget } from '../../../shared/routers/budget.ts'
import type { ChatRequest } from '../../../shared/chat/chat.ts'
import type { RequestRecord, Router } from '../../../shared/entities.ts'
import type { DecisionRecord } from '../../../shared/requests/detail.ts'
import type { ServiceError } from '../../errors.ts'
import type { BudgetOwner, BudgetStore } from '../../storage/budget-store.ts'
import type { Allowance } from './allowance.ts'
import {
  exceeded,
  leftIn,
  limitOfAllowance,
  limitsOf,
  notKnown,
  unknownContext,
  wordsFor,
  type Limit,
  type OwnedBudget,
} from './budget-limits.ts'
import { paceOf } from './budget-pace.ts'
import type { ChatCall, Plan } from '../chat-call.ts'
import { RequestMoney } from './request-money.ts'
import {
  costFactorsOf,
  fund,
  fundTiers,
  keepLeast,
  type FundedTiers,
  type FundingResult,
} from './reservation.ts'

export interface BudgetsOptions {
  store: BudgetStore
  /** The key's current budget; null for an unknown key. */
  budgetOfKey(apiKeyId: string): KeyBudget | null
  /** Called for each request that the budgets do not cover, also for one that an agent's own budget refuses. */
  onRefused(refusal: BudgetRefusal): void
  now(): number
}

/** A request that was refused, and the smallest remaining budget that would have covered it. */
export interface BudgetRefusal {
  routerId: string
  apiKeyId: string | null
  neededNanoUsd: number
}

interface KeyBudget {
  budget: Budget
  /** The key and its rotations, the original key first: they share one budget. */
  keyIds: readonly string[]
}

/** Attempts to reserve while other services change the same budgets. */
const maxAttempts = 10

/** The part of a request that its limits are about. */
export interface LimitedCall extends Pick<
  ChatCall,
  'requestId' | 'router' | 'apiKeyId' | 'step' | 'original'
> {
  /** Null for embeddings. */
  body: ChatRequest | null
  /** Start of the request: its cost counts in the day and month of this time, as its row does. */
  startedAtMs: number
}

/** A reservation in the budgets of an agent. */
interface AllowedMoney {
  nanoUsd: number
  allowances: readonly Allowance[]
}

interface FundedPlan {
  plan: Plan
  nanoUsd: number
  /** Highest cost of one answer, by model. */
  most: ReadonlyMap<string, number>
}

/** The plan within the budgets, and the money for it. */
export interface ReservedPlan {
  plan: Plan
  money: RequestMoney
}

export class Budgets {
  readonly #options: BudgetsOptions
  /** Reservations in the budgets of a request's agent, by request id. */
  readonly #allowed = new Map<string, readonly AllowedMoney[]>()

  constructor(options: BudgetsOptions) {
    this.#options = options
  }

  /** Whether any budget applies; without one, requests skip this class. */
  applyTo({ router, apiKeyId, step }: Pick<LimitedCall, 'router' | 'apiKeyId' | 'step'>): boolean {
    if (step !== undefined || hasBudget(router)) return true
    return apiKeyId !== null && hasBudget(this.#options.budgetOfKey(apiKeyId)?.budget ?? null)
  }

  /**
   * The router's spending so far divided by the spending that an even rate allows, for the tighter of its budgets.
   * Above 1 the router is ahead.
   * @returns null without a budget, and until this process knows the earlier spending
   */
  paceOf(router: Router): number | null {
    const nowMs = this.#options.now()
    const figures = this.#options.store.known(routerOwner(router.id), nowMs)
    return figures === null ? null : paceOf(figures, router, nowMs)
  }

  /**
   * Reserves the highest possible cost of any candidate that fits the budgets.
   * @returns the plan without the candidates that do not fit
   * @throws ServiceError budget_exceeded when none fits; storage_unavailable
   */
  async reserve(call: LimitedCall, plan: Plan): Promise<ReservedPlan> {
    const funded = await this.#setAside(call, () => this.#fund(call, plan))
    if (funded === null) throw this.#refuse(call, plan)
    const { nanoUsd, most } = funded
    const more = (missingNanoUsd: number) => this.#reserveMore(call, missingNanoUsd)
    return { plan: funded.plan, money: new RequestMoney({ nanoUsd, most, more }) }
  }

  /** @returns whether the budgets cover further money for a request in progress; false also when they cannot be read */
  async #reserveMore(call: LimitedCall, nanoUsd: number): Promise<boolean> {
    const fits = () => Math.min(...this.#limitsOf(call).map(leftIn)) >= nanoUsd
    const reserved = this.#setAside(call, () => (fits() ? { nanoUsd } : null))
    return (await reserved.catch(() => null)) !== null
  }

  /** @param calculate  with the figures as they are known; null when the budgets do not cover it */
  async #setAside<Funded extends { nanoUsd: number }>(
    call: LimitedCall,
    calculate: () => Funded | null,
  ): Promise<Funded | null> {
    for (let attempt = 1; attempt <= maxAttempts; attempt += 1) {
      await this.#readUnknown(call)
      const funded = calculate()
      if (funded === null) {
        // Other services may have returned reservations since the last read.
        if (attempt > 1) return null
      } else if (await this.#tryReserve(call, funded.nanoUsd)) return funded
      // Another service reserved in the meantime: read the remaining budget again.
      await this.#read(this.#budgetsOf(call))
    }
    throw notKnown(null)
  }

  /** Releases the reservation of a request that is not sent after all. */
  release(requestId: string): void {
    this.#releaseAllowed(requestId)
    void this.#options.store.release(requestId)
  }

  /**
   * Replaces the request's reservation by its cost. Call it for every row, right before it is appended. An allowance's
   * owner counts its own spending.
   */
  settle({ id, routerId, apiKeyId, costNanoUsd }: RequestRecord): void {
    this.#releaseAllowed(id)
    const owners = [routerOwner(routerId)]
    if (apiKeyId !== null)
      owners.push(keyOwner(this.#options.budgetOfKey(apiKeyId)?.keyIds ?? [apiKeyId]))
    const nowMs = this.#options.now()
    void this.#options.store.settle({ requestId: id, owners, costNanoUsd, nowMs })
  }

  /** @returns null when the budgets cover no candidate */
  #fund(call: LimitedCall, plan: Plan): FundedPlan | null {
    const limits = this.#limitsOf(call)
    const left = Math.min(...limits.map(leftIn))
    const factors = costFactorsOf(call, plan.prompt)
    const fundings = plan.ranked.map(({ candidate }) => fund(candidate, factors, left))
    const amounts = fundings.flatMap((one) => (one.isFunded ? [one.nanoUsd] : []))
    if (amounts.length === 0) return null
    // For the most expensive candidate, because a fallback may reach it.
    const forAnswer = Math.max(...amounts)
    const forTiers = fundTiers(plan.tiers ?? [], factors, left - forAnswer)
    const { most } = forTiers
    for (const [place, { candidate }] of plan.ranked.entries())
      keepLeast(most, candidate.modelId, fundings[place]?.nanoUsd ?? 0)
    return {
      // Before the reservation, because the plan states the remaining budget.
      plan: withFundedTiers(narrow(plan, fundings, limits), forTiers),
      nanoUsd: forAnswer + forTiers.nanoUsd,
      most,
    }
  }

  #refuse(call: LimitedCall, plan: Plan): ServiceError {
    const limits = this.#limitsOf(call)
    const left = Math.min(...limits.map(leftIn))
    const factors = costFactorsOf(call, plan.prompt)
    const needed = plan.ranked.map(({ candidate }) => fund(candidate, factors, left).nanoUsd)
    const neededNanoUsd = Math.min(...needed)
    if (neededNanoUsd === Infinity) throw unknownContext(factors, plan)
    const { router, apiKeyId } = call
    this.#options.onRefused({ routerId: router.id, apiKeyId, neededNanoUsd })
    return exceeded(limits, neededNanoUsd)
  }

  /** @returns false when storage refused, because other services used the rest */
  async #tryReserve(call: LimitedCall, nanoUsd: number): Promise<boolean> {
    if (nanoUsd === 0) return true
    const { requestId, startedAtMs: nowMs } = call
    const allowances = call.step?.allowances ?? []
    // Before the wait, so that other steps of the execution see the reservation.
    const taken = { nanoUsd, allowances }
    this.#allow(requestId, taken)
    const limits = this.#budgetsOf(call).map(toStoreLimit)
    try {
      if (await this.#options.store.reserve({ requestId, nanoUsd, limits, nowMs })) return true
    } catch (cause) {
      this.#releaseAllowed(requestId, taken)
      throw notKnown(cause)
    }
    this.#releaseAllowed(requestId, taken)
    return false
  }

  #limitsOf(call: LimitedCall): Limit[] {
    const nowMs = this.#options.now()
    const limits = (call.step?.allowances ?? []).map(limitOfAllowance)
    for (const one of this.#budgetsOf(call)) {
      const figures = this.#options.store.known(one.owner, nowMs)
      if (figures === null) throw notKnown(null)
      limits.push(...limitsOf(one, figures))
    }
    return limits
  }

  /** Reads spending until all of it is known, because a budget can be added during a read. */
  async #readUnknown(call: LimitedCall): Promise<void> {
    const unknown = () =>
      this.#budgetsOf(call).filter(
        ({ owner }) => this.#options.store.known(owner, this.#options.now()) === null,
      )
    for (let missing = unknown(); missing.length > 0; missing = unknown()) {
      await this.#read(missing)
    }
  }

  async #read(owned: readonly OwnedBudget[]): Promise<void> {
    const nowMs = this.#options.now()
    try {
      await Promise.all(owned.map(({ owner }) => this.#options.store.read(owner, nowMs)))
    } catch (cause) {
      throw notKnown(cause)
    }
  }

  #allow(requestId: string, taken: AllowedMoney): void {
    if (taken.allowances.length === 0) return
    this.#allowed.set(requestId, [...(this.#allowed.get(requestId) ?? []), taken])
    for (const allowance of taken.allowances) allowance.reservedNanoUsd += taken.nanoUsd
  }

  /** @param only  one of the request's reservations; absent for all of them */
  #releaseAllowed(requestId: string, only?: AllowedMoney): void {
    const allowed = this.#allowed.get(requestId)
    if (!allowed) return
    const kept = only === undefined ? [] : allowed.filter((taken) => taken !== only)
    if (kept.length === 0) this.#allowed.delete(requestId)
    else this.#allowed.set(requestId, kept)
    for (const { nanoUsd, allowances } of allowed.filter((taken) => !kept.includes(taken))) {
      for (const allowance of allowances) allowance.reservedNanoUsd -= nanoUsd
    }
  }

  #budgetsOf({ router, apiKeyId }: LimitedCall): OwnedBudget[] {
    const ofKey = apiKeyId === null ? null : this.#options.budgetOfKey(apiKeyId)
    const all: (OwnedBudget | null)[] = [
      ofKey && { owner: keyOwner(ofKey.keyIds), budget: ofKey.budget },
      { owner: routerOwner(router.id), budget: router },
    ]
    return all.filter((one) => one !== null).filter(({ budget }) => hasBudget(budget))
  }
}

function routerOwner(id: string): BudgetOwner {
  return { kind: 'router', id, spenderIds: [id] }
}

/** @param keyIds  all of them share the budget stored under the first */
function keyOwner(keyIds: readonly string[]): BudgetOwner {
  return { kind: 'key', id: keyIds[0] ?? '', spenderIds: keyIds }
}

function toStoreLimit({ owner, budget }: OwnedBudget) {
  return {
    owner,
    perDayNanoUsd: toNanoUsd(budget.budgetUsdPerDay),
    perMonthNanoUsd: toNanoUsd(budget.budgetUsdPerMonth),
  }
}

function toNanoUsd(usd: number | null): number | null {
  return usd === null ? null : Math.round(usd * 1e9)
}

function hasBudget(budget: Budget | null): boolean {
  return budget !== null && (budget.budgetUsdPerDay !== null || budget.budgetUsdPerMonth !== null)
}

/** The plan without unaffordable candidates; the same object when everything is affordable. */
function narrow(plan: Plan, fundings: readonly FundingResult[], limits: readonly Limit[]): Plan {
  if (fundings.every((one) => one.isFunded && one.outputTokens === null)) return plan
  const outputLimits = new Map<string, number>()
  const ranked: DecisionRecord['ranked'] = []
  const excluded = [...plan.record.excluded]
  for (const [index, { model, effort, position, estimate }] of plan.ranked.entries()) {
    const funding = fundings[index]
    if (!funding?.isFunded) {
      const reason = wordsFor(funding?.nanoUsd ?? 0, limits)
      excluded.push({ model, position, code: 'over_budget', reason, estimate })
      continue
    }
    const { outputTokens } = funding
    if (outputTokens !== null) outputLimits.set(model, outputTokens)
    const limited = `${outputTokens} tokens at most, because the budget does not cover more`
    const reason = outputTokens === null ? null : limited
    ranked.push({ model, ...(effort !== undefined && { effort }), position, reason, estimate })
  }
  return {
    ...plan,
    ranked: plan.ranked.filter((_, index) => fundings[index]?.isFunded),
    keepsFirst: plan.keepsFirst && fundings[0]?.isFunded === true,
    record: { ...plan.record, ranked, excluded },
    outputLimits,
  }
}

/** The plan with its affordable tiers; the same object when it has no tiers. */
function withFundedTiers(plan: Plan, { tiers, outputLimits: limits }: FundedTiers): Plan {
  if (plan.tiers === undefined) return plan
  for (const { record } of plan.tiers.filter((tier) => !tiers.includes(tier)))
    Object.assign(record, {
      outcome: 'passed_over',
      reason: 'the budget does not cover it in addition',
    })
  if (limits.size === 0) return { ...plan, tiers }
  const outputLimits = new Map(plan.outputLimits)
  for (const [model, tokens] of limits) keepLeast(outputLimits, model, tokens)
  return { ...plan, tiers, outputLimits }
}
