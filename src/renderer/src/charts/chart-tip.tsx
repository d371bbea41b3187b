import { Swatch } from './swatch.tsx'
import type { TipRow } from './chart-series.ts'
import { rich } from '../components/rich.tsx'

interface ChartTipProps {
  title: string
  rows: readonly TipRow[]
  at: { x: number; y: number }
  within: { width: number; height: number }
}

/** Distance to the point in pixels. */
const distance = 14
const mostRows = 10

/** The values at the cursor, on the side where there is room. */
export function ChartTip({ title, rows, at, within }: ChartTipProps) {
  const isLeft = at.x > within.width / 2
  const hidden = rows.length - mostRows
  return (
    <div
      aria-hidden
      className="pointer-events-none absolute z-10 max-w-64 min-w-36 rounded-lg border border-line bg-raised px-2.5 py-2 text-xs shadow-lg"
      style={{
        top: Math.min(at.y, within.height / 2),
        ...(isLeft ? { right: within.width - at.x + distance } : { left: at.x + distance }),
      }}
    >
      <p className="mb-1 font-medium whitespace-nowrap">{title}</p>
      <ul className="flex flex-col gap-0.5">
        {rows.slice(0, mostRows).map(({ name, value, color, isHatched }, index) => (
          // Two changes of the settings may have the same words.
          <li key={`${index} ${name}`} className="flex items-center gap-1.5">
            {color && <Swatch color={color} isHatched={isHatched ?? false} />}
            <span className={value === '' ? 'wrap-anywhere' : 'truncate text-muted'}>{name}</span>
            <span className="ml-auto pl-3 whitespace-nowrap tabular-nums">{value}</span>
          </li>
        ))}
        {hidden > 0 && (
          <li className="text-muted">{rich('{hidden} more in the table', { hidden })}</li>
        )}
      </ul>
    </div>
  )
}
