import { diffLines } from 'diff'

/** A line of each text, side by side; null when only the other text has a line here. */
export interface DiffRow {
  kind: 'same' | 'changed'
  before: DiffLine | null
  after: DiffLine | null
}

export interface DiffLine {
  number: number
  text: string
}

/** Compares two texts line by line. A removed line is beside the line that replaced it. */
export function diffRows(before: string, after: string): DiffRow[] {
  const rows: DiffRow[] = []
  let waiting: DiffLine[] = []
  let left = 0
  let right = 0
  const flush = () => {
    for (const line of waiting) rows.push({ kind: 'changed', before: line, after: null })
    waiting = []
  }
  for (const { value, added, removed } of diffLines(before, after)) {
    const lines = value.replace(/\n$/, '').split('\n')
    if (!added) flush()
    for (const text of lines) {
      if (removed) waiting.push({ number: (left += 1), text })
      else if (added) {
        rows.push({
          kind: 'changed',
          before: waiting.shift() ?? null,
          after: { number: (right += 1), text },
        })
      } else {
        const same = {
          before: { number: (left += 1), text },
          after: { number: (right += 1), text },
        }
        rows.push({ kind: 'same', ...same })
      }
    }
  }
  flush()
  return rows
}

/** Omits unchanged lines far from any change; null marks the gap. */
export function nearChanges(rows: readonly DiffRow[], around = 3): (DiffRow | null)[] {
  const isNear = rows.map((_row, index) =>
    rows
      .slice(Math.max(0, index - around), index + around + 1)
      .some(({ kind }) => kind === 'changed'),
  )
  return rows.flatMap((row, index) => {
    if (isNear[index]) return [row]
    return index === 0 || isNear[index - 1] ? [null] : []
  })
}
