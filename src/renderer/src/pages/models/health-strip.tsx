import { Table2 } from 'lucide-react'
import { useState } from 'react'
import { formatCount } from '../../../../shared/strings/format.ts'
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
import { t } from '../../../../shared/strings/strings.ts'

const height = 24
const dayWidth = 10
const gap = 2

interface HealthStripProps {
  providerId: string
  health: ProviderHealthDays
}

/** The answers of the last 30 days; those in place of another model in a colour of their own. */
export function HealthStrip({ providerId, health: { days, words } }: HealthStripProps) {
  const most = Math.max(...days.map(totalOf))
  const [isTableOpen, setIsTableOpen] = useState(false)
  return (
    <div className="flex flex-col gap-1">
      <RequestsLink filter={{ providerId }} range="30d" className="rounded-sm">
        <svg
          role="img"
          aria-label={`${providerId}: ${words}`}
          viewBox={`0 0 ${days.length * dayWidth - gap} ${height}`}
          preserveAspectRatio="none"
          className="h-6 w-full forced-color-adjust-none"
        >
          {days.map((day, index) => (
            <Day key={day.startMs} day={day} x={index * dayWidth} most={most} />
          ))}
        </svg>
      </RequestsLink>
      <p className="flex items-center justify-between gap-3 text-xs text-muted tabular-nums">
        {words}
        <Button
          size="small"
          look="quiet"
          aria-label={t('Table of {providerId} by day', { providerId })}
          onClick={() => setIsTableOpen(true)}
        >
          <Table2 size={14} aria-hidden /> {t('Table')}
        </Button>
      </p>
      {isTableOpen && (
        <Dialog
          title={t('{providerId} by day', { providerId })}
          description={words}
          onClose={() => setIsTableOpen(false)}
        >
          <DayTable days={days} />
        </Dialog>
      )}
    </div>
  )
}

/** @param most  the answers of the busiest day, whose bar has the full height */
function Day({ day, x, most }: { day: HealthDay; x: number; most: number }) {
  const total = totalOf(day)
  const width = dayWidth - gap
  if (total === 0) {
    return (
      <rect x={x} y={height - 3} width={width} height={3} className="fill-line">
        <title>{dayWords(day)}</title>
      </rect>
    )
  }
  const y = height - heightOf(total, most)
  return (
    <g>
      <title>{dayWords(day)}</title>
      <rect x={x} y={y} width={width} height={height - y} className="fill-accent" />
      <rect
        x={x}
        y={y}
        width={width}
        height={heightOf(day.fallbacks, most)}
        className="fill-warn"
      />
    </g>
  )
}

/** A few answers beside a busy day are still visible. */
function heightOf(answers: number, most: number): number {
  return answers === 0 ? 0 : Math.max(2, (answers / most) * height)
}

const columns = [
  { name: t('Day') },
  { name: t('First choice'), isFigure: true },
  { name: t('As fallback'), isFigure: true },
]

function DayTable({ days }: { days: readonly HealthDay[] }) {
  const rows = days
    .filter((day) => totalOf(day) > 0)
    .toReversed()
    .map((day) => ({
      key: String(day.startMs),
      cells: [dateOf(day), ...[day.answered, day.fallbacks].map(formatCount)],
    }))
  if (rows.length === 0)
    return <p className="text-sm text-muted">{t('No answers in these days.')}</p>
  return <DataTable label={t('Answers by day')} columns={columns} rows={rows} />
}
