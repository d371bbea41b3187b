import { Link } from '@tanstack/react-router'
import { Fragment } from 'react'
import {
  formatClock,
  formatDateTime,
  formatDuration,
  formatUsd,
} from '../../../../shared/strings/format.ts'
import type { ListedRequest } from '../../../../shared/requests/search.ts'
import { ErrorNote } from '../../components/error-note.tsx'
import { reloadRequestList, useRequestList } from '../../stores/request-list.ts'
import { outcomeOf } from '../../usage/request-words.ts'
import { OutcomeDot } from '../activity/columns.tsx'
import { useRowNames } from '../activity/use-row-names.ts'
import { Panel } from './panel.tsx'
import { t } from '../../../../shared/strings/strings.ts'

const shown = 5

/** The latest requests of all routers, as they end. */
export function LatestRequests() {
  const { pages, error } = useRequestList()
  const requests = pages[0]?.slice(0, shown)
  return (
    <Panel title={t('Latest requests')} link={{ to: '/activity', label: t('All requests') }}>
      {error && <ErrorNote error={error} onRetry={() => void reloadRequestList()} />}
      {requests?.length === 0 && (
        <p className="py-3 text-sm text-muted">{t('The next request appears here.')}</p>
      )}
      <ul className="divide-y divide-line/60">
        {requests?.map((request) => (
          <li key={request.id}>
            <Row request={request} />
          </li>
        ))}
        {!requests && !error && <Fragment>{skeletons}</Fragment>}
      </ul>
    </Panel>
  )
}

const skeletons = Array.from({ length: shown }, (_, index) => (
  <li key={index} className="flex h-8 items-center">
    <span className="block h-2.5 w-full rounded-full bg-line" />
  </li>
))

function Row({ request }: { request: ListedRequest }) {
  const { id, startedAtMs, modelUsed, routerId, costNanoUsd, latencyMs } = request
  const names = useRowNames()
  return (
    <Link
      to="/activity"
      search={{ request: id }}
      className="-mx-2 grid h-8 grid-cols-[4rem_minmax(0,1fr)_5.5rem_4.5rem_4rem] items-center gap-3 rounded-md px-2 text-xs tabular-nums hover:bg-hover"
    >
      <time title={formatDateTime(startedAtMs)} className="text-muted">
        {formatClock(startedAtMs)}
      </time>
      <span className="truncate">
        {modelUsed ?? t('No model')} <span className="text-muted">· {names.router(routerId)}</span>
      </span>
      <OutcomeDot outcome={outcomeOf(request)} />
      <span className="text-right">{formatUsd(costNanoUsd / 1e9)}</span>
      <span className="text-right">{formatDuration(latencyMs)}</span>
    </Link>
  )
}
