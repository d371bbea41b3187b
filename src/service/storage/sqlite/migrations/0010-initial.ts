import type { Database } from 'better-sqlite3'

/**
 * The first schema. Lists that are always read and written whole (a router's models, a key's routers) are JSON
 * columns. Money is integer nano-dollars; a price is nano-dollars per million tokens, so that USD 0.0375 per
 * million is exact. Booleans are 0 and 1, times Unix milliseconds.
 */
export function initial(db: Database): void {
  db.exec(schema)
}

const schema = `
  CREATE TABLE configuration_version (
    id INTEGER PRIMARY KEY CHECK (id = 1),
    version INTEGER NOT NULL
  ) STRICT;
  INSERT INTO configuration_version (id, version) VALUES (1, 0);

  CREATE TABLE providers (
    id TEXT PRIMARY KEY NOT NULL,
    type TEXT NOT NULL,
    base_url TEXT,
    private_network INTEGER NOT NULL,
    options TEXT NOT NULL CHECK (json_valid(options)),
    created_at_ms INTEGER NOT NULL
  ) STRICT;

  CREATE TABLE listed_models (
    provider_id TEXT PRIMARY KEY NOT NULL,
    names TEXT NOT NULL CHECK (json_valid(names))
  ) STRICT;

  CREATE TABLE models (
    id TEXT PRIMARY KEY NOT NULL,
    input_nano_usd_per_mtok INTEGER NOT NULL,
    output_nano_usd_per_mtok INTEGER NOT NULL,
    context_tokens INTEGER NOT NULL,
    max_output_tokens INTEGER,
    capabilities TEXT NOT NULL CHECK (json_valid(capabilities)),
    quality REAL,
    energy_wh_per_ktok REAL,
    region TEXT
  ) STRICT;

  CREATE TABLE routers (
    id TEXT PRIMARY KEY NOT NULL,
    name TEXT NOT NULL,
    strategy TEXT NOT NULL,
    models TEXT NOT NULL CHECK (json_valid(models)),
    tier TEXT NOT NULL,
    daily_limit INTEGER,
    created_at_ms INTEGER NOT NULL,
    updated_at_ms INTEGER NOT NULL
  ) STRICT;

  CREATE TABLE api_keys (
    id TEXT PRIMARY KEY NOT NULL,
    sha256 TEXT NOT NULL UNIQUE,
    hint TEXT NOT NULL,
    name TEXT NOT NULL,
    environment TEXT NOT NULL,
    routers TEXT NOT NULL CHECK (json_valid(routers)),
    accept_any_model INTEGER NOT NULL,
    metrics INTEGER NOT NULL,
    created_at_ms INTEGER NOT NULL,
    last_used_at_ms INTEGER,
    expires_at_ms INTEGER,
    revoked_at_ms INTEGER
  ) STRICT;

  CREATE TABLE settings (
    name TEXT PRIMARY KEY NOT NULL,
    value TEXT NOT NULL CHECK (json_valid(value))
  ) STRICT;

  CREATE TABLE quota_days (
    router_id TEXT NOT NULL,
    day TEXT NOT NULL,
    used INTEGER NOT NULL,
    PRIMARY KEY (router_id, day)
  ) STRICT, WITHOUT ROWID;

  CREATE TABLE requests (
    id TEXT PRIMARY KEY NOT NULL,
    router_id TEXT NOT NULL,
    api_key_id TEXT,
    source TEXT NOT NULL,
    started_at_ms INTEGER NOT NULL,
    status INTEGER NOT NULL,
    error_code TEXT,
    model_used TEXT,
    router_decision TEXT NOT NULL,
    is_streamed INTEGER NOT NULL,
    attempts INTEGER NOT NULL,
    reported_prompt_tokens INTEGER,
    reported_completion_tokens INTEGER,
    estimated_prompt_tokens INTEGER,
    estimated_completion_tokens INTEGER,
    cost_nano_usd INTEGER NOT NULL,
    latency_ms REAL NOT NULL,
    first_token_ms REAL,
    carbon_grams REAL NOT NULL
  ) STRICT;
  -- Holds every column the charts need, so that they never read the rows themselves.
  CREATE INDEX requests_by_router ON requests (
    router_id, started_at_ms, model_used, status, cost_nano_usd, latency_ms, carbon_grams
  );
  CREATE INDEX requests_by_time ON requests (started_at_ms);

  CREATE TABLE conversations (
    id TEXT PRIMARY KEY NOT NULL,
    title TEXT NOT NULL,
    router_id TEXT,
    created_at_ms INTEGER NOT NULL,
    updated_at_ms INTEGER NOT NULL
  ) STRICT;

  -- position orders a thread even where the clock was set back between two messages.
  CREATE TABLE messages (
    position INTEGER PRIMARY KEY,
    id TEXT NOT NULL UNIQUE,
    conversation_id TEXT NOT NULL REFERENCES conversations (id) ON DELETE CASCADE,
    role TEXT NOT NULL,
    text TEXT NOT NULL,
    created_at_ms INTEGER NOT NULL,
    state TEXT NOT NULL,
    error TEXT,
    request_id TEXT,
    model_used TEXT,
    cost_nano_usd INTEGER,
    latency_ms REAL,
    carbon_grams REAL,
    router_decision TEXT
  ) STRICT;
  CREATE INDEX messages_by_conversation ON messages (conversation_id, position);
  CREATE INDEX messages_streaming ON messages (state) WHERE state = 'streaming';
`
