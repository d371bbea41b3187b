import { ScrollText } from 'lucide-react'
import { useEffect, type ReactNode } from 'react'
import type { RequestRecord, Router } from '../../../../shared/entities.ts'
import {
  formatDateTime,
  formatDuration,
  formatGrams,
  formatRelativeTime,
  formatUsd,
} from '../../../../shared/format.ts'
import { Badge } from '../../components/badge.tsx'
import { Button, buttonClass } from '../../components/button.tsx'
import { DataTable } from '../../components/data-table.tsx'
import { EmptyState, Loaded } from '../../components/page.tsx'
import { useNow } from '../../components/use-now.ts'
import { WhyButton } from '../../decision/why-button.tsx'
import { useKeys } from '../../stores/keys.ts'
import {
  hasOlder,
  loadOlderRequests,
  loadRecentRequests,
  useRecentRequests,
} from '../../stores/requests.ts'
import { callerText } from './caller-text.ts'

const nothingRead = { items: null, limit: 0, error: null }

/** A router's latest requests with model, cost and reason. */
export function RouterRequests({ router }: { router: Router }) {
  const recent = useRecentRequests((state) => state[router.id]) ?? nothingRead
  const load = () => loadRecentRequests(router.id)
  useEffect(() => {
    void loadRecentRequests(router.id)
  }, [router.id])
  return (
    <Loaded list={{ ...recent, load }} what="requests">
      {(items) =>
        items.length === 0 ? (
          <EmptyState icon={ScrollText} title="No requests yet">
            Requests to this router appear here with their model, cost, latency and estimated CO₂e.
          </EmptyState>
        ) : (
          <>
            <RequestTable requests={items} />
            {hasOlder(recent) && (
              <Button className="self-start" onClick={() => void loadOlderRequests(router.id)}>
                Show older
              </Button>
            )}
          </>
        )
      }
    </Loaded>
  )
}

function RequestTable({ requests }: { requests: readonly RequestRecord[] }) {
  const nowMs = useNow()
  const keys = useKeys((state) => state.items) ?? []
  return (
    <DataTable
      label="Requests"
      columns={[
        { name: 'When' },
        { name: 'Model' },
        { name: 'Caller' },
        { name: 'Cost', isFigure: true },
        { name: 'Latency', isFigure: true },
        { name: 'CO₂e', isFigure: true },
        { name: 'Reason' },
      ]}
      rows={requests.map((request) => ({
        key: request.id,
        cells: [
          <time
            key="time"
            className="whitespace-nowrap"
            title={formatDateTime(request.startedAtMs)}
          >
            {formatRelativeTime(request.startedAtMs, nowMs)}
          </time>,
          <AnsweredBy key="model" request={request} />,
          callerText(request, keys),
          formatUsd(request.costNanoUsd / 1e9),
          formatDuration(request.latencyMs),
          formatGrams(request.carbonGrams),
          <WhyButton
            key="why"
            requestId={request.id}
            of={`${request.modelUsed ?? 'no answer'}, ${formatDateTime(request.startedAtMs)}`}
            className={buttonClass('plain', 'small')}
          />,
        ],
      }))}
    />
  )
}

function AnsweredBy({ request }: { request: RequestRecord }): ReactNode {
  const { modelUsed, errorCode, status, cachedFrom, attempts } = request
  return (
    <span className="flex flex-wrap items-center gap-x-2 gap-y-1 wrap-anywhere">
      {modelUsed ?? 'No model'}
      {errorCode !== null && (
        <Badge tone={status === 499 ? 'neutral' : 'bad'}>
          {status} {errorCode.replaceAll('_', ' ')}
        </Badge>
      )}
      {cachedFrom !== null && <Badge>cached</Badge>}
      {attempts > 1 && <Badge>{attempts} attempts</Badge>}
    </span>
  )
}
