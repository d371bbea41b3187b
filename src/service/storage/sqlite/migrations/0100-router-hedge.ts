import type { Database } from 'better-sqlite3'

/** When a router asks a second model as well, as JSON; null: never. */
export function routerHedge(db: Database): void {
  db.exec('ALTER TABLE routers ADD COLUMN hedge TEXT CHECK (json_valid(hedge))')
}
