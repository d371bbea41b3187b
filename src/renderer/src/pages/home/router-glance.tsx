import { Link } from '@tanstack/react-router'
import { useMemo } from 'react'
import { formatCount, formatDuration, formatUsd } from '../../../../shared/strings/format.ts'
import type { UsageFigures } from '../../../../shared/requests/usage.ts'
import { RequestsLink } from '../../components/requests-link.tsx'
import { useRouters } from '../../stores/routers.ts'
import { errorsOf } from '../../usage/errors.ts'
import type { RangeName } from '../../usage/range.ts'
import { useRange } from '../../usage/use-range.ts'
import { useRangedReport } from '../../usage/use-ranged-report.ts'
import { Panel } from './panel.tsx'
import { t } from '../../../../shared/strings/strings.ts'

/** The routers with their figures of the range; each number leads to its requests. */
export function RouterGlance() {
  const [range] = useRange()
  // Points are not shown.
  const whole = useMemo(() => ({ ...range, bucketMs: range.toMs - range.fromMs }), [range])
  const routers = useRouters((state) => state.items)
  const { shown } = useRangedReport({ group: 'router' }, whole)
  const figures = new Map(shown?.report.groups.map((group) => [group.name, group.figures]))
  const busiest = routers?.toSorted(
    (a, b) => (figures.get(b.id)?.requests ?? 0) - (figures.get(a.id)?.requests ?? 0),
  )
  return (
    <Panel title={t('Routers')} link={{ to: '/routers', label: t('All routers') }}>
      <div role="region" aria-label={t('Routers')} tabIndex={0} className="overflow-x-auto">
        <table className="w-full text-left text-xs tabular-nums">
          <thead>
            <tr className="text-muted">
              <th scope="col" className="py-1.5 pr-3 font-medium">
                {t('Router')}
              </th>
              {['Requests', 'Errors', 'Spend', 'p95'].map((title) => (
                <th key={title} scope="col" className="py-1.5 pl-3 text-right font-medium">
                  {title}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {busiest?.map(({ id, name }) => (
              <tr key={id} className="border-t border-line/60">
                <th scope="row" className="max-w-48 truncate py-1.5 pr-3 font-medium">
                  <Link
                    to="/routers/$routerId"
                    params={{ routerId: id }}
                    className="hover:underline"
                  >
                    {name}
                  </Link>
                </th>
                <Cells routerId={id} figures={figures.get(id)} range={shown?.range.name ?? null} />
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </Panel>
  )
}

interface CellsProps {
  routerId: string
  /** Absent without requests in the range. */
  figures: UsageFigures | undefined
  /** Of the figures; null until they are loaded. */
  range: RangeName | null
}

const cellClass = 'py-1.5 pl-3 text-right'

function Cells({ routerId, figures, range }: CellsProps) {
  if (!figures || range === null) {
    return ['requests', 'errors', 'spend', 'p95'].map((name) => (
      <td key={name} className={`${cellClass} text-muted`}>
        {name === 'requests' && range !== null ? '0' : '—'}
      </td>
    ))
  }
  const { requests, costUsd, latencyMs } = figures
  const errors = errorsOf(figures)
  return (
    <>
      <td className={cellClass}>
        <RequestsLink filter={{ routerId }} range={range}>
          {formatCount(requests)}
        </RequestsLink>
      </td>
      <td className={cellClass}>
        <RequestsLink
          filter={{ routerId, end: 'error' }}
          range={range}
          className={`rounded-sm hover:underline ${errors > 0 ? 'text-bad' : 'text-muted'}`}
        >
          {formatCount(errors)}
        </RequestsLink>
      </td>
      <td className={cellClass}>
        <RequestsLink filter={{ routerId }} range={range}>
          {formatUsd(costUsd)}
        </RequestsLink>
      </td>
      <td className={cellClass}>
        <RequestsLink filter={{ routerId, end: 'answered' }} range={range}>
          {formatDuration(latencyMs?.p95 ?? null)}
        </RequestsLink>
      </td>
    </>
  )
}
