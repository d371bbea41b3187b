import { Table2 } from 'lucide-react'
import { useId, useState, type ReactNode } from 'react'
import { IconButton } from '../components/button.tsx'
import { t } from '../../../shared/strings/strings.ts'

export interface ChartTable {
  columns: readonly string[]
  rows: readonly (readonly string[])[]
}

interface ChartFigureProps {
  title: string
  /** The latest value, or the one under the pointer. */
  value: string
  /** The chart in one sentence. */
  summary: string
  table: ChartTable
  children: ReactNode
}

/** A chart with its name, a summary in words, and the same points as a table. */
export function ChartFigure({ title, value, summary, table, children }: ChartFigureProps) {
  const id = useId()
  const [isTable, setIsTable] = useState(false)
  return (
    <figure
      aria-labelledby={`${id}-title`}
      aria-describedby={`${id}-summary`}
      data-points={table.rows.length}
      className="flex flex-col gap-1.5 border-b border-line px-4 py-3 last:border-b-0"
    >
      <div className="flex items-center justify-between gap-2">
        <h3 id={`${id}-title`} className="text-xs font-semibold">
          {title}
        </h3>
        <span className="ml-auto truncate text-xs font-medium tabular-nums">{value}</span>
        <IconButton
          label={t('Show as table')}
          aria-pressed={isTable}
          className="-my-1 text-muted aria-pressed:bg-accent-soft aria-pressed:text-accent"
          onClick={() => setIsTable(!isTable)}
        >
          <Table2 size={14} aria-hidden />
        </IconButton>
      </div>
      {isTable ? <PointTable title={title} table={table} /> : <div aria-hidden>{children}</div>}
      <figcaption id={`${id}-summary`} className="text-xs text-muted">
        {summary}
      </figcaption>
    </figure>
  )
}

function PointTable({ title, table }: { title: string; table: ChartTable }) {
  return (
    <div
      className="max-h-56 overflow-auto rounded-md border border-line"
      tabIndex={0}
      role="region"
      aria-label={t('{title}, all points', { title })}
    >
      <table className="w-full text-left text-xs tabular-nums">
        <thead className="sticky top-0 bg-sunken">
          <tr>
            {table.columns.map((column) => (
              <th key={column} scope="col" className="px-2 py-1 font-medium">
                {column}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {table.rows.map((row, index) => (
            <tr key={index} className="border-t border-line">
              {row.map((cell, column) => (
                <td key={column} className="px-2 py-1">
                  {cell}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}
