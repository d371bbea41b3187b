import type { ReactNode } from 'react'
import { draftName } from './draft-overlay.ts'
import type { Frame } from './plot-frame.ts'

/** The names of a plot's marks. A mark is SVG of 14 by 10 pixels. */
export function Keys({ entries }: { entries: readonly { label: string; mark: ReactNode }[] }) {
  return (
    <ul className="flex flex-wrap gap-x-4 gap-y-1 text-xs text-muted">
      {entries.map(({ label, mark }) => (
        <li key={label} className="flex items-center gap-1.5">
          <svg aria-hidden width="14" height="10" className="shrink-0 forced-color-adjust-none">
            {mark}
          </svg>
          {label}
        </li>
      ))}
    </ul>
  )
}

const levelDash = [5, 4]

/** One level across a plot. */
export function LevelMark({ frame, level }: { frame: Frame; level: number }) {
  return (
    <path
      d={`M${frame.left} ${frame.yOf(level)}h${frame.width}`}
      className="stroke-ink"
      strokeWidth="1.5"
      strokeDasharray={levelDash.join(' ')}
    />
  )
}

/** The key of a level for unsaved settings; none without one. */
export function draftKey(level: number | null) {
  const mark = <LineMark color="var(--color-ink)" dash={levelDash} />
  return level === null ? [] : [{ label: draftName, mark }]
}

/** The mark of a line. */
export function LineMark({ color, dash }: { color: string; dash?: readonly number[] }) {
  return (
    <path d="M0 5h14" style={{ stroke: color }} strokeWidth="2" strokeDasharray={dash?.join(' ')} />
  )
}
