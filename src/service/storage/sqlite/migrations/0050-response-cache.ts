import type { Database } from 'better-sqlite3'

/** How long a router caches answers, and which ledger rows were answered from the cache. */
export function responseCache(db: Database): void {
  db.exec(`
    ALTER TABLE routers ADD COLUMN cache_ttl_seconds INTEGER;
    ALTER TABLE requests ADD COLUMN cached_from TEXT;`)
}
