import { messageTree } from './message-tree.ts'

/**
 * What later versions add to the schema of 0.2.0. Nodes of two versions run side by side during an upgrade, so a step
 * only adds. A released step is never edited: `test/releases` holds its checksum. A new table also needs a row in
 * `test/releases/sample-data.ts`.
 */
export interface SchemaStep {
  /** Multiples of ten, ascending from 20. */
  version: number
  /** Nodes of PostgreSQL that know at least this step can work with the schema after this one. */
  readableFrom: number
  /** For both engines, in SQLite's types: `inPostgres` translates it. */
  sql: string
  /** What only SQLite needs, after `sql`. */
  sqliteOnly?: string
}

export const schemaSteps: readonly SchemaStep[] = [
  messageTree,
  {
    // Requests of coding agents become steps of their sessions: docs/decisions/2026-11-28-guarded-caches.md.
    // Most requests have no session, and write to neither index.
    version: 30,
    readableFrom: 10,
    sql: `
  ALTER TABLE requests ADD COLUMN session_id TEXT;
  ALTER TABLE requests ADD COLUMN agent_id TEXT;
  ALTER TABLE requests ADD COLUMN session_step TEXT;
  CREATE INDEX requests_by_session ON requests (session_id, started_at_ms) WHERE session_id IS NOT NULL;
  CREATE INDEX requests_of_sessions ON requests (started_at_ms) WHERE session_id IS NOT NULL;
`,
  },
  {
    // Presets of conversations, and prompts to insert into a message.
    version: 40,
    readableFrom: 10,
    sql: `
  CREATE TABLE chat_presets (
    id TEXT PRIMARY KEY NOT NULL,
    name TEXT NOT NULL,
    system_prompt TEXT NOT NULL,
    parameters TEXT NOT NULL CHECK (json_valid(parameters)),
    router_id TEXT
  ) STRICT, WITHOUT ROWID;
  CREATE TABLE chat_prompts (
    id TEXT PRIMARY KEY NOT NULL,
    name TEXT NOT NULL,
    text TEXT NOT NULL
  ) STRICT, WITHOUT ROWID;
`,
  },
  {
    // Files of messages: their contents once, by their SHA-256, and which message or draft has them.
    // `attachments` is a list of `shared/chat/attachments.ts`; `data` is base64, as requests carry it.
    version: 50,
    readableFrom: 10,
    sql: `
  ALTER TABLE messages ADD COLUMN attachments TEXT NOT NULL DEFAULT '[]' CHECK (json_valid(attachments));
  ALTER TABLE drafts ADD COLUMN attachments TEXT NOT NULL DEFAULT '[]' CHECK (json_valid(attachments));
  CREATE TABLE blobs (
    sha256 TEXT PRIMARY KEY NOT NULL,
    data TEXT NOT NULL,
    text TEXT,
    added_at_ms INTEGER NOT NULL
  ) STRICT;
`,
  },
  {
    // Which routers learn from the grades of a run: docs/decisions/2026-11-28-apply-to.md.
    // A run without a row applies to all routers. `run_id` is also `shadow-…`, so it refers to no table.
    version: 60,
    readableFrom: 10,
    sql: `
  CREATE TABLE applied_runs (
    run_id TEXT PRIMARY KEY NOT NULL,
    applies_to TEXT NOT NULL CHECK (applies_to IN ('router', 'none'))
  ) STRICT;
`,
  },
  {
    // Conversations of other programs: where they come from, and what their messages had beside the text.
    // `imported` is an `ImportedPart` of `shared/chat/imports.ts`.
    version: 70,
    readableFrom: 10,
    sql: `
  ALTER TABLE conversations ADD COLUMN source TEXT;
  ALTER TABLE messages ADD COLUMN imported TEXT CHECK (imported IS NULL OR json_valid(imported));
`,
  },
  {
    // Findings, and what they are computed from: docs/decisions/2026-11-28-model-that-answered.md.
    version: 80,
    readableFrom: 10,
    sql: `
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
`,
  },
  {
    // Steps of coding agents that another model was asked as well: docs/sessions.md.
    version: 90,
    readableFrom: 10,
    sql: `
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
`,
  },
  {
    // MCP servers, their tools, and the calls of tools: docs/decisions/2026-11-29-mcp-host.md.
    // `config`, `definition` and `approved` are forms of `shared/chat/tools.ts`; none contains a secret.
    version: 100,
    readableFrom: 10,
    sql: `
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
`,
  },
  {
    // Folders of conversations, one level deep.
    version: 110,
    readableFrom: 10,
    sql: `
  CREATE TABLE chat_folders (
    id TEXT PRIMARY KEY NOT NULL,
    name TEXT NOT NULL,
    preset_id TEXT
  ) STRICT, WITHOUT ROWID;
  ALTER TABLE conversations ADD COLUMN folder_id TEXT;
`,
  },
  {
    // Messages that wait for the running answer, beside the draft of their conversation; and the sources of answers.
    // `queue` is `queueSchema`, and `sources` a list of `MessageDetail`.
    version: 120,
    readableFrom: 10,
    sql: `
  ALTER TABLE drafts ADD COLUMN queue TEXT NOT NULL DEFAULT '[]' CHECK (json_valid(queue));
  ALTER TABLE messages ADD COLUMN sources TEXT NOT NULL DEFAULT '[]' CHECK (json_valid(sources));
`,
  },
  {
    // Folders and hosts in which a tool may be called without a question: `ToolGrant` of shared/chat/tools.ts.
    version: 130,
    readableFrom: 10,
    sql: `
  ALTER TABLE mcp_tools ADD COLUMN grants TEXT NOT NULL DEFAULT '[]' CHECK (json_valid(grants));
`,
  },
  {
    // What a conversation keeps of where its instructions and its title come from, and where its answers cite their sources.
    // `preset` is `PresetCopy` of shared/chat/conversations.ts, and `citations` a list of its `Citation`. Of an older conversation it
    // is not known whether a person gave the title, so it counts as one that a person gave.
    version: 140,
    readableFrom: 10,
    sql: `
  ALTER TABLE conversations ADD COLUMN preset TEXT CHECK (preset IS NULL OR json_valid(preset));
  ALTER TABLE conversations ADD COLUMN title_source TEXT NOT NULL DEFAULT 'person';
  ALTER TABLE messages ADD COLUMN citations TEXT NOT NULL DEFAULT '[]' CHECK (json_valid(citations));
`,
  },
]
