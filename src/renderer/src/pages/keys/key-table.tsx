import type { ApiKey } from '../../../../shared/entities.ts'
import {
  formatBudget,
  formatDateTime,
  formatDay,
  formatRelativeTime,
} from '../../../../shared/format.ts'
import { Badge } from '../../components/badge.tsx'
import { Button } from '../../components/button.tsx'
import { useNow } from '../../components/use-now.ts'
import { useRouters } from '../../stores/routers.ts'

/** The age at which a key should be rotated. */
const rotateAfterMs = 90 * 86_400_000

const columns = ['Name', 'Key', 'Routers', 'Created', 'Last used', 'Expires']

interface KeyTableProps {
  keys: readonly ApiKey[]
  onRevoke: (key: ApiKey) => void
}

export function KeyTable({ keys, onRevoke }: KeyTableProps) {
  const nowMs = useNow()
  return (
    <div className="overflow-x-auto rounded-xl border border-line bg-surface">
      <table className="w-full text-left text-sm">
        <thead>
          <tr className="border-b border-line text-xs text-muted">
            {columns.map((column) => (
              <th key={column} scope="col" className="px-3 py-2 font-medium">
                {column}
              </th>
            ))}
            <th scope="col" className="px-3 py-2">
              <span className="sr-only">Actions</span>
            </th>
          </tr>
        </thead>
        <tbody>
          {keys.map((key) => (
            <KeyRow key={key.id} apiKey={key} nowMs={nowMs} onRevoke={onRevoke} />
          ))}
        </tbody>
      </table>
    </div>
  )
}

interface KeyRowProps {
  apiKey: ApiKey
  nowMs: number
  onRevoke: (key: ApiKey) => void
}

function KeyRow({ apiKey, nowMs, onRevoke }: KeyRowProps) {
  const routers = useRouters((state) => state.items)
  const budget = formatBudget(apiKey)
  const isRevoked = apiKey.revokedAtMs !== null
  const isExpired = apiKey.expiresAtMs !== null && apiKey.expiresAtMs <= nowMs
  const names =
    apiKey.routers === 'all'
      ? 'All'
      : apiKey.routers
          .map((id) => routers?.find((router) => router.id === id)?.name ?? id)
          .join(', ')
  return (
    <tr className={`border-b border-line last:border-b-0 ${isRevoked ? 'text-muted' : ''}`}>
      <th scope="row" className="px-3 py-2.5 font-medium">
        <span className="flex flex-wrap items-center gap-x-2 gap-y-1">
          {apiKey.name} <Badge>{apiKey.environment}</Badge>
          {apiKey.explain && <Badge>explain</Badge>}
          {!apiKey.keepAlive && <Badge>no keep-alive</Badge>}
          {budget !== null && <Badge>{budget}</Badge>}
          <KeyState apiKey={apiKey} nowMs={nowMs} isExpired={isExpired} />
        </span>
      </th>
      <td className="px-3 py-2.5 font-mono text-xs whitespace-nowrap">{apiKey.hint}</td>
      <td className="max-w-40 truncate px-3 py-2.5" title={names}>
        {names}
      </td>
      <td className="px-3 py-2.5 whitespace-nowrap" title={formatDateTime(apiKey.createdAtMs)}>
        {formatRelativeTime(apiKey.createdAtMs, nowMs)}
      </td>
      <td className="px-3 py-2.5 whitespace-nowrap">
        {apiKey.lastUsedAtMs === null ? 'Never' : formatRelativeTime(apiKey.lastUsedAtMs, nowMs)}
      </td>
      <td className="px-3 py-2.5 whitespace-nowrap">
        {apiKey.expiresAtMs === null ? 'Never' : formatDay(apiKey.expiresAtMs)}
      </td>
      <td className="px-3 py-2.5 text-right">
        {!isRevoked && (
          <Button
            size="small"
            aria-label={`Revoke ${apiKey.name}`}
            onClick={() => onRevoke(apiKey)}
          >
            Revoke
          </Button>
        )}
      </td>
    </tr>
  )
}

function KeyState({
  apiKey,
  nowMs,
  isExpired,
}: {
  apiKey: ApiKey
  nowMs: number
  isExpired: boolean
}) {
  if (apiKey.revokedAtMs !== null) {
    return <Badge>revoked {formatRelativeTime(apiKey.revokedAtMs, nowMs)}</Badge>
  }
  if (isExpired) return <Badge tone="bad">expired</Badge>
  if (nowMs - apiKey.createdAtMs <= rotateAfterMs) return null
  return <Badge tone="warn">rotate: older than 90 days</Badge>
}
