import type { Database } from 'better-sqlite3'
import { addEncoded, emptyHistogram, encodeHistogram } from '../histogram.ts'
import { cellColumns, type CellTable, type RollupCell } from '../sql/rollups.ts'
import { greatestSum, type StoredCell } from '../usage-cell.ts'

/** One row per cell, written with one upsert. */
export function openCellTable(db: Database): CellTable {
  db.function('merged_histograms', { deterministic: true }, mergeEncoded)
  const columns = Object.entries(cellColumns)
  const updates = columns.map(([, column]) => `${column} = ${sumOf(column)}`)
  const upsert = db.prepare<RollupCell['key'] & StoredCell>(`
    INSERT INTO usage_rollups (
      length_ms, start_ms, router_id, model, api_key_id, tag, latency_us_max, latency_histogram,
      first_token_histogram, ${columns.map(([, column]) => column).join(', ')}
    ) VALUES (
      :lengthMs, :startMs, :routerId, :model, :apiKeyId, :tag, :latencyUsMax, :latency,
      :firstToken, ${columns.map(([field]) => `:${field}`).join(', ')}
    ) ON CONFLICT DO UPDATE SET
      ${updates.join(',\n      ')},
      latency_us_max = max(latency_us_max, excluded.latency_us_max),
      latency_histogram = merged_histograms(latency_histogram, excluded.latency_histogram),
      first_token_histogram =
        merged_histograms(first_token_histogram, excluded.first_token_histogram)`)

  return {
    async add(cells) {
      for (const { key, cell } of cells) upsert.run({ ...key, ...cell })
    },
    // Every transaction that writes holds SQLite's only write lock.
    async lock() {},
  }
}

/** A sum beyond 64 bits becomes a real number in SQLite, which the column would refuse. */
function sumOf(column: string): string {
  return `min(${greatestSum}, ${column} + excluded.${column})`
}

const merged = emptyHistogram()

function mergeEncoded(left: unknown, right: unknown): Uint8Array {
  merged.fill(0)
  for (const bytes of [left, right]) if (bytes instanceof Uint8Array) addEncoded(merged, bytes)
  return encodeHistogram(merged)
}
