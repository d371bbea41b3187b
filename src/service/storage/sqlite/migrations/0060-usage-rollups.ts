import type { Database } from 'better-sqlite3'
import { z } from 'zod'
import { CellGroup, resolutions, type KeyedCell } from '../../sql/rollups.ts'
import { toStoredCell, type CountedRequest } from '../../usage-cell.ts'

/**
 * Totals per minute, hour and day, built here from the existing rows (minutes for the last days only, because
 * older ones would be deleted at once), and the time from which each table is complete. Charts now read the
 * roll-ups, so the index of the rows no longer needs every figure.
 */
export function usageRollups(db: Database): void {
  db.exec(schema)
  const insert = db.prepare(insertCell)
  const write = (lengthMs: number, cells: readonly KeyedCell[]) => {
    for (const { cell, ...key } of cells) insert.run({ lengthMs, ...key, ...toStoredCell(cell) })
  }
  const minutesFromMs = startOfMinutes(db)
  db.prepare('UPDATE ledger_kept SET minutes_from_ms = ?').run(minutesFromMs)
  const groups = Object.values(resolutions).map((lengthMs) => ({
    lengthMs,
    fromMs: lengthMs === resolutions.minuteMs ? minutesFromMs : 0,
    endMs: -Infinity,
    cells: new CellGroup(lengthMs),
  }))
  // In order of time, so that only the current minute, hour and day are in memory.
  for (const row of rowsByTime(db)) {
    for (const group of groups.filter(({ fromMs }) => row.startedAtMs >= fromMs)) {
      if (row.startedAtMs >= group.endMs) {
        write(group.lengthMs, group.cells.take())
        group.endMs = row.startedAtMs - (row.startedAtMs % group.lengthMs) + group.lengthMs
      }
      const tokens = row.tokens === null ? null : tokensSchema.parse(row.tokens)
      group.cells.addRequest({ ...row, fallbackFrom: null, tag: null }, { tokens, carbon: null })
    }
  }
  for (const { lengthMs, cells } of groups) write(lengthMs, cells.take())
}

/** The third day before the newest row; retention keeps fewer. */
function startOfMinutes(db: Database): number {
  const select = db.prepare<[], number | null>('SELECT max(started_at_ms) FROM requests').pluck()
  const newestMs = select.get() ?? 0
  const { dayMs } = resolutions
  return Math.max(0, newestMs - (newestMs % dayMs) - 3 * dayMs)
}

interface Row extends Omit<CountedRequest, 'fallbackFrom' | 'tag'> {
  rowid: number
  tokens: string | null
}

function* rowsByTime(db: Database): Generator<Row> {
  const selectPage = db.prepare<{ startedAtMs: number; rowid: number }, Row>(`
    SELECT rowid, started_at_ms AS startedAtMs, router_id AS routerId, model_used AS modelUsed,
           api_key_id AS apiKeyId, status, reported_prompt_tokens AS reportedPromptTokens,
           reported_completion_tokens AS reportedCompletionTokens,
           estimated_prompt_tokens AS estimatedPromptTokens,
           estimated_completion_tokens AS estimatedCompletionTokens, cost_nano_usd AS costNanoUsd,
           latency_ms AS latencyMs, first_token_ms AS firstTokenMs, carbon_grams AS carbonGrams,
           detail ->> '$.tokens' AS tokens
    FROM requests WHERE (started_at_ms, rowid) > (:startedAtMs, :rowid)
    ORDER BY started_at_ms, rowid LIMIT 1000`)
  for (let last = { startedAtMs: -1, rowid: 0 }; ;) {
    const page = selectPage.all(last)
    yield* page
    const end = page.at(-1)
    if (!end) return
    last = { startedAtMs: end.startedAtMs, rowid: end.rowid }
  }
}

const tokensSchema = z
  .string()
  .transform((text): unknown => JSON.parse(text))
  .pipe(
    z.object({
      input: z.int(),
      cacheRead: z.int().nullable(),
      cacheWrite: z.int().nullable(),
      output: z.int(),
      reasoning: z.int().nullable(),
    }),
  )

const insertCell = `
  INSERT INTO usage_rollups (
    length_ms, start_ms, router_id, model, api_key_id, requests, errors, estimated, input_tokens,
    cache_read_tokens, cache_write_tokens, output_tokens, reasoning_tokens, cost_nano_usd,
    carbon_nanograms, latency_us, latency_us_max, first_token_us, latency_histogram,
    first_token_histogram
  ) VALUES (
    :lengthMs, :startMs, :routerId, :model, :apiKeyId, :requests, :errors, :estimated, :input,
    :cacheRead, :cacheWrite, :output, :reasoning, :costNanoUsd, :carbonNanograms, :latencyUs,
    :latencyUsMax, :firstTokenUs, :latency, :firstToken
  )`

const schema = `
  -- length_ms is a minute, an hour or a day; an empty model or key stands for none. Everything is a
  -- whole number, so that sums are exact; durations are of answered requests only.
  CREATE TABLE usage_rollups (
    length_ms INTEGER NOT NULL,
    start_ms INTEGER NOT NULL,
    router_id TEXT NOT NULL,
    model TEXT NOT NULL,
    api_key_id TEXT NOT NULL,
    requests INTEGER NOT NULL,
    errors INTEGER NOT NULL,
    estimated INTEGER NOT NULL,
    input_tokens INTEGER NOT NULL,
    cache_read_tokens INTEGER NOT NULL,
    cache_write_tokens INTEGER NOT NULL,
    output_tokens INTEGER NOT NULL,
    reasoning_tokens INTEGER NOT NULL,
    cost_nano_usd INTEGER NOT NULL,
    carbon_nanograms INTEGER NOT NULL,
    latency_us INTEGER NOT NULL,
    latency_us_max INTEGER NOT NULL,
    first_token_us INTEGER NOT NULL,
    latency_histogram BLOB NOT NULL,
    first_token_histogram BLOB NOT NULL,
    PRIMARY KEY (length_ms, start_ms, router_id, model, api_key_id)
  ) STRICT, WITHOUT ROWID;

  -- Since when rows, minutes and hours are whole; what is older was removed to save space.
  CREATE TABLE ledger_kept (
    id INTEGER PRIMARY KEY CHECK (id = 1),
    rows_from_ms INTEGER NOT NULL,
    minutes_from_ms INTEGER NOT NULL,
    hours_from_ms INTEGER NOT NULL
  ) STRICT;
  INSERT INTO ledger_kept (id, rows_from_ms, minutes_from_ms, hours_from_ms) VALUES (1, 0, 0, 0);

  DROP INDEX requests_by_router;
  CREATE INDEX requests_by_router ON requests (router_id, started_at_ms);
`
