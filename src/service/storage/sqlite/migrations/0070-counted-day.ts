import type { Database } from 'better-sqlite3'

/**
 * The day each router counts on now. It was the latest one counted, so that after a clock far ahead was
 * put right everything went on counting on a day of the future.
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
