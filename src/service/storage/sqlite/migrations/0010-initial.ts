/**
 * The schema of version 0.2.0. Booleans are 0 and 1, times Unix milliseconds, a day is `2026-11-24` in UTC. Money is
 * whole nano-dollars; a price is nano-dollars per million tokens, so that USD 0.0375 per million is exact. Lists that
 * are always read and written whole (a router's models, a key's routers) are JSON columns. NULL is not known, or none.
 */
export const initial = `
  ---- What people manage ----

  -- Rises in the same transaction as a change of the lists, so that other processes see the change.
  CREATE TABLE configuration_version (
    id INTEGER PRIMARY KEY CHECK (id = 1),
    version INTEGER NOT NULL
  ) STRICT;
  INSERT INTO configuration_version (id, version) VALUES (1, 0);

  -- A provider's key is in the keychain; key_revision tells other processes that it was replaced.
  CREATE TABLE providers (
    id TEXT PRIMARY KEY NOT NULL,
    type TEXT NOT NULL,
    base_url TEXT,
    private_network INTEGER NOT NULL,
    options TEXT NOT NULL CHECK (json_valid(options)),
    created_at_ms INTEGER NOT NULL,
    key_revision INTEGER NOT NULL DEFAULT 0
  ) STRICT;

  -- The models that a provider listed last.
  CREATE TABLE listed_models (
    provider_id TEXT PRIMARY KEY NOT NULL,
    names TEXT NOT NULL CHECK (json_valid(names))
  ) STRICT;

  -- The user's own figures of models. refuses lists parameters that a model refuses; NULL uses the catalogue's.
  CREATE TABLE models (
    id TEXT PRIMARY KEY NOT NULL,
    input_nano_usd_per_mtok INTEGER NOT NULL,
    output_nano_usd_per_mtok INTEGER NOT NULL,
    context_tokens INTEGER,
    max_output_tokens INTEGER,
    capabilities TEXT NOT NULL CHECK (json_valid(capabilities)),
    quality REAL,
    energy_wh_per_ktok REAL,
    region TEXT,
    refuses TEXT CHECK (json_valid(refuses))
  ) STRICT;

  -- time_limits and routing: a missing field uses the default. NULL in hedge: no second model is asked.
  CREATE TABLE routers (
    id TEXT PRIMARY KEY NOT NULL,
    name TEXT NOT NULL,
    strategy TEXT NOT NULL,
    models TEXT NOT NULL CHECK (json_valid(models)),
    tier TEXT NOT NULL,
    daily_limit INTEGER,
    created_at_ms INTEGER NOT NULL,
    updated_at_ms INTEGER NOT NULL,
    cache_ttl_seconds INTEGER,
    time_limits TEXT NOT NULL DEFAULT '{}' CHECK (json_valid(time_limits)),
    hedge TEXT CHECK (json_valid(hedge)),
    requests_per_minute INTEGER,
    budget_day_nano_usd INTEGER,
    budget_month_nano_usd INTEGER,
    routing TEXT NOT NULL DEFAULT '{}' CHECK (json_valid(routing))
  ) STRICT;

  -- What changed in a router's settings, and when: charts mark these moments.
  CREATE TABLE router_changes (
    position INTEGER PRIMARY KEY,
    router_id TEXT NOT NULL REFERENCES routers (id) ON DELETE CASCADE,
    at_ms INTEGER NOT NULL,
    fields TEXT NOT NULL CHECK (json_valid(fields))
  ) STRICT;
  CREATE INDEX router_changes_by_router ON router_changes (router_id, at_ms);

  -- A rotated key and its successor spend one budget: rotated_from_id is the key that this one replaced.
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
    revoked_at_ms INTEGER,
    explain INTEGER NOT NULL DEFAULT 0,
    keep_alive INTEGER NOT NULL DEFAULT 1,
    budget_day_nano_usd INTEGER,
    budget_month_nano_usd INTEGER,
    rotated_from_id TEXT,
    tag TEXT
  ) STRICT;

  CREATE TABLE settings (
    name TEXT PRIMARY KEY NOT NULL,
    value TEXT NOT NULL CHECK (json_valid(value))
  ) STRICT;

  CREATE TABLE agents (
    slug TEXT PRIMARY KEY NOT NULL,
    version INTEGER NOT NULL,
    created_at_ms INTEGER NOT NULL
  ) STRICT;

  -- The text as it was written. An agent that is deleted and created again goes on counting.
  CREATE TABLE agent_versions (
    slug TEXT NOT NULL,
    version INTEGER NOT NULL,
    source TEXT NOT NULL,
    created_at_ms INTEGER NOT NULL,
    PRIMARY KEY (slug, version)
  ) STRICT, WITHOUT ROWID;

  ---- Requests ----

  -- detail: attempts, decision, price and bounds (sql/detail-text.ts). A step of an agent has an execution_id.
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
    carbon_grams REAL NOT NULL,
    detail TEXT NOT NULL,
    cached_from TEXT,
    execution_id TEXT,
    step_id TEXT,
    fallback_from TEXT,
    fallback_reason TEXT,
    tag TEXT
  ) STRICT;
  CREATE INDEX requests_by_router ON requests (router_id, started_at_ms);
  CREATE INDEX requests_by_time ON requests (started_at_ms);
  CREATE INDEX requests_by_execution ON requests (execution_id) WHERE execution_id IS NOT NULL;
  -- Of the few requests that are steps of agents or failed; a request that is neither writes to none of them.
  CREATE INDEX requests_of_agents ON requests (started_at_ms) WHERE execution_id IS NOT NULL;
  CREATE INDEX requests_failed ON requests (started_at_ms) WHERE status >= 400;

  -- Full texts, for routers that store them. Separate, so that what reads or copies requests never sees a prompt.
  CREATE TABLE request_contents (
    request_id TEXT PRIMARY KEY NOT NULL,
    router_id TEXT NOT NULL,
    started_at_ms INTEGER NOT NULL,
    request TEXT NOT NULL,
    is_request_cut INTEGER NOT NULL,
    answer TEXT,
    is_answer_cut INTEGER NOT NULL
  ) STRICT;
  CREATE INDEX request_contents_by_router ON request_contents (router_id, started_at_ms);

  -- Totals by minute, hour and day (length_ms); '' is no model, key or tag. Every figure is a whole number, so that
  -- sums are exact. Durations are of answered requests only.
  CREATE TABLE usage_rollups (
    length_ms INTEGER NOT NULL,
    start_ms INTEGER NOT NULL,
    router_id TEXT NOT NULL,
    model TEXT NOT NULL,
    api_key_id TEXT NOT NULL,
    tag TEXT NOT NULL,
    requests INTEGER NOT NULL,
    errors INTEGER NOT NULL,
    limited INTEGER NOT NULL,
    aborted INTEGER NOT NULL,
    failed INTEGER NOT NULL,
    fallbacks INTEGER NOT NULL,
    estimated INTEGER NOT NULL,
    input_tokens INTEGER NOT NULL,
    cache_read_tokens INTEGER NOT NULL,
    cache_write_tokens INTEGER NOT NULL,
    output_tokens INTEGER NOT NULL,
    reasoning_tokens INTEGER NOT NULL,
    cost_nano_usd INTEGER NOT NULL,
    carbon_nanograms INTEGER NOT NULL,
    carbon_low_nanograms INTEGER NOT NULL,
    carbon_high_nanograms INTEGER NOT NULL,
    latency_us INTEGER NOT NULL,
    latency_us_max INTEGER NOT NULL,
    first_token_us INTEGER NOT NULL,
    latency_histogram BLOB NOT NULL,
    first_token_histogram BLOB NOT NULL,
    PRIMARY KEY (length_ms, start_ms, router_id, model, api_key_id, tag)
  ) STRICT, WITHOUT ROWID;

  -- Since when requests, minutes and hours are complete; what is older was deleted to save space.
  CREATE TABLE ledger_kept (
    id INTEGER PRIMARY KEY CHECK (id = 1),
    rows_from_ms INTEGER NOT NULL,
    minutes_from_ms INTEGER NOT NULL,
    hours_from_ms INTEGER NOT NULL
  ) STRICT;
  INSERT INTO ledger_kept (id, rows_from_ms, minutes_from_ms, hours_from_ms) VALUES (1, 0, 0, 0);

  -- Refused requests: counts by time and kind, and the newest ones. '' is no key or router.
  CREATE TABLE refusal_kinds (
    id INTEGER PRIMARY KEY,
    api_key_id TEXT NOT NULL,
    router_id TEXT NOT NULL,
    code TEXT NOT NULL,
    door TEXT NOT NULL,
    UNIQUE (api_key_id, router_id, code, door)
  ) STRICT;

  CREATE TABLE refusal_counts (
    length_ms INTEGER NOT NULL,
    start_ms INTEGER NOT NULL,
    kind_id INTEGER NOT NULL REFERENCES refusal_kinds (id),
    refusals INTEGER NOT NULL,
    PRIMARY KEY (length_ms, start_ms, kind_id)
  ) STRICT, WITHOUT ROWID;

  CREATE TABLE newest_refusals (
    id TEXT PRIMARY KEY NOT NULL,
    at_ms INTEGER NOT NULL,
    kind_id INTEGER NOT NULL REFERENCES refusal_kinds (id)
  ) STRICT, WITHOUT ROWID;

  -- Who used each key: programs, addresses and routers.
  CREATE TABLE key_callers (
    api_key_id TEXT NOT NULL,
    kind TEXT NOT NULL,
    value TEXT NOT NULL,
    first_at_ms INTEGER NOT NULL,
    last_at_ms INTEGER NOT NULL,
    PRIMARY KEY (api_key_id, kind, value)
  ) STRICT, WITHOUT ROWID;

  -- The owner is a key or a router. A spike has an amount; a dismissed one stays as an amount that was accepted.
  CREATE TABLE unexpected_calls (
    owner_kind TEXT NOT NULL,
    owner_id TEXT NOT NULL,
    kind TEXT NOT NULL,
    first_at_ms INTEGER NOT NULL,
    last_at_ms INTEGER NOT NULL,
    value TEXT,
    others INTEGER NOT NULL,
    amount REAL,
    usual REAL,
    dismissed_at_ms INTEGER,
    PRIMARY KEY (owner_id, kind)
  ) STRICT, WITHOUT ROWID;

  ---- Limits ----

  CREATE TABLE quota_days (
    router_id TEXT NOT NULL,
    day TEXT NOT NULL,
    used INTEGER NOT NULL,
    PRIMARY KEY (router_id, day)
  ) STRICT, WITHOUT ROWID;

  -- The day that a router counts now. It is not the latest day ever counted: a clock far ahead may be corrected.
  CREATE TABLE quota_current (
    router_id TEXT PRIMARY KEY,
    day TEXT NOT NULL
  ) STRICT;

  -- One alert for each owner, period and level.
  CREATE TABLE budget_alerts (
    id TEXT PRIMARY KEY NOT NULL,
    owner_kind TEXT NOT NULL,
    owner_id TEXT NOT NULL,
    per TEXT NOT NULL,
    start_ms INTEGER NOT NULL,
    level INTEGER NOT NULL,
    created_at_ms INTEGER NOT NULL,
    is_waiting INTEGER NOT NULL,
    alert TEXT NOT NULL CHECK (json_valid(alert)),
    UNIQUE (owner_kind, owner_id, per, start_ms, level)
  ) STRICT;

  ---- Agents' runs and conversations ----

  -- state is running, done, failed or interrupted. No roll-up has an execution: its cost is in the rows of its steps.
  -- The process that runs it holds a lease.
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
    trace TEXT NOT NULL CHECK (json_valid(trace)),
    lease_holder TEXT,
    lease_expires_at_ms INTEGER
  ) STRICT;
  CREATE INDEX executions_by_time ON executions (started_at_ms);
  CREATE INDEX executions_by_agent ON executions (agent, started_at_ms);
  CREATE INDEX executions_running ON executions (state) WHERE state = 'running';

  -- agent: the one that answered last.
  CREATE TABLE conversations (
    id TEXT PRIMARY KEY NOT NULL,
    title TEXT NOT NULL,
    router_id TEXT,
    created_at_ms INTEGER NOT NULL,
    updated_at_ms INTEGER NOT NULL,
    agent TEXT
  ) STRICT;

  -- position orders a thread even where the clock was set back between two messages. A question can have several
  -- answers, of several routers; those that are not used are set aside.
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
    router_decision TEXT,
    agent_meta TEXT CHECK (json_valid(agent_meta)),
    set_aside INTEGER NOT NULL DEFAULT 0 CHECK (set_aside IN (0, 1)),
    fallback TEXT CHECK (json_valid(fallback)),
    error_detail TEXT,
    router_id TEXT
  ) STRICT;
  CREATE INDEX messages_by_conversation ON messages (conversation_id, position);
  CREATE INDEX messages_streaming ON messages (state) WHERE state = 'streaming';

  ---- What is learned: numbers and names only, never a word of a prompt ----

  -- Latency and answer lengths of each model, and answer lengths and first looks of each router
  -- (storage/model-statistics.ts).
  CREATE TABLE model_statistics (
    model TEXT PRIMARY KEY NOT NULL,
    statistics TEXT NOT NULL CHECK (json_valid(statistics))
  ) STRICT;

  CREATE TABLE router_statistics (
    router TEXT PRIMARY KEY NOT NULL,
    statistics TEXT NOT NULL CHECK (json_valid(statistics))
  ) STRICT;

  -- Feedback by request. Each is compared with what was expected of its prompt, by the prompt's difficulty; -1 for one
  -- that was not read.
  CREATE TABLE feedback_labels (
    given_on TEXT NOT NULL,
    aspect TEXT NOT NULL,
    request_id TEXT NOT NULL,
    model TEXT NOT NULL,
    at_ms REAL NOT NULL,
    label REAL NOT NULL,
    weight REAL NOT NULL,
    shares TEXT NOT NULL CHECK (json_valid(shares)),
    difficulty REAL NOT NULL DEFAULT -1,
    PRIMARY KEY (given_on, aspect, request_id)
  ) STRICT, WITHOUT ROWID;
  CREATE INDEX feedback_labels_by_model ON feedback_labels (model);

  -- The sums of feedback by topic, as of one fixed time (storage/feedback-decay.ts).
  CREATE TABLE feedback_counts (
    model TEXT NOT NULL,
    topic TEXT NOT NULL,
    good REAL NOT NULL,
    bad REAL NOT NULL,
    difficulty REAL NOT NULL DEFAULT 0,
    PRIMARY KEY (model, topic)
  ) STRICT, WITHOUT ROWID;

  -- What answers show by themselves. Apart from feedback, because together they count only so much.
  CREATE TABLE signal_counts (
    model TEXT NOT NULL,
    topic TEXT NOT NULL,
    good REAL NOT NULL,
    bad REAL NOT NULL,
    difficulty REAL NOT NULL,
    PRIMARY KEY (model, topic)
  ) STRICT, WITHOUT ROWID;

  CREATE TABLE feedback_version (
    id INTEGER PRIMARY KEY CHECK (id = 1),
    version INTEGER NOT NULL
  ) STRICT;
  INSERT INTO feedback_version (id, version) VALUES (1, 0);

  -- Prompts of tuning runs with the grades of each model's answer.
  CREATE TABLE judged_prompts (
    id TEXT PRIMARY KEY NOT NULL,
    router_id TEXT NOT NULL,
    at_ms REAL NOT NULL,
    reading TEXT NOT NULL CHECK (json_valid(reading)),
    kind TEXT,
    error_rate REAL NOT NULL
  ) STRICT, WITHOUT ROWID;

  CREATE TABLE judged_answers (
    prompt_id TEXT NOT NULL REFERENCES judged_prompts (id) ON DELETE CASCADE,
    model TEXT NOT NULL,
    start_logit REAL NOT NULL,
    grade REAL,
    PRIMARY KEY (prompt_id, model)
  ) STRICT, WITHOUT ROWID;
  CREATE INDEX judged_answers_by_model ON judged_answers (model);

  CREATE TABLE judged_version (
    id INTEGER PRIMARY KEY CHECK (id = 1),
    version INTEGER NOT NULL
  ) STRICT;
  INSERT INTO judged_version (id, version) VALUES (1, 0);

  ---- Tuning runs and shadow samples ----

  -- The process that runs it holds a lease. reserved_nano_usd is what requests on their way may still cost.
  CREATE TABLE tuning_runs (
    id TEXT PRIMARY KEY NOT NULL,
    router_id TEXT NOT NULL,
    state TEXT NOT NULL CHECK (state IN ('running', 'stopped', 'done')),
    stopped_by TEXT,
    message TEXT,
    created_at_ms INTEGER NOT NULL,
    ended_at_ms INTEGER,
    resumed_at_ms INTEGER NOT NULL,
    ended_before_resume INTEGER NOT NULL,
    setup TEXT NOT NULL CHECK (json_valid(setup)),
    result TEXT CHECK (json_valid(result)),
    cap_nano_usd INTEGER NOT NULL,
    spent_nano_usd INTEGER NOT NULL DEFAULT 0,
    reserved_nano_usd INTEGER NOT NULL DEFAULT 0,
    is_stop_wanted INTEGER NOT NULL DEFAULT 0 CHECK (is_stop_wanted IN (0, 1)),
    lease_holder TEXT NOT NULL,
    lease_expires_at_ms INTEGER NOT NULL
  ) STRICT;

  CREATE TABLE tuning_prompts (
    run_id TEXT NOT NULL REFERENCES tuning_runs (id) ON DELETE CASCADE,
    position INTEGER NOT NULL,
    reading TEXT NOT NULL CHECK (json_valid(reading)),
    outcome TEXT CHECK (json_valid(outcome)),
    is_graded INTEGER NOT NULL DEFAULT 0 CHECK (is_graded IN (0, 1)),
    PRIMARY KEY (run_id, position)
  ) STRICT, WITHOUT ROWID;

  CREATE TABLE tuning_requests (
    run_id TEXT NOT NULL REFERENCES tuning_runs (id) ON DELETE CASCADE,
    key TEXT NOT NULL,
    position INTEGER NOT NULL,
    state TEXT NOT NULL CHECK (state IN ('sent', 'answered', 'failed', 'lost')),
    reserved_nano_usd INTEGER NOT NULL,
    cost_nano_usd INTEGER NOT NULL,
    PRIMARY KEY (run_id, key)
  ) STRICT, WITHOUT ROWID;

  -- Prompts and answers that are not graded yet; they are deleted with their grades.
  CREATE TABLE tuning_texts (
    run_id TEXT NOT NULL REFERENCES tuning_runs (id) ON DELETE CASCADE,
    position INTEGER NOT NULL,
    key TEXT NOT NULL,
    text TEXT NOT NULL CHECK (json_valid(text)),
    PRIMARY KEY (run_id, position, key)
  ) STRICT, WITHOUT ROWID;

  CREATE TABLE shadow_days (
    router_id TEXT NOT NULL,
    day TEXT NOT NULL,
    spent_nano_usd INTEGER NOT NULL DEFAULT 0,
    failed INTEGER NOT NULL DEFAULT 0,
    dropped INTEGER NOT NULL DEFAULT 0,
    over_cap INTEGER NOT NULL DEFAULT 0,
    PRIMARY KEY (router_id, day)
  ) STRICT, WITHOUT ROWID;

  CREATE TABLE shadow_samples (
    id TEXT PRIMARY KEY NOT NULL,
    router_id TEXT NOT NULL,
    at_ms INTEGER NOT NULL,
    judge TEXT NOT NULL,
    reading TEXT NOT NULL CHECK (json_valid(reading)),
    outcome TEXT NOT NULL CHECK (json_valid(outcome))
  ) STRICT;
  CREATE INDEX shadow_samples_by_router ON shadow_samples (router_id, at_ms, id);
`
