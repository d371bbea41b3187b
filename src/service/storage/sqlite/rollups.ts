/**
 * Totals of requests per minute, hour and UTC day, for each router, model, key and tag. A group of rows is summed
 * in memory and then written with one upsert per cell, inside the transaction that stores the rows. Rows and
 * totals therefore agree, even after a crash.
 */
import type { Database } from 'better-sqlite3'
import { addEncoded, emptyHistogram, encodeHistogram } from '../histogram.ts'
import {
  addCell,
  addRequest,
  emptyCell,
  greatestSum,
  toStoredCell,
  type CountedDetail,
  type CountedRequest,
  type StoredCell,
  type UsageCell,
} from '../usage-cell.ts'

const minuteMs = 60_000
const hourMs = 60 * minuteMs
const dayMs = 24 * hourMs

/** The lengths of a roll-up's cells, finest first. */
export const resolutions = { minuteMs, hourMs, dayMs } as const
const lengths = Object.values(resolutions)

/** The key of a cell. `model`, `apiKeyId` and `tag` are empty for requests without one. */
export interface CellKey {
  startMs: number
  routerId: string
  model: string
  apiKeyId: string
  tag: string
}

export interface KeyedCell extends CellKey {
  cell: UsageCell
}

/** Cells of one length, by their key. */
export class CellGroup {
  readonly #lengthMs: number
  readonly #cells = new Map<string, KeyedCell>()
  /** The last cell found. Most requests have the same key as the one before, and building a name costs time. */
  #last: KeyedCell | null = null

  /** @param lengthMs  of a cell */
  constructor(lengthMs: number) {
    this.#lengthMs = lengthMs
  }

  addRequest(request: CountedRequest, detail: CountedDetail): void {
    const key = {
      startMs: request.startedAtMs,
      routerId: request.routerId,
      model: request.modelUsed ?? '',
      apiKeyId: request.apiKeyId ?? '',
      tag: request.tag ?? '',
    }
    addRequest(this.#cellOf(key), request, detail)
  }

  /** Adds a shorter cell to the longer one that contains it. */
  addCell({ cell, ...key }: KeyedCell): void {
    addCell(this.#cellOf(key), cell)
  }

  cells(): Iterable<KeyedCell> {
    return this.#cells.values()
  }

  /** Removes and returns all cells. */
  take(): KeyedCell[] {
    const cells = [...this.#cells.values()]
    this.#cells.clear()
    this.#last = null
    return cells
  }

  #cellOf(about: CellKey): UsageCell {
    const startMs = about.startMs - (about.startMs % this.#lengthMs)
    if (this.#last !== null && isOf(this.#last, startMs, about)) return this.#last.cell
    const { routerId, model, apiKeyId, tag } = about
    const name = `${startMs}\n${routerId}\n${apiKeyId}\n${model}\n${tag}`
    const key = { startMs, routerId, model, apiKeyId, tag }
    const cell = this.#cells.get(name) ?? { ...key, cell: emptyCell() }
    this.#cells.set(name, cell)
    this.#last = cell
    return cell.cell
  }
}

function isOf(cell: CellKey, startMs: number, about: CellKey): boolean {
  return (
    cell.startMs === startMs &&
    cell.routerId === about.routerId &&
    cell.model === about.model &&
    cell.apiKeyId === about.apiKeyId &&
    cell.tag === about.tag
  )
}

export interface Rollups {
  /** Counts a request; `apply` adds it to the roll-ups. */
  add(request: CountedRequest, detail: CountedDetail): void
  /** Writes the counts; call it as the last write of the transaction that stored the rows. */
  apply(): void
  /** Counts that are not applied yet, by minute. */
  pending(): Iterable<KeyedCell>
  /** Drops counts that were not applied, because their transaction failed. */
  drop(): void
  /**
   * Replaces the roll-ups of whole days with the counts of their rows. Minutes and hours before `kept` were
   * deleted by retention and stay deleted.
   */
  replace(
    days: { fromMs: number; toMs: number },
    minutes: CellGroup,
    kept: { minutesMs: number; hoursMs: number },
  ): void
}

export function openRollups(db: Database): Rollups {
  const upsert = openUpsert(db)
  const counted = new CellGroup(minuteMs)
  const addTo = (lengthMs: number, cells: readonly KeyedCell[]) => {
    for (const { cell, ...key } of cells) upsert({ lengthMs, ...key }, toStoredCell(cell))
  }
  /** Nearly all groups are within one minute, so its sums also go into its hour and its day. */
  const addToEach = (minutes: readonly KeyedCell[]) => {
    for (const { cell, ...key } of minutes) {
      const stored = toStoredCell(cell)
      for (const lengthMs of lengths) {
        const startMs = key.startMs - (key.startMs % lengthMs)
        upsert({ ...key, lengthMs, startMs }, stored)
      }
    }
  }

  const remove = db.prepare<{ lengthMs: number; fromMs: number; toMs: number }>(`
    DELETE FROM usage_rollups WHERE length_ms = :lengthMs AND start_ms >= :fromMs AND start_ms < :toMs`)

  return {
    add: (request, detail) => counted.addRequest(request, detail),
    apply() {
      const minutes = counted.take()
      const [first] = minutes
      if (minutes.every(({ startMs }) => startMs === first?.startMs)) addToEach(minutes)
      else for (const lengthMs of lengths) addTo(lengthMs, regroup(minutes, lengthMs))
    },
    pending: () => counted.cells(),
    drop: () => void counted.take(),
    replace(days, group, { minutesMs, hoursMs }) {
      const minutes = group.take()
      const isKept = (lengthMs: number) =>
        lengthMs === dayMs || days.fromMs >= (lengthMs === minuteMs ? minutesMs : hoursMs)
      for (const lengthMs of lengths.filter(isKept)) {
        remove.run({ ...days, lengthMs })
        addTo(lengthMs, regroup(minutes, lengthMs))
      }
    },
  }
}

function regroup(minutes: readonly KeyedCell[], lengthMs: number): KeyedCell[] {
  const group = new CellGroup(lengthMs)
  for (const minute of minutes) group.addCell(minute)
  return group.take()
}

/** The columns of the figures that are sums. */
export const cellColumns = {
  requests: 'requests',
  errors: 'errors',
  limited: 'limited',
  aborted: 'aborted',
  failed: 'failed',
  fallbacks: 'fallbacks',
  estimated: 'estimated',
  input: 'input_tokens',
  cacheRead: 'cache_read_tokens',
  cacheWrite: 'cache_write_tokens',
  output: 'output_tokens',
  reasoning: 'reasoning_tokens',
  costNanoUsd: 'cost_nano_usd',
  carbonNanograms: 'carbon_nanograms',
  carbonLowNanograms: 'carbon_low_nanograms',
  carbonHighNanograms: 'carbon_high_nanograms',
  latencyUs: 'latency_us',
  firstTokenUs: 'first_token_us',
} as const satisfies Partial<Record<keyof UsageCell, string>>

interface RollupKey extends CellKey {
  lengthMs: number
}

function openUpsert(db: Database): (key: RollupKey, cell: StoredCell) => void {
  db.function('merged_histograms', { deterministic: true }, mergeEncoded)
  const columns = Object.entries(cellColumns)
  const updates = columns.map(([, column]) => `${column} = ${sumOf(column)}`)
  const upsert = db.prepare<RollupKey & StoredCell>(`
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

  return (key, cell) => {
    upsert.run({ ...key, ...cell })
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
