import type { Database } from 'better-sqlite3'

/** A rotated key and its successor spend one budget; null for a key that replaced none. */
export function keyRotation(db: Database): void {
  db.exec('ALTER TABLE api_keys ADD COLUMN rotated_from_id TEXT')
}
