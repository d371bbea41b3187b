import type { Database } from 'better-sqlite3'

/** Refused requests: counts by time and kind, and the newest ones. */
export function refusals(db: Database): void {
  db.exec(`
    CREATE TABLE refusal_kinds (
      id INTEGER PRIMARY KEY,
      api_key_id TEXT NOT NULL,
      router_id TEXT NOT NULL,
      code TEXT NOT NULL,
      door TEXT NOT NULL,
      UNIQUE (api_key_id, router_id, code, door)
    ) STRICT;

    CREATE TABLE refusal_counts (
      length_ms INTEGER NOT NULL,
      start_ms INTEGER NOT NULL,
      kind_id INTEGER NOT NULL REFERENCES refusal_kinds (id),
      refusals INTEGER NOT NULL,
      PRIMARY KEY (length_ms, start_ms, kind_id)
    ) STRICT, WITHOUT ROWID;

    CREATE TABLE newest_refusals (
      id TEXT PRIMARY KEY NOT NULL,
      at_ms INTEGER NOT NULL,
      kind_id INTEGER NOT NULL REFERENCES refusal_kinds (id)
    ) STRICT, WITHOUT ROWID;
  `)
}
