import { create } from 'zustand'
import { columnNames, fittingColumns, usualColumns, type ColumnName } from './columns.tsx'

const storageKey = 'request-columns'

interface Columns {
  /** Whether the user changed them. They survive a restart. */
  isChosen: boolean
  /** Columns in the order of the table. */
  columns: readonly ColumnName[]
}

export const useColumns = create<Columns>(() => readColumns(localStorage.getItem(storageKey)))

/** Shows or hides a column. From then on the columns no longer depend on the width. */
export function toggleColumn(name: ColumnName): void {
  const { columns } = useColumns.getState()
  const chosen = columnNames.filter((each) => columns.includes(each) !== (each === name))
  localStorage.setItem(storageKey, chosen.join(' '))
  useColumns.setState({ isChosen: true, columns: chosen })
}

/** Shows the usual columns that fit into this width, unless the user has chosen columns. */
export function fitColumns(widthPx: number): void {
  const { isChosen, columns } = useColumns.getState()
  const fitting = fittingColumns(widthPx)
  if (isChosen || fitting.length === columns.length) return
  useColumns.setState({ columns: fitting })
}

/** The columns of a stored text; the usual ones without it. Unknown names are left out. */
function readColumns(text: string | null): Columns {
  if (text === null) return { isChosen: false, columns: usualColumns }
  const stored = text.split(' ')
  return { isChosen: true, columns: columnNames.filter((name) => stored.includes(name)) }
}
