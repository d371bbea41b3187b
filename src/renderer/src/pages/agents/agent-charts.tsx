import { useMemo, useState } from 'react'
import type { Execution } from '../../../../shared/agent.ts'
import {
  formatCount,
  formatDateTime,
  formatDuration,
  formatGrams,
  formatUsd,
} from '../../../../shared/format.ts'
import { ChartFigure } from '../../charts/chart-figure.tsx'
import { LineChart } from '../../charts/line-chart.tsx'
import { t } from '../../../../shared/strings/strings.ts'

interface Measure {
  title: string
  column: string
  colorClass: string
  valueOf: (run: Execution) => number | null
  format: (value: number | null) => string
}

const measures: readonly Measure[] = [
  {
    title: t('Cost per run'),
    column: 'Cost',
    colorClass: 'text-series-1',
    valueOf: ({ costNanoUsd }) => costNanoUsd / 1e9,
    format: formatUsd,
  },
  {
    title: t('Latency per run'),
    column: 'Latency',
    colorClass: 'text-series-5',
    valueOf: ({ latencyMs }) => latencyMs,
    format: formatDuration,
  },
  {
    title: t('Requests per run'),
    column: 'Requests',
    colorClass: 'text-series-3',
    valueOf: ({ steps }) => steps,
    format: formatCount,
  },
  {
    title: t('Carbon per run'),
    column: 'CO₂e',
    colorClass: 'text-series-6',
    valueOf: ({ carbonGrams }) => carbonGrams,
    format: formatGrams,
  },
]

/** Cost, latency, requests and carbon of an agent's runs over time. @param runs  newest first */
export function AgentCharts({ runs }: { runs: readonly Execution[] }) {
  const [hovered, setHovered] = useState<number | null>(null)
  const over = useMemo(() => runs.filter(({ state }) => state !== 'running').toReversed(), [runs])
  const times = useMemo(() => over.map(({ startedAtMs }) => startedAtMs), [over])
  const span = useMemo(() => spanOf(times), [times])
  const shown = over[hovered ?? over.length - 1]
  if (over.length === 0)
    return <p className="p-4 text-sm text-muted">{t('No finished runs yet.')}</p>
  return measures.map((measure) => (
    <RunChart
      key={measure.title}
      {...{ measure, runs: over, times, span, onHover: setHovered }}
      value={shown ? measure.format(measure.valueOf(shown)) : ''}
    />
  ))
}

interface RunChartProps {
  measure: Measure
  runs: readonly Execution[]
  times: readonly number[]
  span: readonly [number, number]
  value: string
  onHover: (index: number | null) => void
}

function RunChart({ measure, runs, times, span, value, onHover }: RunChartProps) {
  const { title, column, colorClass, valueOf, format } = measure
  const values = useMemo(() => runs.map(valueOf), [runs, valueOf])
  const known = values.filter((number) => number !== null)
  const mean = known.reduce((sum, number) => sum + number, 0) / known.length
  const summary =
    known.length === 0
      ? t('No data.')
      : t('Average {mean}, maximum {max}.', { mean: format(mean), max: format(Math.max(...known)) })
  return (
    <ChartFigure
      title={title}
      value={value}
      summary={summary}
      table={{
        columns: ['Time', column],
        rows: runs.map((run) => [formatDateTime(run.startedAtMs), format(valueOf(run))]),
      }}
    >
      <LineChart
        {...{ times, values, span, onHover, colorClass }}
        format={(number) => format(number).replace('≈ ', '')}
      />
    </ChartFigure>
  )
}

/** At least one second, with a margin at both ends. */
function spanOf(times: readonly number[]): [number, number] {
  const first = times[0] ?? 0
  const last = times.at(-1) ?? first
  const room = Math.max(last - first, 1000) * 0.04
  const half = Math.max(last - first, 1000) / 2
  const middle = (first + last) / 2
  return [middle - half - room, middle + half + room]
}
