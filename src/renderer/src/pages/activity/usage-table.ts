/** The table of the page Usage, and its cells as a CSV file. */
import {
  formatCount,
  formatDuration,
  formatGrams,
  formatShare,
  formatTokens,
  formatUsd,
} from '../../../../shared/strings/format.ts'
import type { UsageFigures } from '../../../../shared/requests/usage.ts'
import { allTokens } from '../../charts/tokens.ts'
import { errorsOf } from '../../usage/errors.ts'
import type { GroupRow } from './grouping.ts'
import { t } from '../../../../shared/strings/strings.ts'

export const measures = ['requests', 'spend', 'tokens', 'carbon'] as const
export type Measure = (typeof measures)[number]

export const measureWords: Readonly<Record<Measure, string>> = {
  requests: t('Requests'),
  spend: t('Spend'),
  tokens: t('Tokens'),
  carbon: t('Carbon'),
}

const shareWords: Readonly<Record<Measure, string>> = {
  requests: t('Share of requests'),
  spend: t('Share of spend'),
  tokens: t('Share of tokens'),
  carbon: t('Share of carbon'),
}

const measured: Readonly<Record<Measure, (figures: UsageFigures) => number>> = {
  requests: ({ requests }) => requests,
  spend: ({ costUsd }) => costUsd,
  tokens: allTokens,
  carbon: ({ carbonGrams }) => carbonGrams,
}

export function measureOf(figures: UsageFigures, measure: Measure): number {
  return measured[measure](figures)
}

export function formatMeasure(value: number, measure: Measure): string {
  if (measure === 'spend') return formatUsd(value)
  if (measure === 'carbon') return formatGrams(value)
  return measure === 'tokens' ? formatTokens(value) : formatCount(value)
}

interface FigureColumn {
  name: string
  /** Name with its unit, for the file. */
  csvName: string
  valueOf: (figures: UsageFigures) => number | null
  format: (value: number | null) => string
  /** Left out of the table when it has no value above zero. */
  isOptional?: boolean
}

const figureColumns: readonly FigureColumn[] = [
  column(t('Requests'), t('Requests'), ({ requests }) => requests),
  column(t('Errors'), t('Errors'), errorsOf),
  { ...column(t('Spend'), t('Spend (USD)'), ({ costUsd }) => costUsd), format: formatUsd },
  tokenColumn(t('Prompt'), 'input'),
  { ...tokenColumn(t('Cache read'), 'cacheRead'), isOptional: true },
  { ...tokenColumn(t('Cache write'), 'cacheWrite'), isOptional: true },
  tokenColumn(t('Answer'), 'output'),
  { ...tokenColumn(t('Reasoning'), 'reasoning'), isOptional: true },
  {
    ...column('p95', t('p95 (ms)'), ({ latencyMs }) => latencyMs?.p95 ?? null),
    format: formatDuration,
  },
  {
    ...column('CO₂e', t('CO2e estimate (g)'), ({ carbonGrams }) => carbonGrams),
    format: formatGrams,
  },
]

function column(name: string, csvName: string, valueOf: FigureColumn['valueOf']): FigureColumn {
  return { name, csvName, valueOf, format: formatCount }
}

function tokenColumn(name: string, token: keyof UsageFigures['tokens']): FigureColumn {
  const valueOf = ({ tokens }: UsageFigures) => tokens[token]
  return { ...column(name, t('{name} (tokens)', { name }), valueOf), format: formatTokens }
}

export interface UsageTable {
  /** Columns without the first, the name. */
  columns: readonly Pick<FigureColumn, 'name' | 'csvName' | 'isOptional'>[]
  rows: readonly UsageRow[]
  total: UsageRow
}

export interface UsageRow {
  row: GroupRow
  /** Values in the order of `columns`, as shown and unrounded. */
  cells: readonly { text: string; value: number | null }[]
}

/** Groups in the order of the measure; days in the order of time. */
export function usageTable(
  rows: readonly GroupRow[],
  total: UsageFigures,
  { measure, isByTime }: { measure: Measure; isByTime: boolean },
): UsageTable {
  const all = measureOf(total, measure)
  const shareOf = (figures: UsageFigures) => (all > 0 ? measureOf(figures, measure) / all : null)
  const share: FigureColumn = {
    name: shareWords[measure],
    csvName: t('{share} (0 to 1)', { share: shareWords[measure] }),
    valueOf: shareOf,
    format: (value: number | null) => (value === null ? '—' : formatShare(value)),
  }
  const columns = [share, ...figureColumns]
  const rowOf = (row: GroupRow): UsageRow => ({
    row,
    cells: columns.map(({ valueOf, format }) => {
      const value = valueOf(row.figures)
      return { text: format(value), value }
    }),
  })
  const sorted = isByTime
    ? rows
    : rows.toSorted((a, b) => measureOf(b.figures, measure) - measureOf(a.figures, measure))
  return {
    columns,
    rows: sorted.map(rowOf),
    total: rowOf({ id: '', name: t('Total'), figures: total, filter: null }),
  }
}

/** The table without optional columns that are zero in every row. */
export function withoutEmptyColumns({ columns, rows, total }: UsageTable): UsageTable {
  const isShown = columns.map(
    ({ isOptional = false }, index) =>
      !isOptional || [...rows, total].some(({ cells }) => (cells[index]?.value ?? 0) > 0),
  )
  const shown = <Item>(items: readonly Item[]) => items.filter((_, index) => isShown[index])
  const shownRow = ({ row, cells }: UsageRow): UsageRow => ({ row, cells: shown(cells) })
  return { columns: shown(columns), rows: rows.map(shownRow), total: shownRow(total) }
}

/** All columns of the table, unrounded, as RFC 4180 has it. */
export function usageCsv(firstColumn: string, { columns, rows, total }: UsageTable): string {
  const lines = [
    [firstColumn, ...columns.map(({ csvName }) => csvName)],
    ...[...rows, total].map(({ row, cells }) => [
      row.name,
      ...cells.map(({ value }) => (value === null ? '' : String(value))),
    ]),
  ]
  return lines.map((cells) => `${cells.map(csvField).join(',')}\r\n`).join('')
}

/** A spreadsheet would run a text that begins like a formula. Figures are never negative. */
function csvField(text: string): string {
  const safe = /^[=+\-@\t\r]/.test(text) ? `'${text}` : text
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe
}
