import type { ReactNode } from 'react'

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

/** The mark of a line. */
export function LineMark({ color, dash }: { color: string; dash?: readonly number[] }) {
  return (
    <path d="M0 5h14" style={{ stroke: color }} strokeWidth="2" strokeDasharray={dash?.join(' ')} />
  )
}
