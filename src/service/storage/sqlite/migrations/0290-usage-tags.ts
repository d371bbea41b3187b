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

interface Cell {
  startMs: number
  routerId: string
  model: string
  apiKeyId: string
  limited: number
  aborted: number
  refused: number
  fallbacks: number
}

interface CountedRow extends Pick<Cell, 'routerId' | 'model' | 'apiKeyId'> {
  startedAtMs: number
  status: number
  isFallback: 0 | 1
}

/**
 * Rows that still exist tell the errors of their minute, hour and day apart. One pass over the rows, and one update by
 * the whole primary key for each cell: SQLite's own join of the two compares every cell with all of its router.
 */
function countOldErrors(db: Database): void {
  const rows = db.prepare<[], CountedRow>(`
    SELECT started_at_ms AS startedAtMs, router_id AS routerId, coalesce(model_used, '') AS model,
           coalesce(api_key_id, '') AS apiKeyId, status, (fallback_from IS NOT NULL AND status < 400) AS isFallback
    FROM requests WHERE status >= 400 OR fallback_from IS NOT NULL`)
  const update = db.prepare<Cell & { lengthMs: number }>(`
    UPDATE usage_rollups SET
      limited = :limited, aborted = :aborted, fallbacks = :fallbacks,
      failed = max(0, errors - :limited - :aborted - :refused)
    WHERE length_ms = :lengthMs AND start_ms = :startMs AND router_id = :routerId
      AND model = :model AND api_key_id = :apiKeyId AND tag = ''`)
  const groups = [60_000, 3_600_000, 86_400_000].map((lengthMs) => ({
    lengthMs,
    cells: new Map<string, Cell>(),
  }))
  for (const row of rows.iterate())
    for (const { lengthMs, cells } of groups) addRow(cellOf(cells, row, lengthMs), row)
  for (const { lengthMs, cells } of groups)
    for (const cell of cells.values()) update.run({ ...cell, lengthMs })
}

function cellOf(cells: Map<string, Cell>, row: CountedRow, lengthMs: number): Cell {
  const startMs = row.startedAtMs - (row.startedAtMs % lengthMs)
  const { routerId, model, apiKeyId } = row
  const name = `${startMs}\n${routerId}\n${apiKeyId}\n${model}`
  const counts = { limited: 0, aborted: 0, refused: 0, fallbacks: 0 }
  const cell = cells.get(name) ?? { startMs, routerId, model, apiKeyId, ...counts }
  cells.set(name, cell)
  return cell
}

function addRow(cell: Cell, { status, isFallback }: CountedRow): void {
  cell.fallbacks += isFallback
  if (status === 429) cell.limited += 1
  else if (status === 499) cell.aborted += 1
  else if (status >= 400 && status < 500) cell.refused += 1
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
