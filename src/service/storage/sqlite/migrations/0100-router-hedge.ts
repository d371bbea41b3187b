import type { Database } from 'better-sqlite3'

/** When a router sends a request to a second model as well, as JSON; null means never. */
export function routerHedge(db: Database): void {
  db.exec('ALTER TABLE routers ADD COLUMN hedge TEXT CHECK (json_valid(hedge))')
}
