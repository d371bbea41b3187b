import type { Database } from 'better-sqlite3'

/** Which process runs an execution, and until when it holds it; NULL for executions of before. */
export function executionLeases(db: Database): void {
  db.exec(`
    ALTER TABLE executions ADD COLUMN lease_holder TEXT;
    ALTER TABLE executions ADD COLUMN lease_expires_at_ms INTEGER;
  `)
}
