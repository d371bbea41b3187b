import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import type { Router } from '../../../../shared/entities.ts'
import { formatCount, formatDuration, formatUsd } from '../../../../shared/strings/format.ts'
import { strategyProfiles } from '../../../../shared/routers/strategies.ts'
import { formatShare } from '../../charts/chart-text.ts'
import { Badge } from '../../components/badge.tsx'
import { Sparkline } from '../../components/sparkline.tsx'
import { errorsOf } from '../../usage/errors.ts'
import { limitUse } from './limit-use.ts'
import { useRouterDrafts } from './router-drafts.ts'
import { useRouterFigures, type RouterFigures } from './use-router-figures.ts'
import { t } from '../../../../shared/strings/strings.ts'

const columns = [
  { name: t('Router') },
  { name: t('Strategy') },
  { name: t('Models'), isOptional: true },
  { name: t('Requests 24 h'), isFigure: true },
  { name: t('Spend'), isFigure: true },
  { name: 'p95', isFigure: true },
  { name: t('Errors'), isFigure: true },
  { name: t('Limit used') },
] as const

/** The router's page shows it too. */
const optional = 'max-[56rem]:hidden'

/** All routers with their figures of the last 24 hours. A click anywhere on a row opens its router. */
export function RouterTable({ routers }: { routers: readonly Router[] }) {
  const figuresOf = useRouterFigures()
  return (
    <div
      role="region"
      aria-label={t('Routers')}
      tabIndex={0}
      className="overflow-x-auto rounded-xl border border-line bg-surface"
    >
      <table className="w-full text-left text-sm tabular-nums">
        <thead>
          <tr className="border-b border-line text-xs text-muted">
            {columns.map((column) => (
              <th
                key={column.name}
                scope="col"
                className={`px-3 py-2 font-medium whitespace-nowrap ${'isFigure' in column ? 'text-right' : ''} ${'isOptional' in column ? optional : ''}`}
              >
                {column.name}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {routers.map((router) => (
            <RouterRow key={router.id} router={router} figures={figuresOf?.(router.id) ?? null} />
          ))}
        </tbody>
      </table>
    </div>
  )
}

interface RowProps {
  router: Router
  /** Null until loaded. */
  figures: RouterFigures | null
}

function RouterRow({ router, figures }: RowProps) {
  const isUnsaved = useRouterDrafts((drafts) => drafts[router.id] !== undefined)
  const day = figures?.day ?? null
  return (
    <tr className="relative border-b border-line last:border-b-0 focus-within:bg-hover hover:bg-hover">
      <th scope="row" className="max-w-60 px-3 py-2.5 font-medium">
        <span className="flex items-center gap-2">
          <Link
            to="/routers/$routerId"
            params={{ routerId: router.id }}
            className="truncate outline-none after:absolute after:inset-0 focus-visible:after:outline-2 focus-visible:after:-outline-offset-2 focus-visible:after:outline-accent"
          >
            {router.name}
          </Link>
          {isUnsaved && <Badge tone="warn">{t('unsaved')}</Badge>}
        </span>
      </th>
      <Cell>{strategyProfiles[router.strategy].label}</Cell>
      <Cell className={`w-full max-w-0 min-w-28 truncate text-muted ${optional}`}>
        <span title={router.models.join('\n')}>{modelsText(router.models)}</span>
      </Cell>
      <Cell className="text-right">
        <span className="flex items-center justify-end gap-2.5">
          {figures && (
            <Sparkline
              values={figures.requests}
              label={t('Requests of {name}', { name: router.name })}
              className="h-6 w-16 text-accent"
            />
          )}
          <span className="w-10 text-right">{figures ? formatCount(day?.requests ?? 0) : '—'}</span>
        </span>
      </Cell>
      <Cell className="text-right">{figures ? formatUsd(day?.costUsd ?? 0) : '—'}</Cell>
      <Cell className="text-right">{formatDuration(day?.latencyMs?.p95 ?? null)}</Cell>
      <Cell className="text-right">
        <Errors figures={day} />
      </Cell>
      <Cell className="min-w-36">
        <LimitBar router={router} figures={figures} />
      </Cell>
    </tr>
  )
}

function Cell({ className = '', children }: { className?: string; children: ReactNode }) {
  return <td className={`px-3 py-2.5 whitespace-nowrap ${className}`}>{children}</td>
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
