import type { Database } from 'better-sqlite3'

/** What changed in a router's settings, and when, so that charts can mark these moments. */
export function routerChanges(db: Database): void {
  db.exec(`
    CREATE TABLE router_changes (
      position INTEGER PRIMARY KEY,
      router_id TEXT NOT NULL REFERENCES routers (id) ON DELETE CASCADE,
      at_ms INTEGER NOT NULL,
      fields TEXT NOT NULL CHECK (json_valid(fields))
    ) STRICT;
    CREATE INDEX router_changes_by_router ON router_changes (router_id, at_ms)`)
}
