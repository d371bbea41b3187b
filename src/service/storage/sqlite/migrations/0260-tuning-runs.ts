import type { Database } from 'better-sqlite3'

/** Tuning runs with their money, their prompts and their requests. */
export function tuningRuns(db: Database): void {
  db.exec(`
    CREATE TABLE tuning_runs (
      id TEXT PRIMARY KEY NOT NULL,
      router_id TEXT NOT NULL,
      state TEXT NOT NULL CHECK (state IN ('running', 'stopped', 'done')),
      stopped_by TEXT,
      message TEXT,
      created_at_ms INTEGER NOT NULL,
      ended_at_ms INTEGER,
      resumed_at_ms INTEGER NOT NULL,
      ended_before_resume INTEGER NOT NULL,
      setup TEXT NOT NULL CHECK (json_valid(setup)),
      result TEXT CHECK (json_valid(result)),
      cap_nano_usd INTEGER NOT NULL,
      spent_nano_usd INTEGER NOT NULL DEFAULT 0,
      reserved_nano_usd INTEGER NOT NULL DEFAULT 0,
      is_stop_wanted INTEGER NOT NULL DEFAULT 0 CHECK (is_stop_wanted IN (0, 1)),
      lease_holder TEXT NOT NULL,
      lease_expires_at_ms INTEGER NOT NULL
    ) STRICT;

    CREATE TABLE tuning_prompts (
      run_id TEXT NOT NULL REFERENCES tuning_runs (id) ON DELETE CASCADE,
      position INTEGER NOT NULL,
      reading TEXT NOT NULL CHECK (json_valid(reading)),
      outcome TEXT CHECK (json_valid(outcome)),
      is_graded INTEGER NOT NULL DEFAULT 0 CHECK (is_graded IN (0, 1)),
      PRIMARY KEY (run_id, position)
    ) STRICT, WITHOUT ROWID;

    CREATE TABLE tuning_requests (
      run_id TEXT NOT NULL REFERENCES tuning_runs (id) ON DELETE CASCADE,
      key TEXT NOT NULL,
      position INTEGER NOT NULL,
      state TEXT NOT NULL CHECK (state IN ('sent', 'answered', 'failed', 'lost')),
      reserved_nano_usd INTEGER NOT NULL,
      cost_nano_usd INTEGER NOT NULL,
      PRIMARY KEY (run_id, key)
    ) STRICT, WITHOUT ROWID;

    CREATE TABLE tuning_texts (
      run_id TEXT NOT NULL REFERENCES tuning_runs (id) ON DELETE CASCADE,
      position INTEGER NOT NULL,
      key TEXT NOT NULL,
      text TEXT NOT NULL CHECK (json_valid(text)),
      PRIMARY KEY (run_id, position, key)
    ) STRICT, WITHOUT ROWID;
  `)
}
