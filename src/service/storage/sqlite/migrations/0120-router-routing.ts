import type { Database } from 'better-sqlite3'

/** How a router's model is chosen, beyond its strategy's name, as JSON; what is left out is the default. */
export function routerRouting(db: Database): void {
  db.exec(
    "ALTER TABLE routers ADD COLUMN routing TEXT NOT NULL DEFAULT '{}' CHECK (json_valid(routing))",
  )
}
