import type { Database } from 'better-sqlite3'

/** Answers of the chat window from another model than the router's first choice. */
export function messageFallbacks(db: Database): void {
  db.exec('ALTER TABLE messages ADD COLUMN fallback TEXT CHECK (json_valid(fallback))')
}
