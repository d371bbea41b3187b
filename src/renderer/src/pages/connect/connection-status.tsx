import { CircleCheck, LoaderCircle } from 'lucide-react'
import type { ConnectionStatus, SeenRequest } from '../../../../shared/app/connect.ts'
import { formatDuration, formatUsd } from '../../../../shared/strings/format.ts'
import { useConnection } from '../../stores/connections.ts'
import { ProblemList } from './refused-recently.tsx'
import { t } from '../../../../shared/strings/strings.ts'
import { rich } from '../../components/rich.tsx'

/** Whether the tool has sent its first request, and if not, what was refused. */
export function ConnectionStatusLine() {
  const status = useConnection((state) => state.status)
  return (
    <section
      aria-label={t('First request')}
      aria-live="polite"
      className="flex flex-col gap-2 rounded-lg border border-line bg-sunken px-3 py-2.5 text-sm"
    >
      {status?.first ? <Arrived request={status.last ?? status.first} /> : <Waiting />}
      {status && !status.first && <Refused status={status} />}
    </section>
  )
}

function Waiting() {
  return (
    <p className="flex items-center gap-2 text-muted">
      <LoaderCircle size={15} aria-hidden className="animate-spin" />{' '}
      {t('Waiting for the first request. Use the tool now.')}
    </p>
  )
}

function Arrived({ request }: { request: SeenRequest }) {
  const { modelUsed, costUsd, latencyMs, tool, client, status, errorCode } = request
  const who = tool ?? client ?? t('The tool')
  if (status >= 400) {
    return (
      <p>
        {rich('{who} is connected. Its last request ended with {status}', { who, status })}
        {errorCode === null ? '' : ` (${errorCode})`}.
      </p>
    )
  }
  return (
    <p className="flex items-center gap-2">
      <CircleCheck size={15} aria-hidden className="shrink-0 text-ok" />
      <span>
        {rich('{who} is connected: {modelUsed} answered for {cost} in {latency}.', {
          who,
          modelUsed,
          cost: formatUsd(costUsd),
          latency: formatDuration(latencyMs),
        })}
      </span>
    </p>
  )
}

function Refused({ status }: { status: ConnectionStatus }) {
  if (status.problems.length === 0) return null
  return <ProblemList problems={status.problems} />
}
