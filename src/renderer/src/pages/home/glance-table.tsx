import type { ReactNode } from 'react'
import { formatCount, formatUsd } from '../../../../shared/strings/format.ts'
import type { RequestFilter } from '../../../../shared/requests/search.ts'
import type { UsageFigures } from '../../../../shared/requests/usage.ts'
import { RequestsLink } from '../../components/requests-link.tsx'
import { errorsOf } from '../../usage/errors.ts'
import type { RangeName } from '../../usage/range.ts'
import { t } from '../../../../shared/strings/strings.ts'

export interface GlanceRow {
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
  rows: readonly GlanceRow[]
  /** Of the figures; null until they are loaded. */
  range: RangeName | null
}

const headClass = 'py-1.5 pl-3 text-right font-medium'

/** Requests, errors and spend by router or by caller; each number leads to its requests. */
export function GlanceTable({ label, head, rows, range }: GlanceTableProps) {
  return (
    <div role="region" aria-label={label} tabIndex={0} className="overflow-x-auto">
      <table className="w-full text-left text-xs tabular-nums">
        <thead>
          <tr className="text-muted">
            <th scope="col" className="py-1.5 pr-3 font-medium">
              {head}
            </th>
            {[t('Requests'), t('Errors'), t('Spend')].map((title) => (
              <th key={title} scope="col" className={headClass}>
                {title}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <tr key={row.id} className="border-t border-line/60">
              <th scope="row" className="max-w-48 truncate py-1.5 pr-3 font-medium">
                {row.name}
              </th>
              <Cells row={row} range={range} />
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}

const cellClass = 'py-1.5 pl-3 text-right'

function Cells({ row: { filter, figures }, range }: { row: GlanceRow; range: RangeName | null }) {
  if (!figures || range === null) {
    return ['requests', 'errors', 'spend'].map((name) => (
      <td key={name} className={`${cellClass} text-muted`}>
        {name === 'requests' && range !== null ? '0' : '—'}
      </td>
    ))
  }
  const errors = errorsOf(figures)
  return (
    <>
      <td className={cellClass}>
        <RequestsLink filter={filter} range={range}>
          {formatCount(figures.requests)}
        </RequestsLink>
      </td>
      <td className={cellClass}>
        <RequestsLink
          filter={{ ...filter, end: 'error' }}
          range={range}
          className={`rounded-sm hover:underline ${errors > 0 ? 'text-bad' : 'text-muted'}`}
        >
          {formatCount(errors)}
        </RequestsLink>
      </td>
      <td className={cellClass}>
        <RequestsLink filter={filter} range={range}>
          {formatUsd(figures.costUsd)}
        </RequestsLink>
      </td>
    </>
  )
}
