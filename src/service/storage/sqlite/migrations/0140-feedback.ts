import type { Database } from 'better-sqlite3'

/**
 * Feedback on answers, by request, and its sums as of one fixed time (`storage/feedback-decay.ts`). It holds
 * numbers and names only, never a word of a prompt.
 */
export function feedback(db: Database): void {
  db.exec(`
    CREATE TABLE feedback_labels (
      given_on TEXT NOT NULL,
      aspect TEXT NOT NULL,
      request_id TEXT NOT NULL,
      model TEXT NOT NULL,
      at_ms REAL NOT NULL,
      label REAL NOT NULL,
      weight REAL NOT NULL,
      shares TEXT NOT NULL CHECK (json_valid(shares)),
      PRIMARY KEY (given_on, aspect, request_id)
    ) STRICT, WITHOUT ROWID;
    CREATE INDEX feedback_labels_by_model ON feedback_labels (model);
    CREATE TABLE feedback_counts (
      model TEXT NOT NULL,
      domain TEXT NOT NULL,
      good REAL NOT NULL,
      bad REAL NOT NULL,
      PRIMARY KEY (model, domain)
    ) STRICT, WITHOUT ROWID;
    CREATE TABLE feedback_version (
      id INTEGER PRIMARY KEY CHECK (id = 1),
      version INTEGER NOT NULL
    ) STRICT;
    INSERT INTO feedback_version (id, version) VALUES (1, 0);
  `)
}
