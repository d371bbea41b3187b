import type { RequestFilter } from '../../../shared/requests/search.ts'
import { RequestsLink } from '../components/requests-link.tsx'
import { Swatch } from './swatch.tsx'

export interface LegendEntry {
  name: string
  label: string
  color: string
  isHatched: boolean
  value: string
  filter: RequestFilter | null
}

/** The names of a chart's colours with their values. Each leads to its requests. */
export function Legend({ entries }: { entries: readonly LegendEntry[] }) {
  return (
    <ul className="flex flex-wrap gap-x-4 gap-y-1 text-xs">
      {entries.map(({ name, label, color, isHatched, value, filter }) => (
        <li key={name} className="flex min-w-0 items-center gap-1.5">
          <Swatch color={color} isHatched={isHatched} />
          {filter ? (
            <RequestsLink filter={filter} className="truncate hover:underline">
              {label}
            </RequestsLink>
          ) : (
            <span className="truncate">{label}</span>
          )}
          <span className="text-muted tabular-nums">{value}</span>
        </li>
      ))}
    </ul>
  )
}
