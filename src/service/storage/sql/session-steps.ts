/** Requests of coding agents become steps of their sessions: docs/decisions/2026-11-28-guarded-caches.md. */

/** Most requests have no session, and write to neither index. */
const indexes = `
  CREATE INDEX requests_by_session ON requests (session_id, started_at_ms) WHERE session_id IS NOT NULL;
  CREATE INDEX requests_of_sessions ON requests (started_at_ms) WHERE session_id IS NOT NULL;
`

const sqlite = `
  ALTER TABLE requests ADD COLUMN session_id TEXT;
  ALTER TABLE requests ADD COLUMN agent_id TEXT;
  ALTER TABLE requests ADD COLUMN session_step TEXT;
  ${indexes}
`

const postgres = `
  ALTER TABLE requests ADD COLUMN session_id TEXT COLLATE "C";
  ALTER TABLE requests ADD COLUMN agent_id TEXT COLLATE "C";
  ALTER TABLE requests ADD COLUMN session_step TEXT COLLATE "C";
  ${indexes}
`

export const sessionSteps = { version: 30, readableFrom: 10, sqlite, postgres }
