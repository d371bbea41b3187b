/**
 * The tables of SQLite's schema of version 360, in PostgreSQL's types; those of requests are in the next step. JSON stays
 * text, so that it is read as it was written. Texts are compared byte by byte, as SQLite does, whatever the language of
 * the database is.
 */
export const initial = `
  CREATE TABLE conversations (
    id TEXT COLLATE "C" PRIMARY KEY,
    title TEXT COLLATE "C" NOT NULL,
    router_id TEXT COLLATE "C",
    created_at_ms BIGINT NOT NULL,
    updated_at_ms BIGINT NOT NULL,
    agent TEXT COLLATE "C",
    seq BIGINT GENERATED ALWAYS AS IDENTITY
  );

  CREATE TABLE judged_prompts (
    id TEXT COLLATE "C" PRIMARY KEY,
    router_id TEXT COLLATE "C" NOT NULL,
    at_ms DOUBLE PRECISION NOT NULL,
    reading TEXT COLLATE "C" NOT NULL,
    kind TEXT COLLATE "C",
    error_rate DOUBLE PRECISION NOT NULL
  );

  CREATE TABLE routers (
    id TEXT COLLATE "C" PRIMARY KEY,
    name TEXT COLLATE "C" NOT NULL,
    strategy TEXT COLLATE "C" NOT NULL,
    models TEXT COLLATE "C" NOT NULL,
    tier TEXT COLLATE "C" NOT NULL,
    daily_limit BIGINT,
    created_at_ms BIGINT NOT NULL,
    updated_at_ms BIGINT NOT NULL,
    cache_ttl_seconds BIGINT,
    time_limits TEXT COLLATE "C" NOT NULL DEFAULT '{}',
    hedge TEXT COLLATE "C",
    requests_per_minute BIGINT,
    budget_day_nano_usd BIGINT,
    budget_month_nano_usd BIGINT,
    routing TEXT COLLATE "C" NOT NULL DEFAULT '{}'
  );

  CREATE TABLE tuning_runs (
    id TEXT COLLATE "C" PRIMARY KEY,
    router_id TEXT COLLATE "C" NOT NULL,
    state TEXT COLLATE "C" NOT NULL CHECK (state IN ('running', 'stopped', 'done')),
    stopped_by TEXT COLLATE "C",
    message TEXT COLLATE "C",
    created_at_ms BIGINT NOT NULL,
    ended_at_ms BIGINT,
    resumed_at_ms BIGINT NOT NULL,
    ended_before_resume BIGINT NOT NULL,
    setup TEXT COLLATE "C" NOT NULL,
    result TEXT COLLATE "C",
    cap_nano_usd BIGINT NOT NULL,
    spent_nano_usd BIGINT NOT NULL DEFAULT 0,
    reserved_nano_usd BIGINT NOT NULL DEFAULT 0,
    is_stop_wanted BIGINT NOT NULL DEFAULT 0 CHECK (is_stop_wanted IN (0, 1)),
    lease_holder TEXT COLLATE "C" NOT NULL,
    lease_expires_at_ms BIGINT NOT NULL
  );

  CREATE TABLE agent_versions (
    slug TEXT COLLATE "C" NOT NULL,
    version BIGINT NOT NULL,
    source TEXT COLLATE "C" NOT NULL,
    created_at_ms BIGINT NOT NULL,
    PRIMARY KEY (slug, version)
  );

  CREATE TABLE agents (
    slug TEXT COLLATE "C" PRIMARY KEY,
    version BIGINT NOT NULL,
    created_at_ms BIGINT NOT NULL
  );

  CREATE TABLE api_keys (
    id TEXT COLLATE "C" PRIMARY KEY,
    sha256 TEXT COLLATE "C" NOT NULL UNIQUE,
    hint TEXT COLLATE "C" NOT NULL,
    name TEXT COLLATE "C" NOT NULL,
    environment TEXT COLLATE "C" NOT NULL,
    routers TEXT COLLATE "C" NOT NULL,
    accept_any_model BIGINT NOT NULL,
    metrics BIGINT NOT NULL,
    created_at_ms BIGINT NOT NULL,
    last_used_at_ms BIGINT,
    expires_at_ms BIGINT,
    revoked_at_ms BIGINT,
    explain BIGINT NOT NULL DEFAULT 0,
    keep_alive BIGINT NOT NULL DEFAULT 1,
    budget_day_nano_usd BIGINT,
    budget_month_nano_usd BIGINT,
    rotated_from_id TEXT COLLATE "C",
    tag TEXT COLLATE "C"
  );

  CREATE TABLE configuration_version (
    id BIGINT PRIMARY KEY CHECK (id = 1),
    version BIGINT NOT NULL
  );

  CREATE TABLE feedback_counts (
    model TEXT COLLATE "C" NOT NULL,
    topic TEXT COLLATE "C" NOT NULL,
    good DOUBLE PRECISION NOT NULL,
    bad DOUBLE PRECISION NOT NULL,
    difficulty DOUBLE PRECISION NOT NULL DEFAULT 0,
    PRIMARY KEY (model, topic)
  );

  CREATE TABLE feedback_labels (
    given_on TEXT COLLATE "C" NOT NULL,
    aspect TEXT COLLATE "C" NOT NULL,
    request_id TEXT COLLATE "C" NOT NULL,
    model TEXT COLLATE "C" NOT NULL,
    at_ms DOUBLE PRECISION NOT NULL,
    label DOUBLE PRECISION NOT NULL,
    weight DOUBLE PRECISION NOT NULL,
    shares TEXT COLLATE "C" NOT NULL,
    difficulty DOUBLE PRECISION NOT NULL DEFAULT -1,
    PRIMARY KEY (given_on, aspect, request_id)
  );

  CREATE TABLE feedback_version (
    id BIGINT PRIMARY KEY CHECK (id = 1),
    version BIGINT NOT NULL
  );

  CREATE TABLE judged_answers (
    prompt_id TEXT COLLATE "C" NOT NULL REFERENCES judged_prompts (id) ON DELETE CASCADE,
    model TEXT COLLATE "C" NOT NULL,
    start_logit DOUBLE PRECISION NOT NULL,
    grade DOUBLE PRECISION,
    PRIMARY KEY (prompt_id, model)
  );

  CREATE TABLE judged_version (
    id BIGINT PRIMARY KEY CHECK (id = 1),
    version BIGINT NOT NULL
  );

  CREATE TABLE listed_models (
    provider_id TEXT COLLATE "C" PRIMARY KEY,
    names TEXT COLLATE "C" NOT NULL
  );

  CREATE TABLE messages (
    position BIGINT GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    id TEXT COLLATE "C" NOT NULL UNIQUE,
    conversation_id TEXT COLLATE "C" NOT NULL REFERENCES conversations (id) ON DELETE CASCADE,
    role TEXT COLLATE "C" NOT NULL,
    text TEXT COLLATE "C" NOT NULL,
    created_at_ms BIGINT NOT NULL,
    state TEXT COLLATE "C" NOT NULL,
    error TEXT COLLATE "C",
    request_id TEXT COLLATE "C",
    model_used TEXT COLLATE "C",
    cost_nano_usd BIGINT,
    latency_ms DOUBLE PRECISION,
    carbon_grams DOUBLE PRECISION,
    router_decision TEXT COLLATE "C",
    agent_meta TEXT COLLATE "C",
    set_aside BIGINT NOT NULL DEFAULT 0 CHECK (set_aside IN (0, 1)),
    fallback TEXT COLLATE "C",
    error_detail TEXT COLLATE "C",
    router_id TEXT COLLATE "C"
  );

  CREATE TABLE model_statistics (
    model TEXT COLLATE "C" PRIMARY KEY,
    statistics TEXT COLLATE "C" NOT NULL
  );

  CREATE TABLE models (
    id TEXT COLLATE "C" PRIMARY KEY,
    input_nano_usd_per_mtok BIGINT NOT NULL,
    output_nano_usd_per_mtok BIGINT NOT NULL,
    context_tokens BIGINT,
    max_output_tokens BIGINT,
    capabilities TEXT COLLATE "C" NOT NULL,
    quality DOUBLE PRECISION,
    energy_wh_per_ktok DOUBLE PRECISION,
    region TEXT COLLATE "C",
    refuses TEXT COLLATE "C"
  );

  CREATE TABLE providers (
    id TEXT COLLATE "C" PRIMARY KEY,
    type TEXT COLLATE "C" NOT NULL,
    base_url TEXT COLLATE "C",
    private_network BIGINT NOT NULL,
    options TEXT COLLATE "C" NOT NULL,
    created_at_ms BIGINT NOT NULL,
    key_revision BIGINT NOT NULL DEFAULT 0
  );

  CREATE TABLE router_changes (
    position BIGINT GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    router_id TEXT COLLATE "C" NOT NULL REFERENCES routers (id) ON DELETE CASCADE,
    at_ms BIGINT NOT NULL,
    fields TEXT COLLATE "C" NOT NULL
  );

  CREATE TABLE settings (
    name TEXT COLLATE "C" PRIMARY KEY,
    value TEXT COLLATE "C" NOT NULL
  );

  CREATE TABLE shadow_days (
    router_id TEXT COLLATE "C" NOT NULL,
    day TEXT COLLATE "C" NOT NULL,
    spent_nano_usd BIGINT NOT NULL DEFAULT 0,
    failed BIGINT NOT NULL DEFAULT 0,
    dropped BIGINT NOT NULL DEFAULT 0,
    over_cap BIGINT NOT NULL DEFAULT 0,
    PRIMARY KEY (router_id, day)
  );

  CREATE TABLE shadow_samples (
    id TEXT COLLATE "C" PRIMARY KEY,
    router_id TEXT COLLATE "C" NOT NULL,
    at_ms BIGINT NOT NULL,
    judge TEXT COLLATE "C" NOT NULL,
    reading TEXT COLLATE "C" NOT NULL,
    outcome TEXT COLLATE "C" NOT NULL
  );

  CREATE TABLE signal_counts (
    model TEXT COLLATE "C" NOT NULL,
    topic TEXT COLLATE "C" NOT NULL,
    good DOUBLE PRECISION NOT NULL,
    bad DOUBLE PRECISION NOT NULL,
    difficulty DOUBLE PRECISION NOT NULL,
    PRIMARY KEY (model, topic)
  );

  CREATE TABLE tuning_prompts (
    run_id TEXT COLLATE "C" NOT NULL REFERENCES tuning_runs (id) ON DELETE CASCADE,
    position BIGINT NOT NULL,
    reading TEXT COLLATE "C" NOT NULL,
    outcome TEXT COLLATE "C",
    is_graded BIGINT NOT NULL DEFAULT 0 CHECK (is_graded IN (0, 1)),
    PRIMARY KEY (run_id, position)
  );

  CREATE TABLE tuning_requests (
    run_id TEXT COLLATE "C" NOT NULL REFERENCES tuning_runs (id) ON DELETE CASCADE,
    key TEXT COLLATE "C" NOT NULL,
    position BIGINT NOT NULL,
    state TEXT COLLATE "C" NOT NULL CHECK (state IN ('sent', 'answered', 'failed', 'lost')),
    reserved_nano_usd BIGINT NOT NULL,
    cost_nano_usd BIGINT NOT NULL,
    PRIMARY KEY (run_id, key)
  );

  CREATE TABLE tuning_texts (
    run_id TEXT COLLATE "C" NOT NULL REFERENCES tuning_runs (id) ON DELETE CASCADE,
    position BIGINT NOT NULL,
    key TEXT COLLATE "C" NOT NULL,
    text TEXT COLLATE "C" NOT NULL,
    PRIMARY KEY (run_id, position, key)
  );

  CREATE INDEX feedback_labels_by_model ON feedback_labels (model);

  CREATE INDEX judged_answers_by_model ON judged_answers (model);

  CREATE INDEX messages_by_conversation ON messages (conversation_id, position);

  CREATE INDEX messages_streaming ON messages (state) WHERE state = 'streaming';

  CREATE INDEX router_changes_by_router ON router_changes (router_id, at_ms);

  CREATE INDEX shadow_samples_by_router ON shadow_samples (router_id, at_ms, id);

  INSERT INTO configuration_version (id, version) VALUES (1, 0);

  INSERT INTO feedback_version (id, version) VALUES (1, 0);

  INSERT INTO judged_version (id, version) VALUES (1, 0);

  CREATE FUNCTION notify_configuration() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
      PERFORM pg_notify('modelport_configuration', NEW.version::text);
      RETURN NULL;
    END
  $$;
  CREATE TRIGGER configuration_changed AFTER UPDATE ON configuration_version
    FOR EACH ROW EXECUTE FUNCTION notify_configuration();
`
