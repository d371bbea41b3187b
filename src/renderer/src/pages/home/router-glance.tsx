import { Link } from '@tanstack/react-router'
import { useMemo } from 'react'
import { useRouters } from '../../stores/routers.ts'
import { useRange } from '../../usage/use-range.ts'
import { useRangedReport } from '../../usage/use-ranged-report.ts'
import { useRowNames } from '../activity/use-row-names.ts'
import { GlanceTable } from './glance-table.tsx'
import { Panel } from './panel.tsx'
import { t } from '../../../../shared/strings/strings.ts'

/** The report of the page's range, without points, which are not shown. */
function useGroups(group: 'router' | 'key') {
  const [range] = useRange()
  const whole = useMemo(() => ({ ...range, bucketMs: range.toMs - range.fromMs }), [range])
  const { shown } = useRangedReport({ group }, whole)
  return { groups: shown?.report.groups ?? null, range: shown?.range.name ?? null }
}

/** The routers with their figures of the range, the busiest first. */
export function RouterGlance() {
  const { groups, range } = useGroups('router')
  const routers = useRouters((state) => state.items)
  const hasFailed = useRouters((state) => state.error !== null)
  const figures = new Map(groups?.map((group) => [group.name, group.figures]))
  const requestsOf = (id: string) => figures.get(id)?.requests ?? 0
  if (routers?.length === 0 || (hasFailed && !routers)) return null
  const busiest = routers?.toSorted((a, b) => requestsOf(b.id) - requestsOf(a.id)) ?? null
  return (
    <Panel title={t('Routers')} link={{ to: '/routers', label: t('All routers') }}>
      <GlanceTable
        label={t('Routers')}
        head={t('Router')}
        range={range}
        rows={
          busiest?.map(({ id, name }) => ({
            id,
            name: (
              <Link
                to="/routers/$routerId"
                params={{ routerId: id }}
                className="block truncate hover:underline"
                title={name}
              >
                {name}
              </Link>
            ),
            filter: { routerId: id },
            figures: figures.get(id),
          })) ?? null
        }
      />
    </Panel>
  )
}

/** How many callers are shown; the others are on the page of all keys. */
const mostCallers = 5

/** Shows who sent the requests of the range: the programs by their keys, and the chat. Empty without requests. */
export function CallerGlance() {
  const { groups, range } = useGroups('key')
  const names = useRowNames()
  if (groups === null || groups.length === 0) return null
  return (
    <Panel title={t('Used by')} link={{ to: '/connect', label: t('All API keys') }}>
      <GlanceTable
        label={t('Used by')}
        head={t('API key')}
        range={range}
        rows={groups.slice(0, mostCallers).map(({ name, figures }) => ({
          id: name,
          name: name === '' ? t('Without a key') : names.key(name),
          filter: { apiKeyId: name },
          figures,
        }))}
      />
    </Panel>
  )
}
