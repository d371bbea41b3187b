import { Link, Navigate } from '@tanstack/react-router'
import { Gauge, Plus, Scale } from 'lucide-react'
import { useEffect, useState } from 'react'
import type { Router } from '../../../../shared/entities.ts'
import { formatDateTime, formatRelativeTime, formatUsd } from '../../../../shared/strings/format.ts'
import type { TuningRun } from '../../../../shared/tuning/tuning-run.ts'
import { Badge } from '../../components/badge.tsx'
import { buttonClass } from '../../components/button.tsx'
import { DataTable, rowLinkClass, type Column, type Row } from '../../components/data-table.tsx'
import { EmptyState, Loaded } from '../../components/page.tsx'
import { useNow } from '../../components/use-now.ts'
import { useRouters } from '../../stores/routers.ts'
import { useTuningRuns } from '../../stores/tuning.ts'
import { changeDraft } from '../../stores/tuning-draft.ts'
import { appliesText, endedPrompts, isUnderWay, sourceText, stateOf } from './run-words.ts'
import { useFreshRuns } from './use-fresh-runs.ts'
import { t } from '../../../../shared/strings/strings.ts'

/** The tuning runs of a router. */
export function RouterRuns({ routerId }: { routerId: string }) {
  const runs = useLoadedRuns()
  const [chosen, setChosen] = useState<readonly string[]>([])
  const create = <CreateRun routerId={routerId} />
  return (
    <section aria-label={t('Tuning')} className="flex flex-col gap-4">
      <Loaded list={runs} what={t('runs')}>
        {(items) => {
          const own = items.filter((run) => run.routerId === routerId)
          const comparable = own.filter(hasResult)
          const choice = comparable.length < 2 ? null : { chosen, onChoose: setChosen }
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
                <div className="flex items-center gap-3">
                  {choice && <CompareRuns chosen={chosen} />}
                  {create}
                </div>
              </div>
              <RunTable runs={own} choice={choice} />
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
      <RunTable runs={orphans} choice={null} />
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

function CompareRuns({ chosen }: { chosen: readonly string[] }) {
  const [runId, otherId] = chosen
  if (runId === undefined || otherId === undefined) {
    return <span className="text-xs text-muted">{t('Choose two runs to compare them')}</span>
  }
  return (
    <Link
      to="/tune/$runId/with/$otherId"
      params={{ runId, otherId }}
      className={buttonClass('plain')}
    >
      <Scale size={15} aria-hidden /> {t('Compare runs')}
    </Link>
  )
}

/** Two runs at most. */
interface Choice {
  chosen: readonly string[]
  onChoose(chosen: readonly string[]): void
}

/** Whether a run can be compared with another one. */
function hasResult(run: TuningRun): boolean {
  return run.prompts.graded > 0 && !isUnderWay(run)
}

const columns: readonly Column[] = [
  { name: t('Run'), className: 'w-full max-w-0 min-w-40' },
  { name: t('State') },
  { name: t('Prompts'), isFigure: true },
  { name: t('Spent'), isFigure: true },
  { name: t('Cap'), isFigure: true },
  { name: t('Started'), isFigure: true },
]

interface RunTableProps {
  runs: readonly TuningRun[]
  /** Null: the runs cannot be compared. */
  choice: Choice | null
}

function RunTable({ runs, choice }: RunTableProps) {
  const nowMs = useNow()
  return (
    <DataTable
      label={t('Runs')}
      look="page"
      opensRows
      columns={choice ? [...columns, { name: t('Compare'), isFigure: true }] : columns}
      rows={runs.map((run) => {
        const row = rowOf(run, nowMs)
        const box = choice && <ChooseRun key="choose" {...{ run, choice }} />
        return box ? { ...row, cells: [...row.cells, box] } : row
      })}
    />
  )
}

function ChooseRun({ run, choice: { chosen, onChoose } }: { run: TuningRun; choice: Choice }) {
  const { id, createdAtMs } = run
  if (!hasResult(run)) return null
  return (
    <input
      type="checkbox"
      aria-label={t('Compare {run} of {time}', {
        run: sourceText(run),
        time: formatDateTime(createdAtMs),
      })}
      checked={chosen.includes(id)}
      // A third one takes the place of the one that was chosen first.
      onChange={({ target: { checked } }) =>
        onChoose([...chosen.filter((one) => one !== id), ...(checked ? [id] : [])].slice(-2))
      }
      className="relative z-1 ml-auto block size-4 accent-accent"
    />
  )
}

function rowOf(run: TuningRun, nowMs: number): Row {
  const { id, from, prompts, spentUsd, capUsd, createdAtMs } = run
  const state = stateOf(run)
  const isShadow = from === 'shadow'
  const ended = isShadow ? prompts.graded : endedPrompts(run)
  const [spent, cap] = [formatUsd(spentUsd), formatUsd(capUsd)]
  return {
    key: id,
    cells: [
      <RunName key="name" run={run} />,
      <Badge key="state" tone={state.tone}>
        {state.text}
      </Badge>,
      isShadow
        ? ended
        : t('{endedPrompts} of {total}', { endedPrompts: ended, total: prompts.total }),
      isShadow ? t('{spentUsd} today', { spentUsd: spent }) : spent,
      isShadow ? t('{capUsd} a day', { capUsd: cap }) : cap,
      formatRelativeTime(createdAtMs, nowMs),
    ],
    values: [sourceText(run), state.text, ended, spentUsd, capUsd, createdAtMs],
  }
}

function RunName({ run }: { run: TuningRun }) {
  return (
    <>
      <Link
        to="/tune/$runId"
        params={{ runId: run.id }}
        className={`block truncate font-semibold ${rowLinkClass}`}
      >
        {sourceText(run)}
      </Link>
      <p className="truncate text-xs font-normal text-muted">
        {[
          run.routerName,
          t('{count, plural, one {1 model} other {# models}}', { count: run.models.length }),
          ...appliesText(run),
        ].join(' · ')}
      </p>
    </>
  )
}
