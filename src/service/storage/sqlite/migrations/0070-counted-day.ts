import type { Database } from 'better-sqlite3'

/**
 * The day that each router currently counts. Before, it was the latest day ever counted: after a clock far
 * ahead was corrected, requests were still counted on a future day.
 */
export function countedDay(db: Database): void {
  db.exec(`
    CREATE TABLE quota_current (
      router_id TEXT PRIMARY KEY,
      day       TEXT NOT NULL
    ) STRICT;
    INSERT INTO quota_current (router_id, day)
      SELECT router_id, max(day) FROM quota_days GROUP BY router_id;
  `)
}
