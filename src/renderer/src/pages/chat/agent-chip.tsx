import type { AgentMeta } from '../../../../shared/chat/chat.ts'
import { formatDuration, formatUsd } from '../../../../shared/strings/format.ts'
import { joinWords } from '../../../../shared/strings/join.ts'
import { t } from '../../../../shared/strings/strings.ts'

/** The `_meta` of an agent's answer in one line. */
export function AgentChip({ meta }: { meta: AgentMeta }) {
  const { steps_executed: steps, models_used: models } = meta
  const parts = [
    { name: t('Agent'), text: `agent:${meta.agent_name}` },
    {
      name: t('Steps'),
      text: t('{count, plural, one {1 step} other {# steps}}', { count: steps }),
    },
    { name: t('Total cost'), text: formatUsd(meta.total_cost) },
    { name: t('Latency'), text: formatDuration(meta.total_latency) },
    { name: t('Models'), text: joinWords(models) },
    { name: t('Execution'), text: meta.execution_id },
  ]
  return (
    <ul
      aria-label={t('Answer details')}
      className="flex min-w-0 flex-wrap items-center gap-x-1.5 rounded-xl border border-line bg-surface px-2.5 py-0.5 text-xs text-muted tabular-nums"
    >
      {parts.map(({ name, text }, index) => (
        <li key={name} title={name} className="flex gap-1.5 first:font-medium first:text-ink">
          {index > 0 && <span aria-hidden>·</span>}
          {text}
        </li>
      ))}
    </ul>
  )
}
