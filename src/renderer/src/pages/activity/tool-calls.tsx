import type { ToolCallRecord } from '../../../../shared/chat/tools.ts'
import { formatBytes, formatDuration } from '../../../../shared/strings/format.ts'
import { t } from '../../../../shared/strings/strings.ts'
import { DataTable } from '../../components/data-table.tsx'
import { outcomeWords } from '../../components/tool-words.ts'
import { Section } from './section.tsx'

/** Calls of tools that the answer of a request made. */
export function ToolCalls({ calls }: { calls: readonly ToolCallRecord[] }) {
  if (calls.length === 0) return null
  const columns = [
    { name: t('Tool') },
    { name: t('Outcome') },
    { name: t('Time'), isFigure: true },
    { name: t('Size'), isFigure: true },
  ]
  const rows = calls.map(({ id, server, tool, outcome, latencyMs, bytes }) => ({
    key: id,
    cells: [
      server === '' ? tool : `${server}: ${tool}`,
      outcomeWords[outcome],
      formatDuration(latencyMs),
      bytes === null ? '' : formatBytes(bytes),
    ],
  }))
  return (
    <Section title={t('Calls of tools')}>
      <DataTable label={t('Calls of tools')} columns={columns} rows={rows} />
    </Section>
  )
}
