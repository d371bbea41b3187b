import type { Database } from 'better-sqlite3'

/** Daily and monthly budgets of routers and keys, and a router's burst limit; NULL means none. */
export function limits(db: Database): void {
  db.exec(`
    ALTER TABLE routers ADD COLUMN requests_per_minute INTEGER;
    ALTER TABLE routers ADD COLUMN budget_day_nano_usd INTEGER;
    ALTER TABLE routers ADD COLUMN budget_month_nano_usd INTEGER;
    ALTER TABLE api_keys ADD COLUMN budget_day_nano_usd INTEGER;
    ALTER TABLE api_keys ADD COLUMN budget_month_nano_usd INTEGER;
  `)
}
