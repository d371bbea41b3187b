/** The list with one entry at another place; the same list when nothing changes. */
export function moved(ids: readonly string[], id: string, to: number): readonly string[] {
  const from = ids.indexOf(id)
  const place = Math.min(Math.max(to, 0), ids.length - 1)
  if (from === -1 || from === place) return ids
  return ids.toSpliced(from, 1).toSpliced(place, 0, id)
}

/** The place of the pointer among the other entries: behind those whose middle is above it. */
export function placeAt(y: number, others: readonly { top: number; bottom: number }[]): number {
  return others.filter(({ top, bottom }) => (top + bottom) / 2 < y).length
}
