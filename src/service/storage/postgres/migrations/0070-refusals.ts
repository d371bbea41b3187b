/** Refused requests: counts by time and kind, and the newest ones. */
export const refusals = `
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
`
