import { DataTable } from '../../components/data-table.tsx'
import { RequestsLink } from '../../components/requests-link.tsx'
import type { BaseFilter } from '../../charts/chart-text.ts'
import { withoutEmptyColumns, type UsageRow, type UsageTable } from './usage-table.ts'
import { joinSentences } from '../../../../shared/strings/join.ts'
import { byWords, groupingWords, type Grouping } from './grouping.ts'
import { t } from '../../../../shared/strings/strings.ts'

interface GroupTableProps {
  table: UsageTable
  grouping: Grouping
  base: BaseFilter
}

const note = t(
  'p95 is at most 4.4 % off, and CO₂e is an estimate. The export has unrounded figures.',
)
/** What the groups leave out, where they are not all requests. */
const leftOut: Partial<Record<Grouping, string>> = {
  agent: t(
    'The steps of agents are counted while their requests are kept; the total has all requests.',
  ),
  conversation: t(
    'The answers of the chat are counted while their requests are kept; the total has all requests.',
  ),
}

/** A row for each group, and their total. A name leads to the group's requests. */
export function GroupTable({ table, grouping, base }: GroupTableProps) {
  const { columns, rows, total } = withoutEmptyColumns(table)
  return (
    <DataTable
      label={t('Usage {byGroup}', { byGroup: byWords[grouping] })}
      columns={[
        { name: groupingWords[grouping] },
        ...columns.map(({ name }) => ({ name, isFigure: true })),
      ]}
      rows={[
        ...rows.map((each) => ({ key: each.row.id, cells: cellsOf(each, base) })),
        { key: 'total', cells: cellsOf(total, base), isMarked: true },
      ]}
      note={joinSentences([note, leftOut[grouping] ?? ''])}
    />
  )
}

function cellsOf({ row, cells }: UsageRow, base: BaseFilter) {
  const name = (
    <span key="name" title={row.name} className="block max-w-72 truncate">
      {row.filter ? (
        <RequestsLink filter={{ ...base, ...row.filter }}>{row.name}</RequestsLink>
      ) : (
        row.name
      )}
    </span>
  )
  return [name, ...cells.map(({ text }) => text)]
}
