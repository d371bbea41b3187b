import { memo } from 'react'
import { formatTimeMark } from '../../../../shared/strings/format.ts'
import type { ListedRequest } from '../../../../shared/requests/search.ts'
import { columnOf, TimeCell, tracksOf, type ColumnName, type RowNames } from './columns.tsx'
import { t } from '../../../../shared/strings/strings.ts'

/** Height in pixels. */
export const rowHeights = { comfortable: 32, compact: 26 }

/** The id of a row's element. */
export function rowId(index: number): string {
  return `request-row-${index}`
}

interface RequestRowProps {
  index: number
  /** Distance from the top of the list, in pixels. */
  start: number
  /** Height in pixels. */
  height: number
  /** Null until loaded. */
  request: ListedRequest | null
  /** The time of the row above it. */
  aboveMs: number | null
  columns: readonly ColumnName[]
  names: RowNames
  /** The arrow keys are here. */
  isActive: boolean
  /** True if the inspector shows it. */
  isOpen: boolean
  onChoose: (index: number, id: string) => void
}

/** One row of the list. The first of a day names the day. */
export const RequestRow = memo(function RequestRow(props: RequestRowProps) {
  const { index, start, height, request, aboveMs, columns, names, isActive, isOpen, onChoose } =
    props
  const day = request && dayMark(request.startedAtMs, aboveMs)
  return (
    // The grid has the keys: it is the one stop of the Tab key.
    // oxlint-disable-next-line jsx-a11y/click-events-have-key-events
    <div
      id={rowId(index)}
      role="row"
      aria-rowindex={index + 2}
      aria-selected={isActive}
      aria-current={isOpen || undefined}
      onClick={() => request && onChoose(index, request.id)}
      style={{
        height,
        transform: `translateY(${start}px)`,
        gridTemplateColumns: tracksOf(columns),
      }}
      className={`absolute top-0 left-0 grid w-full items-center border-t contain-strict hover:bg-hover ${
        day === null ? 'border-line/60' : 'border-edge/70'
      } ${isOpen ? 'bg-accent-soft' : ''} ${isActive ? 'outline-2 -outline-offset-2 outline-accent/70' : ''}`}
    >
      {/* The cells stay when the row is reused: new elements are what makes scrolling slow. */}
      <div role="gridcell" className={cellClass(request, false)}>
        {request === null ? (
          <span className="sr-only">{t('Loading…')}</span>
        ) : (
          <TimeCell atMs={request.startedAtMs} day={day} />
        )}
      </div>
      {columns.map((name) => {
        const { cell, isFigure } = columnOf(name)
        return (
          <div key={name} role="gridcell" className={cellClass(request, isFigure)}>
            {request && cell(request, names)}
          </div>
        )
      })}
    </div>
  )
})

/** The day of a row that is the first of its day in the list; null for others. */
function dayMark(atMs: number, aboveMs: number | null): string | null {
  if (aboveMs === null || isSameDay(atMs, aboveMs)) return null
  return formatTimeMark(atMs, dayMs)
}

const dayMs = 86_400_000

function isSameDay(atMs: number, otherMs: number): boolean {
  return new Date(atMs).setHours(0, 0, 0, 0) === new Date(otherMs).setHours(0, 0, 0, 0)
}

/** Classes of a cell. Until the request is loaded, a bar takes its place. */
function cellClass(request: ListedRequest | null, isFigure: boolean | undefined): string {
  if (request === null) return 'px-3 before:block before:h-2.5 before:rounded-full before:bg-line'
  return isFigure ? 'truncate px-3 text-right' : 'truncate px-3'
}
