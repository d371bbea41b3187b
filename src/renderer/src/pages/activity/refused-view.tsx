import { formatDateTime } from '../../../../shared/strings/format.ts'
import type { RefusedRequest } from '../../../../shared/requests/refusal.ts'
import { DataTable } from '../../components/data-table.tsx'
import { Loaded } from '../../components/page.tsx'
import { useNewestRefusals } from '../../stores/refusals.ts'
import { filterOfSearch } from '../../usage/request-links.ts'
import { useAddressSearch } from '../../usage/search.ts'
import { timesOf } from '../../usage/range.ts'
import { useRange } from '../../usage/use-range.ts'
import { ActivityHead } from './activity-head.tsx'
import { usualRange } from './filter-words.ts'
import { kindCells, kindColumns } from './refused-today.tsx'
import { useRowNames } from './use-row-names.ts'
import { t } from '../../../../shared/strings/strings.ts'

const mostListed = 200

/** The newest requests that Modelport itself refused. They have no model, cost or tokens. */
export function RefusedView() {
  const { routerId, apiKeyId } = filterOfSearch(useAddressSearch())
  const [range] = useRange(usualRange)
  const { fromMs, toMs } = timesOf(range)
  const newest = useNewestRefusals({ limit: mostListed, fromMs, toMs, routerId, apiKeyId })
  return (
    <main className="h-full overflow-y-auto [scrollbar-gutter:stable]" tabIndex={-1}>
      <div className="flex flex-col gap-3 px-5 py-5 min-[60rem]:px-8 min-[60rem]:py-7">
        <ActivityHead view="refused" applied={['time', 'routerId', 'apiKeyId']} />
        <p className="max-w-prose text-sm text-muted">
          {t(
            'Modelport refused these requests before it tried a model, so they cost nothing and are not in the figures.',
          )}
        </p>
        <Loaded list={newest} what={t('refused requests')}>
          {(refused) => <RefusedTable refused={refused} />}
        </Loaded>
      </div>
    </main>
  )
}

function RefusedTable({ refused }: { refused: readonly RefusedRequest[] }) {
  const names = useRowNames()
  if (refused.length === 0) {
    return (
      <p role="status" className="py-8 text-sm text-muted">
        {t('No refused requests in this range.')}
      </p>
    )
  }
  return (
    <DataTable
      label={t('Refused requests')}
      columns={[{ name: t('Time') }, ...kindColumns, { name: t('Request') }]}
      rows={refused.map((request) => ({
        key: request.id,
        cells: [
          formatDateTime(request.atMs),
          ...kindCells(request, names),
          <code key="id" className="font-mono select-all">
            {request.id}
          </code>,
        ],
      }))}
      note={t('The newest {count}. All: modelport requests --refused', { count: mostListed })}
    />
  )
}
