/** Which routers learn from the grades of a run: docs/decisions/2026-11-28-apply-to.md. */

/** A run without a row applies to all routers. `run_id` is also `shadow-…`, so it refers to no table. */
const sqlite = `
  CREATE TABLE applied_runs (
    run_id TEXT PRIMARY KEY NOT NULL,
    applies_to TEXT NOT NULL CHECK (applies_to IN ('router', 'none'))
  ) STRICT;
`

const postgres = `
  CREATE TABLE applied_runs (
    run_id TEXT COLLATE "C" PRIMARY KEY,
    applies_to TEXT COLLATE "C" NOT NULL CHECK (applies_to IN ('router', 'none'))
  );
`

export const appliedRuns = { version: 60, readableFrom: 10, sqlite, postgres }
