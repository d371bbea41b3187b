/**
 * Totals of requests per minute, hour and UTC day, for each router, model, key and tag. A group of rows is summed
 * in memory and then added to the stored cells, inside the transaction that stores the rows. Rows and
 * totals therefore agree, even after a crash.
 */
import {
  addCell,
  addRequest,
  emptyCell,
  toStoredCell,
  type CountedDetail,
  type CountedRequest,
  type StoredCell,
  type UsageCell,
} from '../usage-cell.ts'
import type { Sql } from './sql.ts'

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

/** A cell as stored, with its key. */
export interface RollupCell {
  key: CellKey & { lengthMs: number }
  cell: StoredCell
}

/**
 * The table of cells. SQLite has one row per cell, and PostgreSQL one per cell and writer, so that nodes never wait for each
 * other's locks; reading statements therefore add rows up.
 */
export interface CellTable {
  /** Adds the figures to the cells of the same keys. Each sum stops at `greatestSum`. */
  add(cells: readonly RollupCell[]): Promise<void>
  /** No other connection stores rows or cells until the end of the transaction. */
  lock(): Promise<void>
}

export interface Rollups {
  /** Adds minutes to the roll-ups; call it in the transaction that stores their rows. */
  add(minutes: CellGroup): Promise<void>
  /**
   * Replaces the roll-ups of whole days with the counts of their rows. Minutes and hours before `kept` were
   * deleted by retention and stay deleted.
   */
  replace(
    days: { fromMs: number; toMs: number },
    minutes: CellGroup,
    kept: { minutesMs: number; hoursMs: number },
  ): Promise<void>
}

export function openRollups(sql: Sql, table: CellTable): Rollups {
  const remove = sql.prepare<{ lengthMs: number; fromMs: number; toMs: number }>(`
    DELETE FROM usage_rollups WHERE length_ms = :lengthMs AND start_ms >= :fromMs AND start_ms < :toMs`)

  return {
    async add(group) {
      const minutes = group.take()
      const [first] = minutes
      const isOneMinute = minutes.every(({ startMs }) => startMs === first?.startMs)
      await table.add(isOneMinute ? ofEachLength(minutes) : lengths.flatMap(ofLength(minutes)))
    },
    async replace(days, group, { minutesMs, hoursMs }) {
      const minutes = group.take()
      const isKept = (lengthMs: number) =>
        lengthMs === dayMs || days.fromMs >= (lengthMs === minuteMs ? minutesMs : hoursMs)
      for (const lengthMs of lengths.filter(isKept)) {
        await remove.run({ ...days, lengthMs })
        await table.add(ofLength(minutes)(lengthMs))
      }
    },
  }
}

/** Sums for each length. Nearly all groups are within one minute, whose sums also go into its hour and its day. */
function ofEachLength(minutes: readonly KeyedCell[]): RollupCell[] {
  return minutes.flatMap(({ cell, ...key }) => {
    const stored = toStoredCell(cell)
    return lengths.map((lengthMs) => {
      const startMs = key.startMs - (key.startMs % lengthMs)
      return { key: { ...key, lengthMs, startMs }, cell: stored }
    })
  })
}

function ofLength(minutes: readonly KeyedCell[]): (lengthMs: number) => RollupCell[] {
  return (lengthMs) =>
    regroup(minutes, lengthMs).map(({ cell, ...key }) => ({
      key: { ...key, lengthMs },
      cell: toStoredCell(cell),
    }))
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
