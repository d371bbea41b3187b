CREATE TABLE schema_versions (
    version BIGINT PRIMARY KEY,
    readable_from BIGINT NOT NULL,
    migrated_at TIMESTAMPTZ NOT NULL DEFAULT now()
  );

---- What people manage ----

  -- Each rise notifies every node.
  CREATE TABLE configuration_version (
    id BIGINT PRIMARY KEY CHECK (id = 1),
    version BIGINT NOT NULL
  );
  INSERT INTO configuration_version (id, version) VALUES (1, 0);
  CREATE FUNCTION notify_configuration() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
      PERFORM pg_notify('modelport_configuration', NEW.version::text);
      RETURN NULL;
    END
  $$;
  CREATE TRIGGER configuration_changed AFTER UPDATE ON configuration_version
    FOR EACH ROW EXECUTE FUNCTION notify_configuration();

  CREATE TABLE providers (
    id TEXT COLLATE "C" PRIMARY KEY,
    type TEXT COLLATE "C" NOT NULL,
    base_url TEXT COLLATE "C",
    private_network BIGINT NOT NULL,
    options TEXT COLLATE "C" NOT NULL,
    created_at_ms BIGINT NOT NULL,
    key_revision BIGINT NOT NULL DEFAULT 0
  );

  CREATE TABLE listed_models (
    provider_id TEXT COLLATE "C" PRIMARY KEY,
    names TEXT COLLATE "C" NOT NULL
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

  CREATE TABLE router_changes (
    position BIGINT GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    router_id TEXT COLLATE "C" NOT NULL REFERENCES routers (id) ON DELETE CASCADE,
    at_ms BIGINT NOT NULL,
    fields TEXT COLLATE "C" NOT NULL
  );
  CREATE INDEX router_changes_by_router ON router_changes (router_id, at_ms);

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

  CREATE TABLE settings (
    name TEXT COLLATE "C" PRIMARY KEY,
    value TEXT COLLATE "C" NOT NULL
  );

  CREATE TABLE agents (
    slug TEXT COLLATE "C" PRIMARY KEY,
    version BIGINT NOT NULL,
    created_at_ms BIGINT NOT NULL
  );

  CREATE TABLE agent_versions (
    slug TEXT COLLATE "C" NOT NULL,
    version BIGINT NOT NULL,
    source TEXT COLLATE "C" NOT NULL,
    created_at_ms BIGINT NOT NULL,
    PRIMARY KEY (slug, version)
  );

  -- Provider keys that are encrypted outside of the database (secrets/sealed-keys.ts).
  CREATE TABLE sealed_keys (
    id TEXT COLLATE "C" PRIMARY KEY,
    text TEXT COLLATE "C" NOT NULL
  );

  -- The downloaded catalog of all nodes: one row, whose text is NULL after a return to the included catalog.
  CREATE TABLE downloaded_catalog (
    is_only BOOLEAN PRIMARY KEY DEFAULT TRUE CHECK (is_only),
    revision BIGINT NOT NULL,
    text TEXT COLLATE "C"
  );

  ---- Requests ----

  -- A partition for each UTC day: deleting a day drops a table. node is the node that stored the row; the transaction sets
  -- it. seq orders rows as they were stored.
  CREATE SEQUENCE requests_seq;
  CREATE TABLE requests (
    id TEXT COLLATE "C" NOT NULL,
    router_id TEXT COLLATE "C" NOT NULL,
    api_key_id TEXT COLLATE "C",
    source TEXT COLLATE "C" NOT NULL,
    started_at_ms BIGINT NOT NULL,
    status BIGINT NOT NULL,
    error_code TEXT COLLATE "C",
    model_used TEXT COLLATE "C",
    router_decision TEXT COLLATE "C" NOT NULL,
    is_streamed BIGINT NOT NULL,
    attempts BIGINT NOT NULL,
    reported_prompt_tokens BIGINT,
    reported_completion_tokens BIGINT,
    estimated_prompt_tokens BIGINT,
    estimated_completion_tokens BIGINT,
    cost_nano_usd BIGINT NOT NULL,
    latency_ms DOUBLE PRECISION NOT NULL,
    first_token_ms DOUBLE PRECISION,
    carbon_grams DOUBLE PRECISION NOT NULL,
    detail TEXT COLLATE "C" NOT NULL,
    cached_from TEXT COLLATE "C",
    execution_id TEXT COLLATE "C",
    step_id TEXT COLLATE "C",
    fallback_from TEXT COLLATE "C",
    fallback_reason TEXT COLLATE "C",
    tag TEXT COLLATE "C",
    node TEXT COLLATE "C" NOT NULL DEFAULT coalesce(current_setting('modelport.node', true), ''),
    seq BIGINT NOT NULL DEFAULT nextval('requests_seq'),
    PRIMARY KEY (id, started_at_ms)
  ) PARTITION BY RANGE (started_at_ms);
  CREATE INDEX requests_by_execution ON requests (execution_id) WHERE execution_id IS NOT NULL;
  CREATE INDEX requests_by_router ON requests (router_id, started_at_ms);
  CREATE INDEX requests_by_time ON requests (started_at_ms);
  CREATE INDEX requests_failed ON requests (started_at_ms) WHERE status >= 400;
  CREATE INDEX requests_of_agents ON requests (started_at_ms) WHERE execution_id IS NOT NULL;

  CREATE TABLE request_contents (
    request_id TEXT COLLATE "C" PRIMARY KEY,
    router_id TEXT COLLATE "C" NOT NULL,
    started_at_ms BIGINT NOT NULL,
    request TEXT COLLATE "C" NOT NULL,
    is_request_cut BIGINT NOT NULL,
    answer TEXT COLLATE "C",
    is_answer_cut BIGINT NOT NULL,
    seq BIGINT GENERATED ALWAYS AS IDENTITY
  );
  CREATE INDEX request_contents_by_router ON request_contents (router_id, started_at_ms);

  -- A cell has a row for each slot: each node writes to the rows of one slot, so that nodes seldom wait for each other.
  CREATE TABLE usage_rollups (
    length_ms BIGINT NOT NULL,
    start_ms BIGINT NOT NULL,
    router_id TEXT COLLATE "C" NOT NULL,
    model TEXT COLLATE "C" NOT NULL,
    api_key_id TEXT COLLATE "C" NOT NULL,
    tag TEXT COLLATE "C" NOT NULL,
    slot BIGINT NOT NULL,
    requests BIGINT NOT NULL,
    errors BIGINT NOT NULL,
    limited BIGINT NOT NULL,
    aborted BIGINT NOT NULL,
    failed BIGINT NOT NULL,
    fallbacks BIGINT NOT NULL,
    estimated BIGINT NOT NULL,
    input_tokens BIGINT NOT NULL,
    cache_read_tokens BIGINT NOT NULL,
    cache_write_tokens BIGINT NOT NULL,
    output_tokens BIGINT NOT NULL,
    reasoning_tokens BIGINT NOT NULL,
    cost_nano_usd BIGINT NOT NULL,
    carbon_nanograms BIGINT NOT NULL,
    carbon_low_nanograms BIGINT NOT NULL,
    carbon_high_nanograms BIGINT NOT NULL,
    latency_us BIGINT NOT NULL,
    latency_us_max BIGINT NOT NULL,
    first_token_us BIGINT NOT NULL,
    latency_histogram BYTEA NOT NULL,
    first_token_histogram BYTEA NOT NULL,
    PRIMARY KEY (length_ms, start_ms, router_id, model, api_key_id, tag, slot)
  );

  CREATE TABLE ledger_kept (
    id BIGINT PRIMARY KEY CHECK (id = 1),
    rows_from_ms BIGINT NOT NULL,
    minutes_from_ms BIGINT NOT NULL,
    hours_from_ms BIGINT NOT NULL
  );
  INSERT INTO ledger_kept (id, rows_from_ms, minutes_from_ms, hours_from_ms) VALUES (1, 0, 0, 0);

  CREATE TABLE refusal_kinds (
    id BIGINT GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    api_key_id TEXT COLLATE "C" NOT NULL,
    router_id TEXT COLLATE "C" NOT NULL,
    code TEXT COLLATE "C" NOT NULL,
    door TEXT COLLATE "C" NOT NULL,
    UNIQUE (api_key_id, router_id, code, door)
  );

  CREATE TABLE refusal_counts (
    length_ms BIGINT NOT NULL,
    start_ms BIGINT NOT NULL,
    kind_id BIGINT NOT NULL REFERENCES refusal_kinds (id),
    refusals BIGINT NOT NULL,
    PRIMARY KEY (length_ms, start_ms, kind_id)
  );

  CREATE TABLE newest_refusals (
    id TEXT COLLATE "C" PRIMARY KEY,
    at_ms BIGINT NOT NULL,
    kind_id BIGINT NOT NULL REFERENCES refusal_kinds (id)
  );

  -- Who used each key: programs, addresses and routers.
  CREATE TABLE key_callers (
    api_key_id TEXT COLLATE "C" NOT NULL,
    kind TEXT COLLATE "C" NOT NULL,
    value TEXT COLLATE "C" NOT NULL,
    first_at_ms BIGINT NOT NULL,
    last_at_ms BIGINT NOT NULL,
    PRIMARY KEY (api_key_id, kind, value)
  );

  -- The owner is a key or a router. A spike has an amount; a dismissed one stays as an amount that was accepted.
  CREATE TABLE unexpected_calls (
    owner_kind TEXT COLLATE "C" NOT NULL,
    owner_id TEXT COLLATE "C" NOT NULL,
    kind TEXT COLLATE "C" NOT NULL,
    first_at_ms BIGINT NOT NULL,
    last_at_ms BIGINT NOT NULL,
    value TEXT COLLATE "C",
    others BIGINT NOT NULL,
    amount DOUBLE PRECISION,
    usual DOUBLE PRECISION,
    dismissed_at_ms BIGINT,
    PRIMARY KEY (owner_id, kind)
  );

  ---- Limits ----

  CREATE TABLE quota_days (
    router_id TEXT COLLATE "C" NOT NULL,
    day TEXT COLLATE "C" NOT NULL,
    used BIGINT NOT NULL,
    PRIMARY KEY (router_id, day)
  );

  CREATE TABLE quota_current (
    router_id TEXT COLLATE "C" PRIMARY KEY,
    day TEXT COLLATE "C" NOT NULL
  );

  CREATE TABLE budget_alerts (
    id TEXT COLLATE "C" PRIMARY KEY,
    owner_kind TEXT COLLATE "C" NOT NULL,
    owner_id TEXT COLLATE "C" NOT NULL,
    per TEXT COLLATE "C" NOT NULL,
    start_ms BIGINT NOT NULL,
    level BIGINT NOT NULL,
    created_at_ms BIGINT NOT NULL,
    is_waiting BIGINT NOT NULL,
    alert TEXT COLLATE "C" NOT NULL,
    UNIQUE (owner_kind, owner_id, per, start_ms, level)
  );

  -- The running nodes that hold leases of budgets, and when these end by PostgreSQL's clock.
  CREATE TABLE lease_holders (
    id TEXT COLLATE "C" PRIMARY KEY,
    ends_at_ms BIGINT NOT NULL
  );

  CREATE TABLE budget_leases (
    kind TEXT COLLATE "C" NOT NULL CHECK (kind IN ('router', 'key')),
    owner_id TEXT COLLATE "C" NOT NULL,
    period TEXT COLLATE "C" NOT NULL CHECK (period IN ('day', 'month')),
    start_ms BIGINT NOT NULL,
    holder TEXT COLLATE "C" NOT NULL REFERENCES lease_holders (id) ON DELETE CASCADE,
    nano_usd BIGINT NOT NULL CHECK (nano_usd >= 0),
    PRIMARY KEY (kind, owner_id, period, start_ms, holder)
  );
  CREATE INDEX budget_leases_by_holder ON budget_leases (holder);

  -- The figures of each budget's latest grant; the constraint refuses a grant above the limit.
  CREATE TABLE budget_grants (
    kind TEXT COLLATE "C" NOT NULL CHECK (kind IN ('router', 'key')),
    owner_id TEXT COLLATE "C" NOT NULL,
    period TEXT COLLATE "C" NOT NULL CHECK (period IN ('day', 'month')),
    start_ms BIGINT NOT NULL,
    limit_nano_usd BIGINT NOT NULL,
    spent_nano_usd BIGINT NOT NULL,
    leased_nano_usd BIGINT NOT NULL,
    PRIMARY KEY (kind, owner_id, period),
    CHECK (spent_nano_usd + leased_nano_usd <= limit_nano_usd)
  );

  ---- Agents' runs and conversations ----

  CREATE TABLE executions (
    id TEXT COLLATE "C" PRIMARY KEY,
    agent TEXT COLLATE "C" NOT NULL,
    agent_version BIGINT NOT NULL,
    router_id TEXT COLLATE "C" NOT NULL,
    api_key_id TEXT COLLATE "C",
    source TEXT COLLATE "C" NOT NULL,
    is_streamed BIGINT NOT NULL,
    started_at_ms BIGINT NOT NULL,
    state TEXT COLLATE "C" NOT NULL,
    status BIGINT,
    error_code TEXT COLLATE "C",
    failed_step TEXT COLLATE "C",
    latency_ms DOUBLE PRECISION,
    steps BIGINT NOT NULL,
    cost_nano_usd BIGINT NOT NULL,
    carbon_grams DOUBLE PRECISION NOT NULL,
    models TEXT COLLATE "C" NOT NULL,
    trace TEXT COLLATE "C" NOT NULL,
    lease_holder TEXT COLLATE "C",
    lease_expires_at_ms BIGINT,
    seq BIGINT GENERATED ALWAYS AS IDENTITY
  );
  CREATE INDEX executions_by_agent ON executions (agent, started_at_ms);
  CREATE INDEX executions_by_time ON executions (started_at_ms);
  CREATE INDEX executions_running ON executions (state) WHERE state = 'running';

  CREATE TABLE conversations (
    id TEXT COLLATE "C" PRIMARY KEY,
    title TEXT COLLATE "C" NOT NULL,
    router_id TEXT COLLATE "C",
    created_at_ms BIGINT NOT NULL,
    updated_at_ms BIGINT NOT NULL,
    agent TEXT COLLATE "C",
    seq BIGINT GENERATED ALWAYS AS IDENTITY
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
  CREATE INDEX messages_by_conversation ON messages (conversation_id, position);
  CREATE INDEX messages_streaming ON messages (state) WHERE state = 'streaming';

  ---- What is learned: numbers and names only, never a word of a prompt ----

  CREATE TABLE model_statistics (
    model TEXT COLLATE "C" PRIMARY KEY,
    statistics TEXT COLLATE "C" NOT NULL
  );

  CREATE TABLE router_statistics (
    router TEXT COLLATE "C" PRIMARY KEY,
    statistics TEXT COLLATE "C" NOT NULL
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
  CREATE INDEX feedback_labels_by_model ON feedback_labels (model);

  CREATE TABLE feedback_counts (
    model TEXT COLLATE "C" NOT NULL,
    topic TEXT COLLATE "C" NOT NULL,
    good DOUBLE PRECISION NOT NULL,
    bad DOUBLE PRECISION NOT NULL,
    difficulty DOUBLE PRECISION NOT NULL DEFAULT 0,
    PRIMARY KEY (model, topic)
  );

  CREATE TABLE signal_counts (
    model TEXT COLLATE "C" NOT NULL,
    topic TEXT COLLATE "C" NOT NULL,
    good DOUBLE PRECISION NOT NULL,
    bad DOUBLE PRECISION NOT NULL,
    difficulty DOUBLE PRECISION NOT NULL,
    PRIMARY KEY (model, topic)
  );

  CREATE TABLE feedback_version (
    id BIGINT PRIMARY KEY CHECK (id = 1),
    version BIGINT NOT NULL
  );
  INSERT INTO feedback_version (id, version) VALUES (1, 0);

  CREATE TABLE judged_prompts (
    id TEXT COLLATE "C" PRIMARY KEY,
    router_id TEXT COLLATE "C" NOT NULL,
    at_ms DOUBLE PRECISION NOT NULL,
    reading TEXT COLLATE "C" NOT NULL,
    kind TEXT COLLATE "C",
    error_rate DOUBLE PRECISION NOT NULL
  );

  CREATE TABLE judged_answers (
    prompt_id TEXT COLLATE "C" NOT NULL REFERENCES judged_prompts (id) ON DELETE CASCADE,
    model TEXT COLLATE "C" NOT NULL,
    start_logit DOUBLE PRECISION NOT NULL,
    grade DOUBLE PRECISION,
    PRIMARY KEY (prompt_id, model)
  );
  CREATE INDEX judged_answers_by_model ON judged_answers (model);

  CREATE TABLE judged_version (
    id BIGINT PRIMARY KEY CHECK (id = 1),
    version BIGINT NOT NULL
  );
  INSERT INTO judged_version (id, version) VALUES (1, 0);

  ---- Tuning runs and shadow samples ----

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
  CREATE INDEX shadow_samples_by_router ON shadow_samples (router_id, at_ms, id);

  INSERT INTO schema_versions (version, readable_from) VALUES (10, 10);
