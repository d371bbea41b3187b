import { Link } from '@tanstack/react-router'
import type { Router } from '../../../../shared/entities.ts'
import {
  formatCount,
  formatDuration,
  formatShare,
  formatUsd,
} from '../../../../shared/strings/format.ts'
import { strategyProfiles } from '../../../../shared/routers/strategies.ts'
import { Badge } from '../../components/badge.tsx'
import { DataTable, rowLinkClass, type Column, type Row } from '../../components/data-table.tsx'
import { Sparkline } from '../../components/sparkline.tsx'
import { errorsOf } from '../../usage/errors.ts'
import { limitUse } from './limit-use.ts'
import { useRouterDrafts } from './router-drafts.ts'
import { useRouterFigures, type RouterFigures } from './use-router-figures.ts'
import { t } from '../../../../shared/strings/strings.ts'

/** The router's page shows it too. */
const optional = 'max-[64rem]:hidden'

const columns: readonly Column[] = [
  {
    name: t('Router'),
    className: 'max-w-36 min-[64rem]:max-w-44 min-[90rem]:max-w-80',
  },
  { name: t('Strategy'), className: 'whitespace-nowrap' },
  { name: t('Models'), className: `w-full max-w-0 min-w-28 truncate ${optional}` },
  { name: t('Requests 24 h'), isFigure: true },
  { name: t('Spend'), isFigure: true },
  { name: 'p95', isFigure: true },
  { name: t('Errors'), isFigure: true },
  { name: t('Limit used'), className: 'min-w-36 min-[64rem]:whitespace-nowrap' },
]

/** All routers with their figures of the last 24 hours. A click anywhere on a row opens its router. */
export function RouterTable({ routers }: { routers: readonly Router[] }) {
  const figuresOf = useRouterFigures()
  return (
    <DataTable
      label={t('Routers')}
      look="page"
      opensRows
      columns={columns}
      rows={routers.map((router) => rowOf(router, figuresOf?.(router.id) ?? null))}
    />
  )
}

/** @param figures  null until loaded */
function rowOf(router: Router, figures: RouterFigures | null): Row {
  const day = figures?.day ?? null
  const { label } = strategyProfiles[router.strategy]
  return {
    key: router.id,
    cells: [
      <RouterName key="name" router={router} />,
      label,
      <span key="models" className="text-muted" title={router.models.join('\n')}>
        {modelsText(router.models)}
      </span>,
      <Requests key="requests" {...{ router, figures }} />,
      figures ? formatUsd(day?.costUsd ?? 0) : '—',
      formatDuration(day?.latencyMs?.p95 ?? null),
      <Errors key="errors" figures={day} />,
      <LimitBar key="limit" {...{ router, figures }} />,
    ],
    values: [router.name, label, null, ...valuesOf(day), shareOf(router, figures)],
  }
}

function valuesOf(day: RouterFigures['day']): (number | null)[] {
  return day
    ? [day.requests, day.costUsd, day.latencyMs?.p95 ?? null, errorsOf(day)]
    : [0, 0, null, 0]
}

function shareOf(router: Router, figures: RouterFigures | null): number | null {
  return figures && (limitUse(router, figures)?.share ?? null)
}

interface RowProps {
  router: Router
  /** Null until loaded. */
  figures: RouterFigures | null
}

function RouterName({ router: { id, name, routing } }: { router: Router }) {
  const isUnsaved = useRouterDrafts((drafts) => drafts[id] !== undefined)
  return (
    <span className="flex items-center gap-2">
      <Link
        to="/routers/$routerId"
        params={{ routerId: id }}
        title={name}
        className={`truncate ${rowLinkClass}`}
      >
        {name}
      </Link>
      {routing.isPaused && <Badge tone="warn">{t('paused')}</Badge>}
      {isUnsaved && <Badge tone="warn">{t('unsaved')}</Badge>}
    </span>
  )
}

function Requests({ router: { name }, figures }: RowProps) {
  return (
    <span className="flex items-center justify-end gap-2.5">
      {figures && (
        <Sparkline
          values={figures.requests}
          label={t('Requests of {name}', { name })}
          className="h-6 w-16 text-accent max-[64rem]:hidden"
        />
      )}
      <span className="w-10 text-right">
        {figures ? formatCount(figures.day?.requests ?? 0) : '—'}
      </span>
    </span>
  )
}

/** `gpt-5-mini +2` */
function modelsText([first = '', ...others]: readonly string[]): string {
  const name = first.slice(first.indexOf(':') + 1)
  return others.length === 0 ? name : t('{name} +{others}', { name, others: others.length })
}

/** Requests without an answer, with their share. */
function Errors({ figures }: { figures: RouterFigures['day'] }) {
  if (!figures) return '—'
  const errors = errorsOf(figures)
  if (errors === 0) return <span className="text-muted">0</span>
  const share = errors / figures.requests
  return (
    <span className={share >= 0.01 ? 'text-bad' : ''}>
      {formatCount(errors)} <span className="text-xs">({formatShare(share)})</span>
    </span>
  )
}

function LimitBar({ router, figures }: RowProps) {
  if (!figures) return '—'
  const use = limitUse(router, figures)
  if (!use) return <span className="text-xs text-muted">{t('No limit')}</span>
  const color = use.share >= 1 ? 'fill-bad' : use.share >= 0.8 ? 'fill-warn' : 'fill-accent'
  return (
    <span className="flex flex-col gap-1">
      <span className="text-xs text-muted">{use.text}</span>
      <svg aria-hidden className="block h-1.5 w-full" preserveAspectRatio="none">
        <rect width="100%" height="100%" rx="3" className="fill-sunken" />
        <rect width={`${Math.min(use.share, 1) * 100}%`} height="100%" rx="3" className={color} />
      </svg>
    </span>
  )
}
