import type { PlotLine } from './line-plot.ts'

/** The names of a plot's lines. */
export function LineKeys({ entries }: { entries: readonly (PlotLine & { label: string })[] }) {
  return (
    <ul className="flex flex-wrap gap-x-4 gap-y-1 text-xs text-muted">
      {entries.map(({ label, color, dash }) => (
        <li key={label} className="flex items-center gap-1.5">
          <svg aria-hidden width="18" height="10" className="shrink-0 forced-color-adjust-none">
            <path
              d="M0 5h18"
              style={{ stroke: color }}
              strokeWidth="2"
              strokeDasharray={dash?.join(' ')}
            />
          </svg>
          {label}
        </li>
      ))}
    </ul>
  )
}
