/** Steps of coding agents that another model was asked as well: docs/sessions.md. */

const sqlite = `
  CREATE TABLE shadow_steps (
    id TEXT PRIMARY KEY NOT NULL,
    router_id TEXT NOT NULL,
    model TEXT NOT NULL,
    session_id TEXT NOT NULL,
    api_key_id TEXT,
    at_ms INTEGER NOT NULL,
    outcome TEXT NOT NULL CHECK (json_valid(outcome))
  ) STRICT, WITHOUT ROWID;
  CREATE INDEX shadow_steps_by_router ON shadow_steps (router_id, at_ms);
  CREATE INDEX shadow_steps_by_session ON shadow_steps (session_id);
`

const postgres = `
  CREATE TABLE shadow_steps (
    id TEXT COLLATE "C" PRIMARY KEY,
    router_id TEXT COLLATE "C" NOT NULL,
    model TEXT COLLATE "C" NOT NULL,
    session_id TEXT COLLATE "C" NOT NULL,
    api_key_id TEXT COLLATE "C",
    at_ms BIGINT NOT NULL,
    outcome TEXT COLLATE "C" NOT NULL
  );
  CREATE INDEX shadow_steps_by_router ON shadow_steps (router_id, at_ms);
  CREATE INDEX shadow_steps_by_session ON shadow_steps (session_id);
`

export const shadowStepTable = { version: 90, readableFrom: 10, sqlite, postgres }
