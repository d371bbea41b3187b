/**
 * The limits that may refuse a well-formed request: first the burst limit, then the budgets, last the
 * daily limit, so that a refused request is never counted there. When a later limit refuses, what the
 * earlier ones reserved is released.
 */
import { isFree } from '../../catalog/cost.ts'
import { ServiceError } from '../../errors.ts'
import type { Budgets, LimitedCall, ReservedPlan } from './budgets.ts'
import type { Burst } from './burst.ts'
import type { Plan } from '../chat-call.ts'
import { quotaHeaders, type Quota, type QuotaState } from './quota.ts'

interface LimitsOptions {
  burst: Burst
  budgets: Budgets
  quota: Pick<Quota, 'state' | 'take'>
}

/** One request counted by the burst limit, and its reservation. */
export interface LimitsLease {
  plan: Plan
  /** Null without a budget. */
  money: ReservedPlan['money'] | null
  /** Returns the place of a request that is not sent after all. */
  release(): void
}

export class Limits {
  readonly #options: LimitsOptions

  constructor(options: LimitsOptions) {
    this.#options = options
  }

  /** Whether a limit applies. Most routers and keys have neither a burst limit nor a budget. */
  applyTo(call: Pick<LimitedCall, 'router' | 'apiKeyId' | 'step'>): boolean {
    return call.router.requestsPerMinute !== null || this.#options.budgets.applyTo(call)
  }

  /** Whether the request spends a budget, so that its highest cost must be known. */
  haveBudget(call: Pick<LimitedCall, 'router' | 'apiKeyId' | 'step'>): boolean {
    return this.#options.budgets.applyTo(call)
  }

  /** @throws ServiceError rate_limit_exceeded, budget_exceeded, storage_unavailable */
  async take(call: LimitedCall, plan: Plan): Promise<LimitsLease> {
    let takenAtMs: number | null = null
    try {
      takenAtMs = call.step?.isCounted === true ? null : this.#options.burst.take(call.router)
      const funded = await this.#fund(call, plan)
      return { ...funded, release: () => this.#release(call, takenAtMs) }
    } catch (error) {
      this.#release(call, takenAtMs)
      throw await this.#withHeaders(error, call)
    }
  }

  /**
   * Counts a request that is answered without a model and costs nothing.
   * @throws ServiceError rate_limit_exceeded, daily_limit_exceeded, storage_unavailable
   */
  async countFree(call: Omit<LimitedCall, 'startedAtMs'>): Promise<QuotaState | null> {
    let takenAtMs: number | null = null
    try {
      takenAtMs = this.#options.burst.take(call.router)
    } catch (error) {
      throw await this.#withHeaders(error, call)
    }
    try {
      return await this.#options.quota.take(call.router)
    } catch (error) {
      this.#release(call, takenAtMs)
      throw error
    }
  }

  #release(
    { router, requestId }: Pick<LimitedCall, 'router' | 'requestId'>,
    takenAtMs: number | null,
  ): void {
    const { burst, budgets } = this.#options
    if (takenAtMs !== null) burst.giveBack(router.id, takenAtMs)
    budgets.release(requestId)
  }

  async #fund(call: LimitedCall, plan: Plan): Promise<Pick<LimitsLease, 'plan' | 'money'>> {
    const { budgets } = this.#options
    if (!budgets.applyTo(call) || plan.ranked.every(({ candidate }) => isFree(candidate.price))) {
      return { plan, money: null }
    }
    return await budgets.reserve(call, plan)
  }

  /** Adds the headers of the daily limit, which every routed answer has. */
  async #withHeaders(error: unknown, { router }: Pick<LimitedCall, 'router'>): Promise<unknown> {
    if (!(error instanceof ServiceError)) return error
    const state = await this.#options.quota.state(router)
    if (state === null) return error
    const { code, message, headers, cause } = error
    return new ServiceError(code, message, {
      headers: { ...quotaHeaders(state), ...headers },
      cause,
    })
  }
}
