import type { ConnectionProblem } from '../../../../shared/app/connect.ts'
import { formatClock } from '../../../../shared/strings/format.ts'
import { useConnectionProblems } from '../../stores/connections.ts'
import { t } from '../../../../shared/strings/strings.ts'

/** Connections and requests that were refused in the last hour, with the way out. */
export function RefusedRecently() {
  const problems = useConnectionProblems(({ items }) => items)
  if (problems.length === 0) return null
  return (
    <section
      aria-label={t('Refused in the last hour')}
      className="flex flex-col gap-2 rounded-xl border border-warn/40 bg-warn-soft p-4"
    >
      <h2 className="text-sm font-semibold">{t('Refused in the last hour')}</h2>
      <ProblemList problems={problems} />
    </section>
  )
}

export function ProblemList({ problems }: { problems: readonly ConnectionProblem[] }) {
  return (
    <ul className="flex flex-col gap-2 text-sm">
      {problems.map((problem) => (
        <li key={`${problem.kind} ${problem.client} ${problem.detail}`}>
          <p>{problem.message}</p>
          <p className="text-xs text-muted">
            {[
              problem.tool ?? problem.client,
              t('{count, plural, one {once} other {# times}}', { count: problem.count }),
              t('last at {lastAtMs}', { lastAtMs: formatClock(problem.lastAtMs) }),
            ]
              .filter((part) => part !== null)
              .join(' · ')}
          </p>
        </li>
      ))}
    </ul>
  )
}
