import { ArrowDown, ArrowUp } from 'lucide-react'
import { useMemo, useState, type KeyboardEvent, type ReactNode } from 'react'
import { inOrder, nextOrder, type Order, type SortValue } from './table-order.ts'
import { t } from '../../../shared/strings/strings.ts'

export interface Column {
  name: string
  /** Aligns the column to the right. */
  isFigure?: boolean
  /** Stays at the right edge when the table scrolls; its name is for screen readers only. */
  isActions?: boolean
  /** Classes of every cell: a width, or from which width of the window the column is shown. */
  className?: string
}

export interface Row {
  key: string
  cells: readonly ReactNode[]
  /** Values by column. A column with values can be sorted. */
  values?: readonly SortValue[]
  isMarked?: boolean
  /** The accessible name of the row. */
  label?: string
  className?: string
}

interface DataTableProps {
  /** The accessible name. */
  label: string
  columns: readonly Column[]
  rows: readonly Row[]
  /** A note below the table. */
  note?: ReactNode
  /** `page`: the table is the content of a page. `plain`: within a card. `small` is for details. */
  look?: 'page' | 'small' | 'plain'
  /** A row leads where the link of its first cell leads, which has `rowLinkClass`. */
  opensRows?: boolean
  /** Longer tables scroll within themselves. */
  isLimited?: boolean
  /** Content in place of rows. */
  empty?: ReactNode
}

/** Classes of the link that a whole row stands for. */
export const rowLinkClass =
  'outline-none after:absolute after:inset-0 focus-visible:after:outline-2 focus-visible:after:-outline-offset-2 focus-visible:after:outline-accent'

const looks = {
  page: { box: 'rounded-xl border border-line bg-surface', text: 'text-sm', cell: 'px-3 py-2' },
  small: {
    box: 'rounded-lg border border-line bg-surface',
    text: 'text-xs',
    cell: 'px-2.5 py-1.5',
  },
  plain: { box: '', text: 'text-xs', cell: 'py-1.5 pr-3 last:pr-0' },
}

/** A table whose first column holds row headings. It scrolls sideways when it is too wide. */
export function DataTable(props: DataTableProps) {
  const { label, columns, rows, note, look = 'small', isLimited = false, empty } = props
  const [order, setOrder] = useState<Order | null>(null)
  const sorted = useMemo(() => inOrder(rows, order), [rows, order])
  const { box, text, cell } = looks[look]
  if (rows.length === 0 && empty !== undefined) return empty
  return (
    <div className="flex min-w-0 flex-col gap-1.5">
      <div
        role="region"
        aria-label={label}
        tabIndex={0}
        // Texts for screen readers scroll with it, instead of widening the page. A cell that scrolls into view is not
        // covered by the actions, which stay at the right.
        className={`relative overflow-x-auto ${box} ${isLimited ? 'max-h-80 overflow-y-auto' : ''} ${columns.some(({ isActions }) => isActions) ? 'scroll-pr-48' : ''}`}
      >
        <table aria-label={label} className={`w-full text-left tabular-nums ${text}`}>
          <thead className={isLimited ? 'sticky top-0 z-1 bg-sunken' : ''}>
            <tr className="border-b border-line text-xs text-muted">
              {columns.map((column, index) => (
                <Head
                  key={column.name}
                  {...{ column, cell }}
                  order={order?.column === index ? order.direction : null}
                  onSort={
                    rows.some(({ values }) => (values?.[index] ?? null) !== null)
                      ? () => setOrder(nextOrder(order, index, column.isFigure === true))
                      : null
                  }
                />
              ))}
            </tr>
          </thead>
          {/* The keys are for the links within. */}
          {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions */}
          <tbody onKeyDown={moveToRow}>
            {sorted.map((row) => (
              <BodyRow
                key={row.key}
                {...{ row, columns, cell }}
                isOpening={props.opensRows === true}
              />
            ))}
          </tbody>
        </table>
      </div>
      {note && <p className="text-xs text-muted">{note}</p>}
    </div>
  )
}

interface HeadProps {
  column: Column
  cell: string
  order: Order['direction'] | null
  /** Null: the column has no order. */
  onSort: (() => void) | null
}

function Head({ column, cell, order, onSort }: HeadProps) {
  const { name, isActions = false } = column
  const Arrow = order === 'ascending' ? ArrowUp : ArrowDown
  return (
    <th
      scope="col"
      aria-sort={order ?? undefined}
      className={`font-medium whitespace-nowrap ${cell} ${classOf(column)}`}
    >
      {isActions && <span className="sr-only">{name}</span>}
      {!isActions && onSort === null && name}
      {!isActions && onSort !== null && (
        <button
          type="button"
          title={t('Sort by {column}', { column: name })}
          className="inline-flex items-center gap-1 rounded-sm hover:text-ink"
          onClick={onSort}
        >
          {name}
          {order !== null && <Arrow size={12} aria-hidden />}
        </button>
      )}
    </th>
  )
}

interface BodyRowProps {
  row: Row
  columns: readonly Column[]
  cell: string
  isOpening: boolean
}

function BodyRow({ row, columns, cell, isOpening }: BodyRowProps) {
  const { cells, isMarked = false, label, className = '' } = row
  const opening = isOpening ? 'relative focus-within:bg-hover hover:bg-hover' : ''
  return (
    <tr
      aria-label={label}
      className={`border-b border-line last:border-b-0 ${opening} ${isMarked ? 'bg-accent-soft' : ''} ${className}`}
    >
      {cells.map((content, index) => {
        const column = columns[index]
        // The head does not stay: it would cover the heads that sort.
        const stays = column?.isActions === true ? 'sticky right-0 bg-surface' : ''
        const classes = `${cell} ${column ? classOf(column) : ''} ${stays}`
        return index === 0 ? (
          <th key={index} scope="row" className={`font-medium ${classes}`}>
            {content}
          </th>
        ) : (
          <td key={index} className={classes}>
            {content}
          </td>
        )
      })}
    </tr>
  )
}

function classOf({ isFigure = false, className = '' }: Column): string {
  return `${isFigure ? 'text-right whitespace-nowrap' : ''} ${className}`
}

const steps: Readonly<Record<string, (index: number, count: number) => number>> = {
  ArrowUp: (index) => index - 1,
  ArrowDown: (index) => index + 1,
  Home: () => 0,
  End: (_index, count) => count - 1,
}

/** Arrow keys, Home and End move between the links of the rows' first cells. */
function moveToRow(event: KeyboardEvent<HTMLElement>): void {
  const links = [...event.currentTarget.querySelectorAll<HTMLElement>('th a, th button')]
  const index = links.findIndex((link) => link === event.target)
  const to = steps[event.key]?.(index, links.length)
  if (index === -1 || to === undefined) return
  links[Math.min(Math.max(to, 0), links.length - 1)]?.focus()
  event.preventDefault()
}
