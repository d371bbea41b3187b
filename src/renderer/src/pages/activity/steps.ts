interface Place {
  /** -1 before the first step. */
  index: number
  count: number
  /** Rows that Page up and Page down pass. */
  pageSize: number
}

/** The row that a key moves to; null for other keys and in an empty list. */
export function stepOf(key: string, { index, count, pageSize }: Place): number | null {
  const targets: Readonly<Partial<Record<string, number>>> = {
    ArrowDown: index + 1,
    ArrowUp: index - 1,
    PageDown: index + pageSize,
    PageUp: index - pageSize,
    Home: 0,
    End: count - 1,
  }
  const target = targets[key]
  if (target === undefined || count === 0) return null
  return Math.min(Math.max(target, 0), count - 1)
}
