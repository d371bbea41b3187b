/** The order of a table's rows. */
export type SortValue = string | number | null

export interface Order {
  column: number
  direction: 'ascending' | 'descending'
}

/**
 * The order after a press on a column's head: figures begin with the largest, names with the first; a second press
 * reverses that, a third one restores the table's own order.
 */
export function nextOrder(order: Order | null, column: number, isFigure: boolean): Order | null {
  const [first, second] = isFigure
    ? (['descending', 'ascending'] as const)
    : (['ascending', 'descending'] as const)
  if (order?.column !== column) return { column, direction: first }
  return order.direction === first ? { column, direction: second } : null
}

/** The rows in this order; those without a value come last in each. */
export function inOrder<Row extends { values?: readonly SortValue[] | undefined }>(
  rows: readonly Row[],
  order: Order | null,
): readonly Row[] {
  if (order === null) return rows
  const sign = order.direction === 'ascending' ? 1 : -1
  return rows.toSorted((a, b) => {
    const [left, right] = [a, b].map(({ values }) => values?.[order.column] ?? null)
    if (left === null || right === null) return Number(left === null) - Number(right === null)
    return sign * compared(left ?? null, right ?? null)
  })
}

function compared(a: SortValue, b: SortValue): number {
  if (typeof a === 'number' && typeof b === 'number') return a - b
  return String(a).localeCompare(String(b))
}
