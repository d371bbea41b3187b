import type { Database } from 'better-sqlite3'

/** How long a router gives an answer again, and which rows of the ledger were such answers. */
export function responseCache(db: Database): void {
  db.exec(`
    ALTER TABLE routers ADD COLUMN cache_ttl_seconds INTEGER;
    ALTER TABLE requests ADD COLUMN cached_from TEXT;`)
}
