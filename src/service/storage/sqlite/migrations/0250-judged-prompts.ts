import type { Database } from 'better-sqlite3'

/**
 * Prompts of tuning runs with the grades of each model's answer. They hold numbers and names only, never a word of
 * a prompt.
 */
export function judgedPrompts(db: Database): void {
  db.exec(`
    CREATE TABLE judged_prompts (
      id TEXT PRIMARY KEY NOT NULL,
      router_id TEXT NOT NULL,
      at_ms REAL NOT NULL,
      reading TEXT NOT NULL CHECK (json_valid(reading)),
      kind TEXT,
      error_rate REAL NOT NULL
    ) STRICT, WITHOUT ROWID;
    CREATE TABLE judged_answers (
      prompt_id TEXT NOT NULL REFERENCES judged_prompts (id) ON DELETE CASCADE,
      model TEXT NOT NULL,
      start_logit REAL NOT NULL,
      grade REAL,
      PRIMARY KEY (prompt_id, model)
    ) STRICT, WITHOUT ROWID;
    CREATE INDEX judged_answers_by_model ON judged_answers (model);
    CREATE TABLE judged_version (
      id INTEGER PRIMARY KEY CHECK (id = 1),
      version INTEGER NOT NULL
    ) STRICT;
    INSERT INTO judged_version (id, version) VALUES (1, 0);
  `)
}
