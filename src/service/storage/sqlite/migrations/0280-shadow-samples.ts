import type { Database } from 'better-sqlite3'

/** Shadow samples with their money by day. */
export function shadowSamples(db: Database): void {
  db.exec(`
    CREATE TABLE shadow_days (
      router_id TEXT NOT NULL,
      day TEXT NOT NULL,
      spent_nano_usd INTEGER NOT NULL DEFAULT 0,
      failed INTEGER NOT NULL DEFAULT 0,
      dropped INTEGER NOT NULL DEFAULT 0,
      over_cap INTEGER NOT NULL DEFAULT 0,
      PRIMARY KEY (router_id, day)
    ) STRICT, WITHOUT ROWID;

    CREATE TABLE shadow_samples (
      id TEXT PRIMARY KEY NOT NULL,
      router_id TEXT NOT NULL,
      at_ms INTEGER NOT NULL,
      judge TEXT NOT NULL,
      reading TEXT NOT NULL CHECK (json_valid(reading)),
      outcome TEXT NOT NULL CHECK (json_valid(outcome))
    ) STRICT;

    CREATE INDEX shadow_samples_by_router ON shadow_samples (router_id, at_ms, id);
  `)
}
