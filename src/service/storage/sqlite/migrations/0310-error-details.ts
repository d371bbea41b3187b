import type { Database } from 'better-sqlite3'

/** The provider's own words about a failed answer of the chat window. */
export function errorDetails(db: Database): void {
  db.exec('ALTER TABLE messages ADD COLUMN error_detail TEXT')
}
