import type { Database } from 'better-sqlite3'

/** The detail of a request as JSON: attempts, decision, price and bounds. */
export function requestDetail(db: Database): void {
  db.exec('ALTER TABLE requests ADD COLUMN detail TEXT')
}
