/** MCP servers, their tools, and the calls of tools: docs/decisions/2026-11-29-mcp-host.md. */

/** `config`, `definition` and `approved` are forms of `shared/chat/tools.ts`; none contains a secret. */
const sqlite = `
  CREATE TABLE mcp_servers (
    id TEXT PRIMARY KEY NOT NULL,
    name TEXT NOT NULL,
    config TEXT NOT NULL CHECK (json_valid(config)),
    is_on INTEGER NOT NULL,
    added_at_ms INTEGER NOT NULL
  ) STRICT, WITHOUT ROWID;
  CREATE TABLE mcp_tools (
    server_id TEXT NOT NULL REFERENCES mcp_servers (id) ON DELETE CASCADE,
    name TEXT NOT NULL,
    position INTEGER NOT NULL,
    definition TEXT NOT NULL CHECK (json_valid(definition)),
    seal TEXT NOT NULL,
    approved_seal TEXT,
    permission TEXT NOT NULL,
    marks TEXT NOT NULL CHECK (json_valid(marks)),
    PRIMARY KEY (server_id, name)
  ) STRICT, WITHOUT ROWID;
  CREATE TABLE tool_calls (
    id TEXT PRIMARY KEY NOT NULL,
    request_id TEXT NOT NULL,
    server TEXT NOT NULL,
    tool TEXT NOT NULL,
    outcome TEXT NOT NULL,
    allowed_by TEXT,
    started_at_ms INTEGER NOT NULL,
    latency_ms REAL,
    bytes INTEGER
  ) STRICT, WITHOUT ROWID;
  CREATE INDEX tool_calls_by_request ON tool_calls (request_id, started_at_ms);
  CREATE INDEX tool_calls_by_time ON tool_calls (started_at_ms);
  ALTER TABLE messages ADD COLUMN tool_steps TEXT NOT NULL DEFAULT '[]' CHECK (json_valid(tool_steps));
`

const postgres = `
  CREATE TABLE mcp_servers (
    id TEXT COLLATE "C" PRIMARY KEY,
    name TEXT COLLATE "C" NOT NULL,
    config TEXT COLLATE "C" NOT NULL,
    is_on BIGINT NOT NULL,
    added_at_ms BIGINT NOT NULL
  );
  CREATE TABLE mcp_tools (
    server_id TEXT COLLATE "C" NOT NULL REFERENCES mcp_servers (id) ON DELETE CASCADE,
    name TEXT COLLATE "C" NOT NULL,
    position BIGINT NOT NULL,
    definition TEXT COLLATE "C" NOT NULL,
    seal TEXT COLLATE "C" NOT NULL,
    approved_seal TEXT COLLATE "C",
    permission TEXT COLLATE "C" NOT NULL,
    marks TEXT COLLATE "C" NOT NULL,
    PRIMARY KEY (server_id, name)
  );
  CREATE TABLE tool_calls (
    id TEXT COLLATE "C" PRIMARY KEY,
    request_id TEXT COLLATE "C" NOT NULL,
    server TEXT COLLATE "C" NOT NULL,
    tool TEXT COLLATE "C" NOT NULL,
    outcome TEXT COLLATE "C" NOT NULL,
    allowed_by TEXT COLLATE "C",
    started_at_ms BIGINT NOT NULL,
    latency_ms DOUBLE PRECISION,
    bytes BIGINT
  );
  CREATE INDEX tool_calls_by_request ON tool_calls (request_id, started_at_ms);
  CREATE INDEX tool_calls_by_time ON tool_calls (started_at_ms);
  ALTER TABLE messages ADD COLUMN tool_steps TEXT COLLATE "C" NOT NULL DEFAULT '[]';
`

export const mcpTables = { version: 100, readableFrom: 10, sqlite, postgres }
