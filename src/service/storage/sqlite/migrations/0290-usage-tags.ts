import type { Database } from 'better-sqlite3'

/**
 * Tags and fall-overs of requests, and roll-ups that count them, the kinds of errors and the bounds of the carbon
 * estimate. A roll-up of before has no bounds, so its estimate stands for both, and all its errors that no row tells
 * apart count as failures.
 */
export function usageTags(db: Database): void {
  db.exec(schema)
  countOldErrors(db)
}

/** Rows that still exist tell the errors of their day, hour and minute apart. */
function countOldErrors(db: Database): void {
  for (const lengthMs of [60_000, 3_600_000, 86_400_000]) {
    db.prepare(`
      WITH counted AS (
        SELECT started_at_ms - started_at_ms % CAST(:lengthMs AS INTEGER) AS start_ms, router_id,
               coalesce(model_used, '') AS model, coalesce(api_key_id, '') AS api_key_id,
               sum(status = 429) AS limited, sum(status = 499) AS aborted,
               sum(status >= 400 AND status < 500 AND status NOT IN (429, 499)) AS refused,
               sum(fallback_from IS NOT NULL) AS fallbacks
        FROM requests GROUP BY 1, 2, 3, 4
      )
      UPDATE usage_rollups SET
        limited = counted.limited,
        aborted = counted.aborted,
        failed = max(0, errors - counted.limited - counted.aborted - counted.refused),
        fallbacks = counted.fallbacks
      FROM counted
      WHERE usage_rollups.length_ms = CAST(:lengthMs AS INTEGER)
        AND usage_rollups.start_ms = counted.start_ms
        AND usage_rollups.router_id = counted.router_id
        AND usage_rollups.model = counted.model
        AND usage_rollups.api_key_id = counted.api_key_id`).run({ lengthMs })
  }
}

/** The places of the first attempt's model and outcome in a detail, and in rows of older versions. */
const firstModel = "coalesce(detail ->> '$[16][0][0]', detail ->> '$.attempts[0].model')"
const firstOutcome = "coalesce(detail ->> '$[16][0][3]', detail ->> '$.attempts[0].outcome')"

const schema = `
  ALTER TABLE api_keys ADD COLUMN tag TEXT;
  ALTER TABLE requests ADD COLUMN fallback_from TEXT;
  ALTER TABLE requests ADD COLUMN fallback_reason TEXT;
  ALTER TABLE requests ADD COLUMN tag TEXT;
  UPDATE requests SET fallback_from = ${firstModel}, fallback_reason = ${firstOutcome}
  WHERE status < 400 AND attempts > 1 AND ${firstModel} <> model_used
    AND ${firstOutcome} NOT IN ('answered', 'accepted', 'not_accepted', 'aborted', 'lost');

  ALTER TABLE usage_rollups RENAME TO usage_rollups_before;
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
  INSERT INTO usage_rollups
  SELECT length_ms, start_ms, router_id, model, api_key_id, '', requests, errors, 0, 0, errors, 0,
         estimated, input_tokens, cache_read_tokens, cache_write_tokens, output_tokens,
         reasoning_tokens, cost_nano_usd, carbon_nanograms, carbon_nanograms, carbon_nanograms,
         latency_us, latency_us_max, first_token_us, latency_histogram, first_token_histogram
  FROM usage_rollups_before;
  DROP TABLE usage_rollups_before;
`
