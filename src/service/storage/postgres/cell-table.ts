import { addEncoded, emptyHistogram, encodeHistogram } from '../histogram.ts'
import { cellColumns, type CellTable, type RollupCell } from '../sql/rollups.ts'
import type { Sql } from '../sql/sql.ts'
import { greatestSum } from '../usage-cell.ts'

/** Slots of a cell. More let fewer nodes share one, but each is another row of the cell. */
export const slotCount = 8

const keyTypes = {
  length_ms: 'BIGINT',
  start_ms: 'BIGINT',
  router_id: 'TEXT',
  model: 'TEXT',
  api_key_id: 'TEXT',
  tag: 'TEXT',
} as const
const keyNames = Object.keys(keyTypes).join(', ')
const keyLists = Object.values(keyTypes).map((type) => `CAST(? AS ${type}[])`)

interface Histograms {
  place: number
  latency: Uint8Array
  firstToken: Uint8Array
}

/**
 * One row per cell and slot. PostgreSQL cannot merge histograms, so they are read, merged here, and written back, while
 * the transaction holds the slot: of nodes that share one, one waits for the other.
 */
export function openCellTable(sql: Sql, slot: number): CellTable {
  const holdSlot = sql.prepare<[number]>(`SELECT pg_advisory_xact_lock(${slotsLock}, ?)`)
  const selectHistograms = sql.prepare<unknown[], Histograms>(`
    SELECT keys.place, latency_histogram AS latency, first_token_histogram AS "firstToken"
    FROM unnest(${keyLists.join(', ')}) WITH ORDINALITY AS keys (${keyNames}, place)
    JOIN usage_rollups USING (${keyNames}) WHERE slot = ?`)
  const upsert = sql.prepare(upsertText)

  return {
    async add(cells) {
      if (cells.length === 0) return
      await holdSlot.run(slot)
      const keys = listsOf(cells)
      const stored = await selectHistograms.all(...keys, slot)
      const byPlace = new Map(stored.map((histograms) => [histograms.place - 1, histograms]))
      await upsert.run(slot, ...keys, ...figuresOf(cells, byPlace))
    },
    async lock() {
      for (let one = 0; one < slotCount; one += 1) await holdSlot.run(one)
      await sql.prepare('LOCK TABLE requests IN SHARE ROW EXCLUSIVE MODE').run()
    },
  }
}

/** The first of two numbers that name a lock of a slot. */
const slotsLock = 1_297_040_212

const sumNames = Object.values(cellColumns)
const otherNames = 'latency_us_max, latency_histogram, first_token_histogram'
const upsertText = `
  INSERT INTO usage_rollups (${keyNames}, ${sumNames.join(', ')}, ${otherNames}, slot)
  SELECT cells.*, CAST(? AS BIGINT) FROM unnest(
    ${keyLists.join(', ')}, ${sumNames.map(() => 'CAST(? AS BIGINT[])').join(', ')},
    CAST(? AS BIGINT[]), CAST(? AS BYTEA[]), CAST(? AS BYTEA[])
  ) AS cells
  ON CONFLICT (${keyNames}, slot) DO UPDATE SET
    ${sumNames.map((name) => `${name} = ${sumOf(name)}`).join(',\n    ')},
    latency_us_max = greatest(usage_rollups.latency_us_max, excluded.latency_us_max),
    latency_histogram = excluded.latency_histogram,
    first_token_histogram = excluded.first_token_histogram`

function sumOf(name: string): string {
  return `least(${greatestSum}, usage_rollups.${name} + excluded.${name})`
}

/** One list per column of the key. */
function listsOf(cells: readonly RollupCell[]): unknown[][] {
  return [
    cells.map(({ key }) => key.lengthMs),
    cells.map(({ key }) => key.startMs),
    cells.map(({ key }) => key.routerId),
    cells.map(({ key }) => key.model),
    cells.map(({ key }) => key.apiKeyId),
    cells.map(({ key }) => key.tag),
  ]
}

/** One list per figure, with the histograms merged. */
function figuresOf(
  cells: readonly RollupCell[],
  stored: ReadonlyMap<number, Histograms>,
): unknown[][] {
  // Checked boundary: the names of `cellColumns` are fields of a cell.
  const sums = Object.keys(cellColumns) as (keyof typeof cellColumns)[]
  return [
    ...sums.map((field) => cells.map(({ cell }) => cell[field])),
    cells.map(({ cell }) => cell.latencyUsMax),
    cells.map(({ cell }, place) => merge(cell.latency, stored.get(place)?.latency)),
    cells.map(({ cell }, place) => merge(cell.firstToken, stored.get(place)?.firstToken)),
  ]
}

const merged = emptyHistogram()

function merge(added: Uint8Array, stored: Uint8Array | undefined): Buffer {
  merged.fill(0)
  for (const bytes of [added, stored]) if (bytes !== undefined) addEncoded(merged, bytes)
  return Buffer.from(encodeHistogram(merged))
}
