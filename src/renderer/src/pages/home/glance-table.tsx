import type { ReactNode } from 'react'
import { formatCount, formatUsd } from '../../../../shared/strings/format.ts'
import type { RequestFilter } from '../../../../shared/requests/search.ts'
import type { UsageFigures } from '../../../../shared/requests/usage.ts'
import { DataTable, type Column } from '../../components/data-table.tsx'
import { Skeleton } from '../../components/page.tsx'
import { RequestsLink } from '../../components/requests-link.tsx'
import { errorsOf } from '../../usage/errors.ts'
import type { RangeName } from '../../usage/range.ts'
import { t } from '../../../../shared/strings/strings.ts'

interface GlanceRow {
  id: string
  name: ReactNode
  filter: Partial<RequestFilter>
  /** Absent without requests in the range. */
  figures: UsageFigures | undefined
}

interface GlanceTableProps {
  label: string
  /** What each row is. */
  head: string
  /** Null until they are loaded. */
  rows: readonly GlanceRow[] | null
  /** Range of the figures; null until they are loaded. */
  range: RangeName | null
}

/** Requests, errors and spend by router or by caller; each number leads to its requests. */
export function GlanceTable({ label, head, rows, range }: GlanceTableProps) {
  if (rows === null) return <Skeleton>{t('Loading figures…')}</Skeleton>
  const columns: readonly Column[] = [
    { name: head, className: 'max-w-48 truncate' },
    { name: t('Requests'), isFigure: true },
    { name: t('Errors'), isFigure: true },
    { name: t('Spend'), isFigure: true },
  ]
  return (
    <DataTable
      {...{ label, columns }}
      look="plain"
      rows={rows.map((row) => ({
        key: row.id,
        cells: [row.name, ...figureCells(row, range)],
        values: [
          null,
          row.figures?.requests ?? 0,
          row.figures ? errorsOf(row.figures) : 0,
          row.figures?.costUsd ?? 0,
        ],
      }))}
    />
  )
}

function figureCells({ filter, figures }: GlanceRow, range: RangeName | null): ReactNode[] {
  if (!figures || range === null) return [range === null ? '—' : '0', '—', '—']
  const errors = errorsOf(figures)
  return [
    <RequestsLink key="requests" filter={filter} range={range}>
      {formatCount(figures.requests)}
    </RequestsLink>,
    <RequestsLink
      key="errors"
      filter={{ ...filter, end: 'error' }}
      range={range}
      className={`rounded-sm hover:underline ${errors > 0 ? 'text-bad' : 'text-muted'}`}
    >
      {formatCount(errors)}
    </RequestsLink>,
    <RequestsLink key="spend" filter={filter} range={range}>
      {formatUsd(figures.costUsd)}
    </RequestsLink>,
  ]
}
