import type { Database } from 'better-sqlite3'

/** The process that runs an execution, and the end of its lease; NULL for earlier executions. */
export function executionLeases(db: Database): void {
  db.exec(`
    ALTER TABLE executions ADD COLUMN lease_holder TEXT;
    ALTER TABLE executions ADD COLUMN lease_expires_at_ms INTEGER;
  `)
}
