import type { BudgetAlert } from '../../shared/routers/budget-alert.ts'

/** Alerts about budgets: one per owner, period and level, also after a restart. */
export interface BudgetAlertStore {
  /**
   * Stores the alert unless there is one of this owner, period and level. Alerts of periods that ended long ago are
   * deleted.
   * @param isWaiting  whether it is to be delivered
   * @returns whether it is new
   */
  add(alert: BudgetAlert, isWaiting: boolean): Promise<boolean>
  /** Alerts to deliver that were created since then, the oldest first. */
  waiting(sinceMs: number): Promise<BudgetAlert[]>
  /** Ends the wait: the alert was delivered, or given up. */
  settle(id: string): Promise<void>
}
