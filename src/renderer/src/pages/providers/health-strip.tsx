import { useState } from 'react'
import { formatCount } from '../../../../shared/format.ts'
import { Button } from '../../components/button.tsx'
import { DataTable } from '../../components/data-table.tsx'
import { Dialog } from '../../components/dialog.tsx'
import { RequestsLink } from '../../components/requests-link.tsx'
import {
  dateOf,
  dayWords,
  totalOf,
  type HealthDay,
  type ProviderHealthDays,
} from './health-days.ts'

const height = 24
const dayWidth = 10
const gap = 2

interface HealthStripProps {
  providerId: string
  health: ProviderHealthDays
}

/** The last 30 days: the share of answers, of answers in place of another model, and of failures. */
export function HealthStrip({ providerId, health: { days, words } }: HealthStripProps) {
  const [isTableOpen, setIsTableOpen] = useState(false)
  return (
    <div className="flex flex-col gap-1">
      <RequestsLink filter={{ providerId }} range="30d" className="rounded-sm">
        <svg
          role="img"
          aria-label={`Requests of ${providerId}: ${words}`}
          viewBox={`0 0 ${days.length * dayWidth - gap} ${height}`}
          preserveAspectRatio="none"
          className="h-6 w-full forced-color-adjust-none"
        >
          {days.map((day, index) => (
            <Day key={day.startMs} day={day} x={index * dayWidth} />
          ))}
        </svg>
      </RequestsLink>
      <p className="flex items-center justify-between gap-3 text-xs text-muted tabular-nums">
        {words}
        <Button
          size="small"
          look="quiet"
          aria-label={`Days of ${providerId}`}
          onClick={() => setIsTableOpen(true)}
        >
          Days
        </Button>
      </p>
      {isTableOpen && (
        <Dialog
          title={`${providerId} by day`}
          description={words}
          onClose={() => setIsTableOpen(false)}
        >
          <DayTable days={days} />
        </Dialog>
      )}
    </div>
  )
}

function Day({ day, x }: { day: HealthDay; x: number }) {
  const total = totalOf(day)
  const width = dayWidth - gap
  if (total === 0) {
    return (
      <rect x={x} y={height - 3} width={width} height={3} className="fill-line">
        <title>{dayWords(day)}</title>
      </rect>
    )
  }
  const failedHeight = heightOf(day.failed, total)
  const fallbackHeight = heightOf(day.fallbacks, total)
  return (
    <g>
      <title>{dayWords(day)}</title>
      <rect x={x} y={0} width={width} height={height} className="fill-ok" />
      <rect x={x} y={failedHeight} width={width} height={fallbackHeight} className="fill-warn" />
      <rect x={x} y={0} width={width} height={failedHeight} className="fill-bad" />
    </g>
  )
}

/** A few failures among many answers are still visible. */
function heightOf(part: number, total: number): number {
  return part === 0 ? 0 : Math.max(2, (part / total) * height)
}

const columns = [
  { name: 'Day' },
  { name: 'Answered', isFigure: true },
  { name: 'As fallback', isFigure: true },
  { name: 'Failed', isFigure: true },
]

function DayTable({ days }: { days: readonly HealthDay[] }) {
  const rows = days
    .filter((day) => totalOf(day) > 0)
    .toReversed()
    .map((day) => ({
      key: String(day.startMs),
      cells: [dateOf(day), ...[day.answered, day.fallbacks, day.failed].map(formatCount)],
    }))
  if (rows.length === 0) return <p className="text-sm text-muted">No requests in these days.</p>
  return <DataTable label="Requests by day" columns={columns} rows={rows} />
}
