import type { Database } from 'better-sqlite3'

/** Two switches of an API key: explained answers, and keep-alive comments in streams. */
export function keySwitches(db: Database): void {
  db.exec(`
    ALTER TABLE api_keys ADD COLUMN explain INTEGER NOT NULL DEFAULT 0;
    ALTER TABLE api_keys ADD COLUMN keep_alive INTEGER NOT NULL DEFAULT 1;`)
}
