import type { Database } from 'better-sqlite3'

/**
 * Agents with all their versions, executions, and the step of each request. An execution's row is in no
 * roll-up, because its cost is in the rows of its steps.
 */
export function agents(db: Database): void {
  db.exec(`
    CREATE TABLE agents (
      slug TEXT PRIMARY KEY NOT NULL,
      version INTEGER NOT NULL,
      created_at_ms INTEGER NOT NULL
    ) STRICT;

    -- The text as it was written. What was removed and made again goes on counting.
    CREATE TABLE agent_versions (
      slug TEXT NOT NULL,
      version INTEGER NOT NULL,
      source TEXT NOT NULL,
      created_at_ms INTEGER NOT NULL,
      PRIMARY KEY (slug, version)
    ) STRICT, WITHOUT ROWID;

    -- state is running, done, failed or interrupted; NULL is not known (yet).
    CREATE TABLE executions (
      id TEXT PRIMARY KEY NOT NULL,
      agent TEXT NOT NULL,
      agent_version INTEGER NOT NULL,
      router_id TEXT NOT NULL,
      api_key_id TEXT,
      source TEXT NOT NULL,
      is_streamed INTEGER NOT NULL,
      started_at_ms INTEGER NOT NULL,
      state TEXT NOT NULL,
      status INTEGER,
      error_code TEXT,
      failed_step TEXT,
      latency_ms REAL,
      steps INTEGER NOT NULL,
      cost_nano_usd INTEGER NOT NULL,
      carbon_grams REAL NOT NULL,
      models TEXT NOT NULL CHECK (json_valid(models)),
      trace TEXT NOT NULL CHECK (json_valid(trace))
    ) STRICT;
    CREATE INDEX executions_by_time ON executions (started_at_ms);
    CREATE INDEX executions_by_agent ON executions (agent, started_at_ms);
    CREATE INDEX executions_running ON executions (state) WHERE state = 'running';

    ALTER TABLE requests ADD COLUMN execution_id TEXT;
    ALTER TABLE requests ADD COLUMN step_id TEXT;
    CREATE INDEX requests_by_execution ON requests (execution_id) WHERE execution_id IS NOT NULL;
  `)
}
