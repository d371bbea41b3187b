import type { Database } from 'better-sqlite3'

/** Parameters a user says a model refuses, as JSON; null: as the catalogue has it. */
export function refusedParameters(db: Database): void {
  db.exec('ALTER TABLE models ADD COLUMN refuses TEXT CHECK (json_valid(refuses))')
}
