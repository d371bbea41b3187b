/** Findings, and what they are computed from: docs/decisions/2026-11-28-model-that-answered.md. */

const sqlite = `
  CREATE TABLE findings (
    id TEXT PRIMARY KEY NOT NULL,
    kind TEXT NOT NULL,
    first_at_ms INTEGER NOT NULL,
    last_at_ms INTEGER NOT NULL,
    evidence TEXT NOT NULL CHECK (json_valid(evidence)),
    request_ids TEXT NOT NULL CHECK (json_valid(request_ids)),
    dismissed_at_ms INTEGER
  ) STRICT, WITHOUT ROWID;
  CREATE TABLE evidence_documents (
    name TEXT PRIMARY KEY NOT NULL,
    value TEXT NOT NULL CHECK (json_valid(value))
  ) STRICT, WITHOUT ROWID;
`

const postgres = `
  CREATE TABLE findings (
    id TEXT COLLATE "C" PRIMARY KEY,
    kind TEXT COLLATE "C" NOT NULL,
    first_at_ms BIGINT NOT NULL,
    last_at_ms BIGINT NOT NULL,
    evidence TEXT COLLATE "C" NOT NULL,
    request_ids TEXT COLLATE "C" NOT NULL,
    dismissed_at_ms BIGINT
  );
  CREATE TABLE evidence_documents (
    name TEXT COLLATE "C" PRIMARY KEY,
    value TEXT COLLATE "C" NOT NULL
  );
`

export const findingTables = { version: 80, readableFrom: 10, sqlite, postgres }
