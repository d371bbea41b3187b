import type { BudgetAlert } from '../../../shared/routers/budget-alert.ts'
import type { BudgetAlertStore } from '../budget-alert-store.ts'
import type { Sql } from './sql.ts'

/** Two months and some days, so that a month's alerts outlive the month. */
const keptMs = 70 * 86_400_000

export function openBudgetAlerts(sql: Sql): BudgetAlertStore {
  const insert = sql.prepare<Record<string, string | number>>(`
    INSERT INTO budget_alerts
      (id, owner_kind, owner_id, per, start_ms, level, created_at_ms, is_waiting, alert)
    VALUES (:id, :ownerKind, :ownerId, :per, :startMs, :level, :createdAtMs, :isWaiting, :alert)
    ON CONFLICT (owner_kind, owner_id, per, start_ms, level) DO NOTHING`)
  const prune = sql.prepare<[number]>('DELETE FROM budget_alerts WHERE created_at_ms < ?')
  const selectWaiting = sql
    .prepare<[number], string>(
      'SELECT alert FROM budget_alerts WHERE is_waiting = 1 AND created_at_ms >= ? ORDER BY created_at_ms, level',
    )
    .pluck()
  const settle = sql.prepare<[string]>('UPDATE budget_alerts SET is_waiting = 0 WHERE id = ?')

  return {
    async add(alert: BudgetAlert, isWaiting: boolean) {
      const { id, owner, period, level, createdAtMs } = alert
      await prune.run(createdAtMs - keptMs)
      const { changes } = await insert.run({
        id,
        ownerKind: owner.kind,
        ownerId: owner.id,
        per: period.per,
        startMs: period.startMs,
        level,
        createdAtMs,
        isWaiting: isWaiting ? 1 : 0,
        alert: JSON.stringify(alert),
      })
      return changes === 1
    },
    async waiting(sinceMs: number) {
      const texts = await selectWaiting.all(sinceMs)
      // Checked boundary: only `add` writes this column.
      return texts.map((text) => JSON.parse(text) as BudgetAlert)
    },
    async settle(id: string) {
      await settle.run(id)
    },
  }
}
