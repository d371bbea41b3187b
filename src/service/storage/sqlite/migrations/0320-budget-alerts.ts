import type { Database } from 'better-sqlite3'

/** Alerts about budgets: one per owner, period and level. */
export function budgetAlerts(db: Database): void {
  db.exec(`
    CREATE TABLE budget_alerts (
      id TEXT PRIMARY KEY NOT NULL,
      owner_kind TEXT NOT NULL,
      owner_id TEXT NOT NULL,
      per TEXT NOT NULL,
      start_ms INTEGER NOT NULL,
      level INTEGER NOT NULL,
      created_at_ms INTEGER NOT NULL,
      is_waiting INTEGER NOT NULL,
      alert TEXT NOT NULL CHECK (json_valid(alert)),
      UNIQUE (owner_kind, owner_id, per, start_ms, level)
    ) STRICT;
  `)
}
