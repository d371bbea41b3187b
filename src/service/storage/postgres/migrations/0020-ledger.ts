/**
 * The tables of requests, in PostgreSQL's types.
 *
 * `requests` has a partition for each UTC day: deleting a day drops a table. `node` is the node that stored the row; the
 * transaction sets it. A cell of `usage_rollups` has a row for each slot: each node writes to the rows of one slot, so
 * that nodes seldom wait for each other.
 */
export const ledger = `
  CREATE SEQUENCE requests_seq;

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

  CREATE TABLE ledger_kept (
    id BIGINT PRIMARY KEY CHECK (id = 1),
    rows_from_ms BIGINT NOT NULL,
    minutes_from_ms BIGINT NOT NULL,
    hours_from_ms BIGINT NOT NULL
  );

  CREATE TABLE quota_current (
    router_id TEXT COLLATE "C" PRIMARY KEY,
    day TEXT COLLATE "C" NOT NULL
  );

  CREATE TABLE quota_days (
    router_id TEXT COLLATE "C" NOT NULL,
    day TEXT COLLATE "C" NOT NULL,
    used BIGINT NOT NULL,
    PRIMARY KEY (router_id, day)
  );

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
    detail TEXT COLLATE "C",
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

  CREATE INDEX executions_by_agent ON executions (agent, started_at_ms);

  CREATE INDEX executions_by_time ON executions (started_at_ms);

  CREATE INDEX executions_running ON executions (state) WHERE state = 'running';

  CREATE INDEX request_contents_by_router ON request_contents (router_id, started_at_ms);

  CREATE INDEX requests_by_execution ON requests (execution_id) WHERE execution_id IS NOT NULL;

  CREATE INDEX requests_by_router ON requests (router_id, started_at_ms);

  CREATE INDEX requests_by_time ON requests (started_at_ms);

  CREATE INDEX requests_failed ON requests (started_at_ms) WHERE status >= 400;

  CREATE INDEX requests_of_agents ON requests (started_at_ms) WHERE execution_id IS NOT NULL;

  INSERT INTO ledger_kept (id, rows_from_ms, minutes_from_ms, hours_from_ms) VALUES (1, 0, 0, 0);
`
