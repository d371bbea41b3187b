import type { Database } from 'better-sqlite3'

/** A router's routing settings besides its strategy, as JSON; missing fields use the defaults. */
export function routerRouting(db: Database): void {
  db.exec(
    "ALTER TABLE routers ADD COLUMN routing TEXT NOT NULL DEFAULT '{}' CHECK (json_valid(routing))",
  )
}
