import type { ReactNode } from 'react'

export interface Column {
  name: string
  /** Aligns the column to the right. */
  isFigure?: boolean
}

interface DataTableProps {
  /** The accessible name. */
  label: string
  columns: readonly Column[]
  rows: readonly { key: string; cells: readonly ReactNode[]; isMarked?: boolean }[]
  /** A note below the table. */
  note?: ReactNode
}

/** A table whose first column holds row headings. It scrolls sideways when it is too wide. */
export function DataTable({ label, columns, rows, note }: DataTableProps) {
  return (
    <div className="flex flex-col gap-1.5">
      <div
        role="region"
        aria-label={label}
        tabIndex={0}
        className="overflow-x-auto rounded-lg border border-line bg-surface"
      >
        <table className="w-full text-left text-xs tabular-nums">
          <thead>
            <tr className="border-b border-line text-muted">
              {columns.map(({ name, isFigure }) => (
                <th key={name} scope="col" className={cellClass(isFigure, 'font-medium')}>
                  {name}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {rows.map(({ key, cells, isMarked }) => (
              <tr
                key={key}
                className={`border-b border-line last:border-b-0 ${isMarked ? 'bg-accent-soft' : ''}`}
              >
                {cells.map((cell, index) =>
                  index === 0 ? (
                    <th key={index} scope="row" className={cellClass(false, 'font-medium')}>
                      {cell}
                    </th>
                  ) : (
                    <td key={index} className={cellClass(columns[index]?.isFigure, '')}>
                      {cell}
                    </td>
                  ),
                )}
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      {note && <p className="text-xs text-muted">{note}</p>}
    </div>
  )
}

function cellClass(isFigure: boolean | undefined, weight: string): string {
  return `px-2.5 py-1.5 ${isFigure ? 'text-right whitespace-nowrap' : ''} ${weight}`
}
