import { useVirtualizer } from '@tanstack/react-virtual'
import { ArrowDown, ArrowUp } from 'lucide-react'
import { memo, useCallback, useEffect, useRef } from 'react'
import { formatCount, formatTokens, formatUsd } from '../../../../shared/strings/format.ts'
import type { ListedModel } from '../../../../shared/models/listed-model.ts'
import { formatRated } from '../../../../shared/models/quality-words.ts'
import type { UsageFigures } from '../../../../shared/requests/usage.ts'
import { AbilityList } from '../../components/ability-list.tsx'
import { Badge } from '../../components/badge.tsx'
import { useRowHeight } from '../../components/theme.ts'
import { ProviderMark } from '../../components/provider-mark.tsx'
import { energyText } from './energy-words.ts'
import { sortDirection, type SortName } from './model-rows.ts'
import { sortSearch, useModelFilter } from './use-model-filter.ts'
import { t } from '../../../../shared/strings/strings.ts'

/** Height in pixels. */
const rowHeights = { comfortable: 44, compact: 34 }
const headerHeight = 32

interface ModelColumn {
  title: string
  sort?: SortName
  isFigure?: boolean
  hint?: string
  isWideOnly?: boolean
}

const columns: readonly ModelColumn[] = [
  { title: t('Model'), sort: 'name' },
  { title: t('Input'), isFigure: true, hint: t('US dollars per million tokens') },
  { title: t('Output'), sort: 'price', isFigure: true, hint: t('US dollars per million tokens') },
  { title: t('Context'), sort: 'context', isFigure: true, hint: t('Tokens of prompt and answer') },
  { title: t('Abilities') },
  {
    title: t('Quality'),
    sort: 'quality',
    isFigure: true,
    hint: t('Chance of a good answer, from 0 to 100, by LMArena and LiveBench'),
  },
  {
    title: t('Energy'),
    sort: 'energy',
    isFigure: true,
    hint: t('Watt-hours per thousand output tokens'),
    isWideOnly: true,
  },
  {
    title: t('Today'),
    isFigure: true,
    hint: t('Requests and spend since midnight'),
    isWideOnly: true,
  },
]

/** In a narrow window, without the energy and today's use: the pane of a model has them. */
const tracks =
  'grid items-center grid-cols-[minmax(15rem,1fr)_4.75rem_4.75rem_4.75rem_9.5rem_6.5rem_5.75rem_7rem] max-[64rem]:grid-cols-[minmax(12rem,1fr)_4.75rem_4.75rem_4.75rem_9.5rem_6.5rem]'
const wideOnly = 'max-[64rem]:hidden'

interface ModelTableProps {
  rows: readonly ListedModel[]
  /** Today's figures by model id. */
  today: ReadonlyMap<string, UsageFigures>
}

/** The models, of which only the visible rows exist. */
export function ModelTable({ rows, today }: ModelTableProps) {
  const scroller = useRef<HTMLDivElement>(null)
  const { openId, setSearch } = useModelFilter()
  const hasOpen = openId !== null
  const open = useCallback(
    (modelId: string) => setSearch({ model: modelId }, { replace: hasOpen }),
    [setSearch, hasOpen],
  )
  const rowHeight = useRowHeight(rowHeights)
  // oxlint-disable-next-line react/incompatible-library -- no compiler memoizes this component
  const virtual = useVirtualizer({
    count: rows.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => rowHeight,
    overscan: 4,
    paddingStart: headerHeight,
    scrollPaddingStart: headerHeight,
  })
  useEffect(() => virtual.measure(), [virtual, rowHeight])
  return (
    <div
      ref={scroller}
      role="region"
      aria-label={t('List of models')}
      tabIndex={0}
      className="relative min-h-0 flex-1 overflow-auto overscroll-contain rounded-lg border border-line bg-surface text-sm tabular-nums focus-visible:outline-offset-[-2px]"
    >
      <div
        role="table"
        aria-label={t('Models')}
        aria-rowcount={rows.length + 1}
        style={{ height: virtual.getTotalSize() }}
        className="relative min-w-max"
      >
        <Header />
        {virtual.getVirtualItems().map(({ index, start, size }) => {
          const row = rows[index]
          return (
            row && (
              <ModelRow
                key={row.model.id}
                row={row}
                index={index}
                top={start}
                height={size}
                isOpen={row.model.id === openId}
                figures={today.get(row.model.id)}
                onOpen={open}
              />
            )
          )
        })}
      </div>
    </div>
  )
}

function Header() {
  const { wanted, setSearch } = useModelFilter()
  const direction = sortDirection(wanted)
  const Arrow = direction === 'ascending' ? ArrowUp : ArrowDown
  return (
    <div
      role="row"
      aria-rowindex={1}
      style={{ height: headerHeight }}
      className={`sticky top-0 z-1 ${tracks} border-b border-line bg-sunken text-xs text-muted`}
    >
      {columns.map(({ title, sort, isFigure, hint, isWideOnly }) => (
        <div
          key={title}
          role="columnheader"
          title={hint}
          aria-sort={sort === wanted.sort ? direction : undefined}
          className={`px-3 font-medium ${isFigure ? 'text-right' : ''} ${isWideOnly ? wideOnly : ''}`}
        >
          {sort === undefined ? (
            title
          ) : (
            <button
              type="button"
              onClick={() => setSearch(sortSearch(wanted, sort))}
              className="inline-flex items-center gap-1 rounded-sm hover:text-ink"
            >
              {title}
              {sort === wanted.sort && <Arrow size={12} aria-hidden />}
            </button>
          )}
        </div>
      ))}
    </div>
  )
}

interface ModelRowProps {
  row: ListedModel
  index: number
  top: number
  /** Height in pixels. */
  height: number
  isOpen: boolean
  figures: UsageFigures | undefined
  onOpen: (modelId: string) => void
}

/** Drawn again only when its own values change: a table is rendered several times while it opens. */
const ModelRow = memo(function ModelRow(props: ModelRowProps) {
  const { row, index, top, height, isOpen, figures, onOpen } = props
  const { model, isOwn, typeName, energy } = row
  return (
    <div
      role="row"
      aria-rowindex={index + 2}
      aria-current={isOpen || undefined}
      style={{ height, transform: `translateY(${top}px)` }}
      className={`absolute inset-x-0 top-0 ${tracks} border-b border-line ${isOpen ? 'bg-accent-soft' : 'hover:bg-hover'}`}
    >
      <div role="rowheader" className="flex min-w-0 items-center gap-2.5 px-3">
        <ProviderMark name={typeName} size="size-6" />
        <button
          type="button"
          onClick={() => onOpen(model.id)}
          title={model.id}
          data-model={model.id}
          className="min-w-0 rounded-sm text-left font-medium before:absolute before:inset-0"
        >
          <span className="block truncate leading-tight">
            {model.id.slice(model.providerId.length + 1)}
          </span>{' '}
          <span className="block truncate text-xs leading-tight font-normal text-muted">
            {model.providerId}
          </span>
        </button>
        {isOwn && <Badge tone="ok">{t('yours')}</Badge>}
      </div>
      <Figure>{formatUsd(model.inputUsdPerMtok)}</Figure>
      <Figure>{formatUsd(model.outputUsdPerMtok)}</Figure>
      <Figure>{formatTokens(model.contextTokens)}</Figure>
      <div role="cell" className="px-3">
        <AbilityList model={model} />
      </div>
      <Figure>{model.rating === null ? '—' : formatRated(model.rating)}</Figure>
      <Figure isWideOnly>{energyText(energy)}</Figure>
      <Figure isWideOnly>{figures === undefined ? '—' : todayText(figures)}</Figure>
    </div>
  )
})

function todayText({ requests, costUsd }: UsageFigures): string {
  return `${formatCount(requests)} · ${formatUsd(costUsd)}`
}

function Figure({ children, isWideOnly }: { children: string; isWideOnly?: boolean }) {
  return (
    <div role="cell" className={`truncate px-3 text-right text-xs ${isWideOnly ? wideOnly : ''}`}>
      {children}
    </div>
  )
}
