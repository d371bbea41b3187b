import type { Database } from 'better-sqlite3'

/** Parameters that a model refuses, set by the user, as JSON; null uses the catalogue's. */
export function refusedParameters(db: Database): void {
  db.exec('ALTER TABLE models ADD COLUMN refuses TEXT CHECK (json_valid(refuses))')
}
