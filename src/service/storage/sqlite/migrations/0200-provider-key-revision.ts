import type { Database } from 'better-sqlite3'

/** Provider keys are in the keychain; the revision tells other processes that one was replaced. */
export function providerKeyRevision(db: Database): void {
  db.exec('ALTER TABLE providers ADD COLUMN key_revision INTEGER NOT NULL DEFAULT 0')
}
