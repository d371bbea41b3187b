/** Watches the budgets of routers and keys, and alerts once per level and period. */
import { budgetLevels, type BudgetAlert } from '../../shared/routers/budget-alert.ts'
import type { Budget } from '../../shared/routers/budget.ts'
import type { BudgetAlertStore } from '../storage/budget-alert-store.ts'
import type { BudgetFigures } from '../storage/budget-store.ts'

/** A router or a key with a budget, and its figures. */
export interface WatchedBudget {
  owner: BudgetAlert['owner']
  budget: Budget
  figures: BudgetFigures
}

export interface BudgetAlertsOptions {
  store: Pick<BudgetAlertStore, 'add'>
  /** Whether new alerts are to be delivered. */
  isDelivered(): boolean
  /** Called with the new alerts of one budget and period, the lowest level first. */
  onAlerts(alerts: readonly BudgetAlert[]): void
  onError(error: unknown): void
  newId(): string
  now(): number
}

export class BudgetAlerts {
  readonly #options: BudgetAlertsOptions
  /** Levels of current periods that are stored or being stored, so that not every request asks the database. */
  readonly #stored = new Map<string, number>()
  #storing: Promise<void> = Promise.resolve()

  constructor(options: BudgetAlertsOptions) {
    this.#options = options
  }

  /**
   * Called with the budgets of each request that finished or that budgets refused.
   * @param neededNanoUsd  for a refused request, the smallest remaining budget that would have covered it
   */
  check(budgets: readonly WatchedBudget[], neededNanoUsd = 0): void {
    for (const budget of budgets) {
      const reached = reachedAlerts(budget, neededNanoUsd, this.#options)
      const news = reached.filter((alert) => this.#isNew(alert))
      if (news.length > 0) this.#storing = this.#storing.then(() => this.#store(news))
    }
  }

  /** Resolves when all alerts are stored. */
  close(): Promise<void> {
    return this.#storing
  }

  #isNew(alert: BudgetAlert): boolean {
    const key = keyOf(alert)
    if (this.#stored.get(key) === alert.period.startMs) return false
    this.#stored.set(key, alert.period.startMs)
    return true
  }

  #forget(alert: BudgetAlert): void {
    const key = keyOf(alert)
    if (this.#stored.get(key) === alert.period.startMs) this.#stored.delete(key)
  }

  async #store(alerts: readonly BudgetAlert[]): Promise<void> {
    const { store, isDelivered, onAlerts, onError } = this.#options
    const added: BudgetAlert[] = []
    for (const alert of alerts) {
      try {
        if (await store.add(alert, isDelivered())) added.push(alert)
      } catch (error) {
        // The next request tries again.
        this.#forget(alert)
        onError(error)
      }
    }
    for (const per of ['day', 'month'] as const) {
      const ofPeriod = added.filter(({ period }) => period.per === per)
      if (ofPeriod.length > 0) onAlerts(ofPeriod)
    }
  }
}

function keyOf({ owner, period, level }: BudgetAlert): string {
  return `${owner.kind} ${owner.id} ${period.per} ${level}`
}

/** Percentage from which a budget that does not cover a request is used up; below it, the request is too large. */
const nearlyUsedUp = 80

/** The alerts of all levels that the spending has reached. A budget of 0 has no levels. */
function reachedAlerts(
  { owner, budget, figures }: WatchedBudget,
  neededNanoUsd: number,
  { newId, now }: Pick<BudgetAlertsOptions, 'newId' | 'now'>,
): BudgetAlert[] {
  const limits = [
    { per: 'day', limitUsd: budget.budgetUsdPerDay, ...figures.day },
    { per: 'month', limitUsd: budget.budgetUsdPerMonth, ...figures.month },
  ] as const
  return limits.flatMap(({ per, limitUsd, startMs, endMs, spentNanoUsd }) => {
    if (limitUsd === null || limitUsd === 0) return []
    const usedUsd = spentNanoUsd / 1e9
    // Without the reservations, because requests in progress can cost less than they reserved.
    const isRefusing = Math.round(limitUsd * 1e9) - spentNanoUsd < neededNanoUsd
    const hasReached = (level: number) => usedUsd >= (limitUsd * level) / 100
    return budgetLevels
      .filter((level) => hasReached(level === 100 && isRefusing ? nearlyUsedUp : level))
      .map((level) => ({
        id: newId(),
        owner,
        level,
        usedUsd,
        limitUsd,
        period: { per, startMs, endMs },
        createdAtMs: now(),
      }))
  })
}
