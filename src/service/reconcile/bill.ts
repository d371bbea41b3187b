/** What the readers of all formats give: entries of a bill, and rows that cannot be read. */
import type { BillClass, BillProblem, BillTier } from '../../shared/requests/reconciliation.ts'

/** Tokens by price; `audio` is also counted in `input`, and the last three in `output`. */
export type TokenName =
  | 'input'
  | 'cacheRead'
  | 'cacheWrite'
  | 'cacheWrite1h'
  | 'output'
  | 'audio'
  | 'audioOutput'
  | 'image'
  | 'reasoning'

/** `all`: the cost of all tokens together. `credit`: discounts and refunds, usually negative. */
export type CostName = BillClass | 'all' | 'credit'

export interface BillEntry {
  /** The file's name, which the reader of all files adds. */
  file: string
  line: number
  /** Unix ms of the moment or of the span's start, or a day of the bill's own time zone. */
  at: number | string
  /** End of the span; null for a moment or a day. */
  untilMs: number | null
  /** The bill's name for it; null for costs that belong to no model. */
  model: string | null
  tier: BillTier
  requests: number | null
  tokens: Partial<Record<TokenName, number>>
  /** Nano-dollars; vendors' fractions of them stay. */
  costs: Partial<Record<CostName, number>>
  /** The bill's words for `other` costs. */
  label: string | null
  /** Decimals of the amounts in dollars; null without an amount. */
  decimals: number | null
  /** Equal for the same row in two files. */
  identity: string
  /** Whether two rows with this identity in one file are one row, because the vendor numbers them. */
  isNumbered: boolean
}

export interface ReadRows {
  entries: BillEntry[]
  problems: Omit<BillProblem, 'file'>[]
}

/** The text of a file, as a table where it is one. */
export interface BillText {
  text: string
  /** Null for JSON. */
  table: Table | null
  /** The values of JSON, of JSON lines, or of several JSON texts; null for tables. */
  values: JsonValue[] | null
}

export interface Table {
  /** In lower case, with `_` for spaces and dots. */
  header: readonly string[]
  rows: { line: number; cells: readonly string[] }[]
  problems: Omit<BillProblem, 'file'>[]
}

export interface JsonValue {
  line: number
  value: unknown
}

export interface BillFormat {
  name: string
  /** Provider types whose requests are on such a bill; empty for those of any. */
  types: readonly string[]
  fits: (text: BillText) => boolean
  read: (text: BillText) => ReadRows
}

/** A file or row that cannot be read; its message says why and what to do. */
export class BillUnreadable extends Error {
  override readonly name = 'BillUnreadable'
  readonly line: number

  constructor(message: string, line = 1) {
    super(message)
    this.line = line
  }
}

/** Reads each row; one that cannot be read becomes a problem. Null: a row without a figure. */
export function readEach<Row extends { line: number }>(
  rows: readonly Row[],
  read: (row: Row) => BillEntry | BillEntry[] | null,
): ReadRows {
  const result: ReadRows = { entries: [], problems: [] }
  for (const row of rows) {
    try {
      const entries = read(row)
      if (Array.isArray(entries)) result.entries.push(...entries)
      else if (entries !== null) result.entries.push(entries)
    } catch (error) {
      if (!(error instanceof BillUnreadable)) throw error
      result.problems.push({ line: row.line, reason: error.message })
    }
  }
  return result
}

/** An entry of no cost and no tokens. */
export function emptyEntry(
  from: Pick<BillEntry, 'line' | 'at' | 'identity'> & Partial<BillEntry>,
): BillEntry {
  return {
    file: '',
    untilMs: null,
    model: null,
    tier: 'standard',
    requests: null,
    tokens: {},
    costs: {},
    label: null,
    decimals: null,
    isNumbered: false,
    ...from,
  }
}
