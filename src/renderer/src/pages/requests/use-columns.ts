import { create } from 'zustand'
import { columnNames, usualColumns, type ColumnName } from './columns.tsx'

const storageKey = 'request-columns'

/** The chosen columns, in the order of the table. They survive a restart. */
export const useColumns = create<{ columns: readonly ColumnName[] }>(() => ({
  columns: readColumns(localStorage.getItem(storageKey)),
}))

/** Shows or hides a column. */
export function toggleColumn(name: ColumnName): void {
  const { columns } = useColumns.getState()
  const chosen = columnNames.filter((each) => columns.includes(each) !== (each === name))
  localStorage.setItem(storageKey, chosen.join(' '))
  useColumns.setState({ columns: chosen })
}

/** The columns of a stored text; the usual ones without it. Unknown names are left out. */
export function readColumns(text: string | null): readonly ColumnName[] {
  if (text === null) return usualColumns
  const stored = text.split(' ')
  return columnNames.filter((name) => stored.includes(name))
}
