import type { Database } from 'better-sqlite3'

/** A router's own time limits, as JSON; empty uses the defaults. */
export function routerTimeLimits(db: Database): void {
  db.exec(
    "ALTER TABLE routers ADD COLUMN time_limits TEXT NOT NULL DEFAULT '{}' CHECK (json_valid(time_limits))",
  )
}
