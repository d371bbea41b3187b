import { Link } from '@tanstack/react-router'
import { Gauge, Plus } from 'lucide-react'
import { useEffect } from 'react'
import { formatRelativeTime, formatUsd } from '../../../../shared/strings/format.ts'
import type { TuningRun } from '../../../../shared/tuning/tuning-run.ts'
import { Badge } from '../../components/badge.tsx'
import { buttonClass } from '../../components/button.tsx'
import { EmptyState, Loaded, Page } from '../../components/page.tsx'
import { useNow } from '../../components/use-now.ts'
import { useTuningRuns } from '../../stores/tuning.ts'
import { endedPrompts, sourceText, stateOf } from './run-words.ts'
import { useFreshRuns } from './use-fresh-runs.ts'
import { t } from '../../../../shared/strings/strings.ts'

/** All tuning runs. */
export function TunePage() {
  const runs = useTuningRuns()
  useFreshRuns()
  useEffect(() => {
    void useTuningRuns.getState().load()
  }, [])
  return (
    <Page
      title={t('Tune')}
      width="wide"
      intro={t('Measure a router’s models on the same prompts, so that it knows their strengths.')}
      actions={<CreateRun />}
    >
      <Loaded list={runs} what={t('runs')}>
        {(items) =>
          items.length === 0 ? (
            <EmptyState icon={Gauge} title={t('No runs yet')} action={<CreateRun />}>
              {t(
                'A run sends prompts to all models of a router and grades the answers. You see the cost first, and it never spends more than your cap.',
              )}
            </EmptyState>
          ) : (
            <RunTable runs={items} />
          )
        }
      </Loaded>
    </Page>
  )
}

function CreateRun() {
  return (
    <Link to="/tune/new" className={buttonClass('primary')}>
      <Plus size={15} aria-hidden /> {t('Create run')}
    </Link>
  )
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
          {run.routerName}
        </Link>
        <p className="truncate text-xs text-muted">
          {sourceText(run)} ·{' '}
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
