import { Link, Navigate } from '@tanstack/react-router'
import { Gauge, Plus } from 'lucide-react'
import { useEffect } from 'react'
import type { Router } from '../../../../shared/entities.ts'
import { formatRelativeTime, formatUsd } from '../../../../shared/strings/format.ts'
import type { TuningRun } from '../../../../shared/tuning/tuning-run.ts'
import { Badge } from '../../components/badge.tsx'
import { buttonClass } from '../../components/button.tsx'
import { EmptyState, Loaded } from '../../components/page.tsx'
import { useNow } from '../../components/use-now.ts'
import { useRouters } from '../../stores/routers.ts'
import { useTuningRuns } from '../../stores/tuning.ts'
import { changeDraft } from '../../stores/tuning-draft.ts'
import { endedPrompts, sourceText, stateOf } from './run-words.ts'
import { useFreshRuns } from './use-fresh-runs.ts'
import { t } from '../../../../shared/strings/strings.ts'

/** The tuning runs of a router. */
export function RouterRuns({ routerId }: { routerId: string }) {
  const runs = useLoadedRuns()
  const create = <CreateRun routerId={routerId} />
  return (
    <section aria-label={t('Tuning')} className="flex flex-col gap-4">
      <Loaded list={runs} what={t('runs')}>
        {(items) => {
          const own = items.filter((run) => run.routerId === routerId)
          return own.length === 0 ? (
            <EmptyState icon={Gauge} title={t('No runs yet')} action={create}>
              {t(
                'A run sends prompts to all models of a router and grades the answers. You see the cost first, and it never spends more than your cap.',
              )}
            </EmptyState>
          ) : (
            <>
              <div className="flex flex-wrap items-center justify-between gap-4">
                <p className="text-sm text-muted">
                  {t(
                    'A run measures the router’s models on the same prompts, so that it knows their strengths.',
                  )}
                </p>
                {create}
              </div>
              <RunTable runs={own} />
            </>
          )
        }}
      </Loaded>
    </section>
  )
}

/** The runs of routers that were deleted; nothing without any. Their grades still count for the models. */
export function RunsOfDeletedRouters({ routers }: { routers: readonly Router[] }) {
  const runs = useLoadedRuns().items ?? []
  const orphans = runs.filter(({ routerId }) => !routers.some(({ id }) => id === routerId))
  if (orphans.length === 0) return null
  return (
    <section className="flex flex-col gap-2">
      <h2 className="text-sm font-medium">{t('Tuning runs of deleted routers')}</h2>
      <RunTable runs={orphans} />
    </section>
  )
}

/** All runs, kept up to date while one is under way. */
function useLoadedRuns() {
  const runs = useTuningRuns()
  useFreshRuns()
  useEffect(() => {
    void useTuningRuns.getState().load()
  }, [])
  return runs
}

function CreateRun({ routerId }: { routerId: string }) {
  return (
    <Link
      to="/tune/new"
      onClick={() => changeDraft({ routerId })}
      className={buttonClass('primary')}
    >
      <Plus size={15} aria-hidden /> {t('Create run')}
    </Link>
  )
}

/** The address of all runs leads to those of the router that was tuned last, or of the first router. */
export function NewestRuns() {
  const runs = useLoadedRuns()
  const routers = useRouters()
  if (runs.items === null || routers.items === null) return null
  const known = new Set(routers.items.map(({ id }) => id))
  const routerId =
    runs.items.find((run) => known.has(run.routerId))?.routerId ?? routers.items[0]?.id
  if (routerId === undefined) return <Navigate to="/routers" replace />
  return <Navigate to="/routers/$routerId" params={{ routerId }} search={{ tab: 'tune' }} replace />
}

const columns = ['Run', 'State', 'Prompts', 'Spent', 'Cap', 'Started'] as const

/** Names and states are aligned to the left, figures to the right. */
function alignment(index: number): string {
  return index < 2 ? '' : 'text-right'
}

function RunTable({ runs }: { runs: readonly TuningRun[] }) {
  return (
    <div
      role="region"
      aria-label={t('Runs')}
      tabIndex={0}
      className="overflow-x-auto rounded-xl border border-line bg-surface"
    >
      <table className="w-full text-left text-sm tabular-nums" aria-label={t('Runs')}>
        <thead className="border-b border-line text-xs text-muted">
          <tr>
            {columns.map((column, index) => (
              <th
                key={column}
                scope="col"
                className={`px-3 py-2 font-medium whitespace-nowrap ${alignment(index)}`}
              >
                {column}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {runs.map((run) => (
            <RunRow key={run.id} run={run} />
          ))}
        </tbody>
      </table>
    </div>
  )
}

function RunRow({ run }: { run: TuningRun }) {
  const nowMs = useNow()
  const state = stateOf(run)
  const figures = [
    run.from === 'shadow'
      ? run.prompts.graded
      : t('{endedPrompts} of {total}', {
          endedPrompts: endedPrompts(run),
          total: run.prompts.total,
        }),
    run.from === 'shadow'
      ? t('{spentUsd} today', { spentUsd: formatUsd(run.spentUsd) })
      : formatUsd(run.spentUsd),
    run.from === 'shadow'
      ? t('{capUsd} a day', { capUsd: formatUsd(run.capUsd) })
      : formatUsd(run.capUsd),
    formatRelativeTime(run.createdAtMs, nowMs),
  ]
  return (
    <tr className="border-b border-line last:border-b-0 hover:bg-hover">
      <td className="w-full max-w-0 min-w-40 px-3 py-2">
        <Link
          to="/tune/$runId"
          params={{ runId: run.id }}
          className="block truncate font-semibold hover:underline"
        >
          {sourceText(run)}
        </Link>
        <p className="truncate text-xs text-muted">
          {run.routerName} ·{' '}
          {t('{count, plural, one {1 model} other {# models}}', { count: run.models.length })}
        </p>
      </td>
      <td className="px-3 py-2">
        <Badge tone={state.tone}>{state.text}</Badge>
      </td>
      {figures.map((text, index) => (
        <td
          key={columns[index + 2]}
          className={`px-3 py-2 whitespace-nowrap ${alignment(index + 2)}`}
        >
          {text}
        </td>
      ))}
    </tr>
  )
}
