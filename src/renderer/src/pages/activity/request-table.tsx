import { useVirtualizer, type Virtualizer } from '@tanstack/react-virtual'
import { useEffect, useRef, useState, type KeyboardEvent, type RefObject } from 'react'
import { formatDay } from '../../../../shared/strings/format.ts'
import {
  followRequests,
  loadRequestPage,
  pageRows,
  positionOf,
  requestAt,
  useRequestList,
} from '../../stores/request-list.ts'
import { columnOf, tableWidth, tracksOf, type ColumnName } from './columns.tsx'
import { useRowHeight } from '../../components/theme.ts'
import { RequestRow, rowHeights, rowId } from './request-row.tsx'
import { stepOf } from './steps.ts'
import { fitColumns, useColumns } from './use-columns.ts'
import { useRowNames } from './use-row-names.ts'
import { t } from '../../../../shared/strings/strings.ts'

interface RequestTableProps {
  isPaused: boolean
  /** The request in the inspector. */
  openId: string | null
  onOpen: (id: string) => void
  scroller: RefObject<HTMLDivElement | null>
}

/** More rows would be taller than a browser can lay out. Filters reach the others. */
const mostRows = 1_000_000
const headerHeight = 32

/** The requests of the filter, newest first. Only the visible rows exist. */
export function RequestTable({ isPaused, openId, onOpen, scroller }: RequestTableProps) {
  const { columns } = useColumns()
  const rowHeight = useRowHeight(rowHeights)
  const total = Math.min(useRequestList((list) => list.total) ?? 0, mostRows)
  // oxlint-disable-next-line react/incompatible-library -- no compiler memoizes this component
  const rows = useVirtualizer({
    count: total,
    getScrollElement: () => scroller.current,
    estimateSize: () => rowHeight,
    overscan: 4,
    paddingStart: headerHeight,
    scrollPaddingStart: headerHeight,
    // Rendering in a task of its own keeps each task short.
    useFlushSync: false,
  })
  useEffect(() => rows.measure(), [rows, rowHeight])
  const [isAtTop, setIsAtTop] = useState(true)
  useEffect(() => followRequests(isAtTop && !isPaused), [isAtTop, isPaused])
  useVisiblePages(rows)
  useFittingColumns(scroller)
  const { activeIndex, onKeyDown, activate } = useActiveRow({ rows, openId, onOpen })
  const isShown = rows.getVirtualItems().some(({ index }) => index === activeIndex)
  return (
    <div
      ref={scroller}
      role="grid"
      aria-label={t('Requests')}
      aria-rowcount={total + 1}
      aria-activedescendant={isShown ? rowId(activeIndex) : undefined}
      tabIndex={0}
      onKeyDown={onKeyDown}
      onScroll={({ currentTarget }) => setIsAtTop(currentTarget.scrollTop < rowHeight)}
      className="relative min-h-0 flex-1 overflow-auto overscroll-contain rounded-lg border border-line bg-surface text-xs tabular-nums focus-visible:outline-offset-[-2px]"
    >
      <div
        style={{ height: rows.getTotalSize(), minWidth: `${tableWidth(columns)}rem` }}
        className="relative"
      >
        <Header columns={columns} firstIndex={Math.floor((rows.scrollOffset ?? 0) / rowHeight)} />
        <Rows {...{ rows, columns, activeIndex, openId }} onChoose={activate} />
      </div>
    </div>
  )
}

type Rows = Virtualizer<HTMLDivElement, Element>

/** Column titles. Above the times stands the day of the first visible row. */
function Header({ columns, firstIndex }: { columns: readonly ColumnName[]; firstIndex: number }) {
  const first = useRequestList((list) => requestAt(list, firstIndex))
  return (
    <div
      role="row"
      aria-rowindex={1}
      style={{ gridTemplateColumns: tracksOf(columns), height: headerHeight }}
      className="sticky top-0 z-1 grid items-center border-b border-line bg-sunken text-muted"
    >
      <div role="columnheader" className="truncate px-3 font-medium">
        {first === null ? t('Time') : formatDay(first.startedAtMs)}
        <span className="sr-only">, {t('time of day')}</span>
      </div>
      {columns.map((name) => {
        const { title, shortTitle, isFigure } = columnOf(name)
        return (
          <div
            key={name}
            role="columnheader"
            title={title}
            className={`truncate px-3 font-medium ${isFigure ? 'text-right' : ''}`}
          >
            {shortTitle === undefined ? (
              title
            ) : (
              <abbr className="no-underline" title={title}>
                {shortTitle}
              </abbr>
            )}
          </div>
        )
      })}
    </div>
  )
}

interface RowsProps {
  rows: Rows
  columns: readonly ColumnName[]
  activeIndex: number
  openId: string | null
  onChoose: (index: number, id: string) => void
}

function Rows({ rows, columns, activeIndex, openId, onChoose }: RowsProps) {
  const list = useRequestList()
  const names = useRowNames()
  const items = rows.getVirtualItems()
  // Elements that leave on one side are used again on the other, which is faster than making new ones.
  const reused = 2 ** Math.ceil(Math.log2(items.length + 1))
  return items.map(({ index, start, size }) => {
    const request = requestAt(list, index)
    const above = index === 0 ? null : requestAt(list, index - 1)
    return (
      <RequestRow
        key={index % reused}
        {...{ index, start, request, columns, names, onChoose }}
        height={size}
        aboveMs={above?.startedAtMs ?? null}
        isActive={index === activeIndex}
        isOpen={request !== null && request.id === openId}
      />
    )
  })
}

/** Shows the columns that fit, also while the width changes. */
function useFittingColumns(scroller: RefObject<HTMLDivElement | null>): void {
  useEffect(() => {
    const element = scroller.current
    if (!element) return
    const resizing = new ResizeObserver(() => fitColumns(element.clientWidth))
    resizing.observe(element)
    return () => resizing.disconnect()
  }, [scroller])
}

/** Loads the pages of the visible rows once scrolling rests on them for a moment. */
function useVisiblePages(rows: Rows): void {
  const items = rows.getVirtualItems()
  const pages = useRequestList((list) => list.pages)
  const first = Math.floor((items[0]?.index ?? 0) / pageRows)
  const last = Math.floor((items.at(-1)?.index ?? 0) / pageRows)
  const isMissing = pages[first] === undefined || pages[last] === undefined
  useEffect(() => {
    if (!isMissing || items.length === 0) return
    const timer = setTimeout(() => {
      void loadRequestPage(first)
      if (last !== first) void loadRequestPage(last)
    }, restMs)
    return () => clearTimeout(timer)
  }, [first, last, isMissing, items.length])
}

/** Shorter than a person notices; a page that only passes by is not asked for. */
const restMs = 40

interface ActiveRowOptions {
  rows: Rows
  openId: string | null
  onOpen: (id: string) => void
}

/** The row that arrow keys move. Enter opens it; while one is open, the inspector follows. */
function useActiveRow({ rows, openId, onOpen }: ActiveRowOptions) {
  const list = useRequestList()
  const [active, setActive] = useState<{ index: number; id: string | null } | null>(null)
  const found = active?.id ? positionOf(list, active.id) : null
  const opened = openId === null ? null : positionOf(list, openId)
  const activeIndex = found ?? active?.index ?? opened ?? -1
  const wanted = useRef(false)
  const request = activeIndex < 0 ? null : requestAt(list, activeIndex)
  useEffect(() => {
    // A row that was not loaded when the keys reached it.
    if (!wanted.current || request === null) return
    wanted.current = false
    onOpen(request.id)
  }, [request, onOpen])

  function activate(index: number, id: string): void {
    setActive({ index, id })
    onOpen(id)
  }
  function onKeyDown(event: KeyboardEvent): void {
    if (event.target !== event.currentTarget || event.altKey || event.metaKey) return
    if (event.key === 'Enter' && request) onOpen(request.id)
    const pageSize = Math.max(
      1,
      Math.floor((rows.scrollRect?.height ?? 0) / rows.options.estimateSize(0)) - 2,
    )
    const index = stepOf(event.key, { index: activeIndex, count: rows.options.count, pageSize })
    if (index === null) return
    event.preventDefault()
    const row = requestAt(list, index)
    setActive({ index, id: row?.id ?? null })
    rows.scrollToIndex(index)
    if (openId === null) return
    if (row) onOpen(row.id)
    else wanted.current = true
  }
  return { activeIndex, onKeyDown, activate }
}
