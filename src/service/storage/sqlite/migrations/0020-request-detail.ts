import type { Database } from 'better-sqlite3'

/** What is known of a request beyond its figures: attempts, decision, price and bounds, as JSON. */
export function requestDetail(db: Database): void {
  db.exec('ALTER TABLE requests ADD COLUMN detail TEXT')
}
