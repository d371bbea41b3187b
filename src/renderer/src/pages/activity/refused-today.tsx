import { formatCount, formatRelativeTime } from '../../../../shared/strings/format.ts'
import type { RefusalKind } from '../../../../shared/requests/refusal.ts'
import { DataTable } from '../../components/data-table.tsx'
import { useNow } from '../../components/use-now.ts'
import { useRefusals } from '../../stores/refusals.ts'
import type { RowNames } from './columns.tsx'
import { useRowNames } from './use-row-names.ts'
import { t } from '../../../../shared/strings/strings.ts'

/** The columns of a refusal, and its cells. */
export const kindColumns = [
  { name: t('Error') },
  { name: t('Called') },
  { name: t('Key') },
  { name: t('Router') },
]

export function kindCells({ code, door, apiKeyId, routerId }: RefusalKind, names: RowNames) {
  return [
    <code key="code" className="font-mono">
      {code}
    </code>,
    door,
    names.key(apiKeyId) ?? '—',
    routerId === null ? '—' : names.router(routerId),
  ]
}

/** Requests that Modelport itself refused in the last 24 hours, by error; nothing when there were none. */
export function RefusedToday({ routerId, most = 50 }: { routerId?: string; most?: number }) {
  const names = useRowNames()
  const nowMs = useNow()
  const counts = useRefusals({ days: 1, nowMs, routerId })
  if (counts === null || counts.length === 0) return null
  const total = counts.reduce((sum, { count }) => sum + count, 0)
  return (
    <section aria-label={t('Refused in the last 24 hours')} className="flex flex-col gap-2">
      <h2 className="font-semibold">
        {t(
          '{count, plural, one {1 request refused in the last 24 hours} other {# requests refused in the last 24 hours}}',
          { count: total },
        )}
      </h2>
      <DataTable
        label={t('Refused requests by error')}
        columns={[
          ...kindColumns,
          { name: t('Refused requests'), isFigure: true },
          { name: t('Last'), isFigure: true },
        ]}
        rows={counts.slice(0, most).map((kind) => ({
          key: `${kind.code} ${kind.door} ${kind.apiKeyId} ${kind.routerId}`,
          cells: [
            ...kindCells(kind, names),
            formatCount(kind.count),
            formatRelativeTime(kind.lastAtMs, nowMs),
          ],
        }))}
        note={t(
          'Modelport refused them before it tried a model, so they cost nothing and are not in the figures.',
        )}
      />
    </section>
  )
}
