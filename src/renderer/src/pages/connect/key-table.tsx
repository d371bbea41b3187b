import { RefreshCw } from 'lucide-react'
import type { ApiKey } from '../../../../shared/entities.ts'
import {
  formatBudget,
  formatCount,
  formatDateTime,
  formatDay,
  formatRelativeTime,
  formatUsd,
} from '../../../../shared/strings/format.ts'
import type { RefusalCount } from '../../../../shared/requests/refusal.ts'
import type { UsageReport } from '../../../../shared/requests/usage.ts'
import { Badge } from '../../components/badge.tsx'
import { Button } from '../../components/button.tsx'
import { DataTable, type Column, type Row } from '../../components/data-table.tsx'
import { RequestsLink } from '../../components/requests-link.tsx'
import { Sparkline } from '../../components/sparkline.tsx'
import { useTools } from '../../stores/connections.ts'
import { useKeyClients } from '../../stores/keys.ts'
import { useRefusals } from '../../stores/refusals.ts'
import { useRouters } from '../../stores/routers.ts'
import { clientName } from '../../usage/client-name.ts'
import type { UsageRange } from '../../usage/range.ts'
import { keyState, sortKeys, type KeyState } from './key-state.ts'
import { weekOfKey } from './key-week.ts'
import { joinWords } from '../../../../shared/strings/join.ts'
import { t } from '../../../../shared/strings/strings.ts'

const columns: readonly Column[] = [
  {
    name: t('Program'),
    className: 'min-w-40 max-w-56 min-[70rem]:max-w-72 min-[90rem]:max-w-96',
  },
  { name: t('Routers'), className: 'max-w-44 truncate max-[64rem]:hidden' },
  { name: t('Last 7 days') },
  { name: t('Last used'), className: 'whitespace-nowrap' },
  { name: t('Created'), className: 'whitespace-nowrap max-[64rem]:hidden' },
  { name: t('Expires'), className: 'whitespace-nowrap' },
  { name: t('Actions'), isActions: true },
]

interface KeyTableProps extends RowActions {
  keys: readonly ApiKey[]
  nowMs: number
  range: UsageRange
  /** Report of the range, grouped by key; null until loaded. */
  report: UsageReport | null
}

interface RowActions {
  onRotate: (key: ApiKey) => void
  onRevoke: (key: ApiKey) => void
}

export function KeyTable({ keys, nowMs, range, report, ...actions }: KeyTableProps) {
  const refused = refusedByKey(useRefusals({ days: 7, nowMs }) ?? [])
  const replaced = new Set(keys.map(({ rotatedFromId }) => rotatedFromId))
  return (
    <DataTable
      label={t('Keys')}
      look="page"
      columns={columns}
      rows={sortKeys(keys, nowMs).map((apiKey) =>
        rowOf({
          apiKey,
          state: keyState(apiKey, { nowMs, isReplaced: replaced.has(apiKey.id) }),
          nowMs,
          range,
          report,
          refused: refused.get(apiKey.id),
          ...actions,
        }),
      )}
    />
  )
}

interface KeyRowProps extends RowActions {
  apiKey: ApiKey
  state: KeyState
  nowMs: number
  range: UsageRange
  report: UsageReport | null
  /** Refused requests of the last 7 days. */
  refused: Refused | undefined
}

function rowOf(props: KeyRowProps): Row {
  const { apiKey, state, nowMs, range, report, refused } = props
  const { id, name, createdAtMs, expiresAtMs, lastUsedAtMs } = apiKey
  return {
    key: id,
    label: name,
    className: state.isUsable ? '' : 'text-muted',
    cells: [
      <NameCell key="name" {...{ apiKey, state }} />,
      <RouterNames key="routers" routers={apiKey.routers} />,
      report ? <WeekCell key="week" {...{ apiKey, report, range }} /> : '—',
      <span key="used">
        <LastUse {...{ apiKey, nowMs }} />
        {refused && <RefusedOfKey {...{ refused, nowMs }} />}
      </span>,
      <Created key="created" {...{ state, createdAtMs, nowMs }} />,
      expiresAtMs === null ? t('Never') : formatDay(expiresAtMs),
      <KeyActions key="actions" {...props} />,
    ],
    values: [name, null, null, lastUsedAtMs, createdAtMs, expiresAtMs],
  }
}

interface CreatedProps {
  state: KeyState
  createdAtMs: number
  nowMs: number
}

function Created({ state, createdAtMs, nowMs }: CreatedProps) {
  return (
    <span className={state.isOld ? 'text-warn' : ''} title={formatDateTime(createdAtMs)}>
      {formatRelativeTime(createdAtMs, nowMs)}
      {state.isOld && <span className="block text-xs">{t('older than 90 days')}</span>}
    </span>
  )
}

function KeyActions({ apiKey, state, onRotate, onRevoke }: KeyRowProps) {
  const { name, hint } = apiKey
  return (
    <span className="flex justify-end gap-1.5">
      {state.canRotate && (
        <Button
          size="small"
          aria-label={t('Rotate {name} ({hint})', { name, hint })}
          className={state.isOld ? 'border-warn/40 bg-warn-soft text-warn' : ''}
          onClick={() => onRotate(apiKey)}
        >
          <RefreshCw size={12} aria-hidden /> {t('Rotate')}
        </Button>
      )}
      {state.isUsable && (
        <Button
          size="small"
          aria-label={t('Revoke {name} ({hint})', { name, hint })}
          onClick={() => onRevoke(apiKey)}
        >
          {t('Revoke')}
        </Button>
      )}
    </span>
  )
}

function NameCell({ apiKey, state }: { apiKey: ApiKey; state: KeyState }) {
  const tool = useTools(({ items }) =>
    items?.find((each) => each.canConnect && each.written?.connectionId === apiKey.id),
  )
  const facts = [
    ...(tool ? [t('in the settings of {tool}', { tool: tool.name })] : []),
    ...(apiKey.tag === null ? [] : [t('tag {tag}', { tag: apiKey.tag })]),
    formatBudget(apiKey),
    ...(apiKey.acceptAnyModel ? [t('any model name')] : []),
    ...(apiKey.metrics ? [t('metrics')] : []),
    ...(apiKey.explain ? [t('explains answers')] : []),
    ...(apiKey.keepAlive ? [] : [t('no keep-alive')]),
  ].filter((fact) => fact !== null)
  return (
    <span className="flex flex-col gap-0.5">
      <span className="flex flex-wrap items-center gap-x-2 gap-y-1">
        <span className="max-w-full truncate" title={apiKey.name}>
          {apiKey.name}
        </span>{' '}
        <Badge>{apiKey.environment}</Badge>
        {state.text !== null && <Badge tone={state.tone}>{state.text}</Badge>}
      </span>
      <span className="text-xs font-normal text-muted">
        <code className="font-mono">{apiKey.hint}</code>
        {facts.map((fact) => ` · ${fact}`)}
      </span>
    </span>
  )
}

function RouterNames({ routers }: Pick<ApiKey, 'routers'>) {
  const known = useRouters((state) => state.items)
  if (routers === 'all') return t('All')
  const names = routers.map((id) => known?.find((router) => router.id === id)?.name ?? id)
  return <span title={names.join('\n')}>{joinWords(names)}</span>
}

interface WeekCellProps {
  apiKey: ApiKey
  report: UsageReport
  range: UsageRange
}

function WeekCell({ apiKey, report, range }: WeekCellProps) {
  const week = weekOfKey(apiKey.id, { report, range })
  return (
    <RequestsLink
      filter={{ apiKeyId: apiKey.id }}
      range="7d"
      className="flex items-center gap-2.5 rounded-sm hover:text-accent"
    >
      <Sparkline
        values={week.values}
        label={week.words}
        className="h-6 w-16 text-accent min-[90rem]:w-28"
      />
      <span aria-hidden className="flex flex-col text-xs leading-tight">
        <span>{formatCount(week.requests)}</span>
        {week.requests > 0 && <span className="text-muted">{formatUsd(week.costUsd)}</span>}
      </span>
    </RequestsLink>
  )
}

interface Refused {
  count: number
  lastAtMs: number
}

/** The refusals of each key. */
function refusedByKey(counts: readonly RefusalCount[]): ReadonlyMap<string, Refused> {
  const byKey = new Map<string, Refused>()
  for (const { apiKeyId, count, lastAtMs } of counts) {
    if (apiKeyId === null) continue
    const known = byKey.get(apiKeyId) ?? { count: 0, lastAtMs: 0 }
    byKey.set(apiKeyId, {
      count: known.count + count,
      lastAtMs: Math.max(known.lastAtMs, lastAtMs),
    })
  }
  return byKey
}

function RefusedOfKey({ refused, nowMs }: { refused: Refused; nowMs: number }) {
  return (
    <span className="block text-xs text-warn" title={formatDateTime(refused.lastAtMs)}>
      {t('{count, plural, one {1 refused} other {# refused}} in 7 days, last {time}', {
        count: refused.count,
        time: formatRelativeTime(refused.lastAtMs, nowMs),
      })}
    </span>
  )
}

function LastUse({ apiKey, nowMs }: { apiKey: ApiKey; nowMs: number }) {
  const client = useKeyClients((clients) => clients[apiKey.id])
  if (apiKey.lastUsedAtMs === null) return <span className="text-muted">{t('Never')}</span>
  return (
    <RequestsLink filter={{ apiKeyId: apiKey.id }}>
      <span title={formatDateTime(apiKey.lastUsedAtMs)}>
        {formatRelativeTime(apiKey.lastUsedAtMs, nowMs)}
      </span>
      {client && (
        <span className="block max-w-40 truncate text-xs text-muted" title={client}>
          {clientName(client)}
        </span>
      )}
    </RequestsLink>
  )
}
