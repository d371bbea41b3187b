import { useEffect, useMemo, useState } from 'react'
import type { Router } from '../../../shared/entities.ts'
import {
  formatClock,
  formatCount,
  formatDateTime,
  formatDuration,
  formatGrams,
  formatSpan,
  formatUsd,
} from '../../../shared/format.ts'
import { Button } from '../components/button.tsx'
import { ErrorNote } from '../components/error-note.tsx'
import { loadUsage, useUsage } from '../stores/usage.ts'
import { ChartFigure } from './chart-figure.tsx'
import { DecisionChart, modelSeries } from './decision-chart.tsx'
import { LineChart } from './line-chart.tsx'
import { chartPoints, timeSpan, type ChartPoint, type ChartPoints } from './points.ts'

/** Live charts of a router: cost, latency, carbon and decisions over time. */
export function RouterCharts({ router }: { router: Router }) {
  const usage = useUsage((state) => state[router.id])
  useEffect(() => {
    void loadUsage(router.id)
  }, [router.id])
  const chart = useMemo(() => chartPoints(usage ?? { kind: 'loading' }), [usage])

  if (usage?.kind === 'failed') {
    return (
      <div className="p-4">
        <ErrorNote error={usage.error}>
          <Button size="small" onClick={() => void loadUsage(router.id)}>
            Try again
          </Button>
        </ErrorNote>
      </div>
    )
  }
  if (!usage || usage.kind === 'loading') {
    return <p className="p-4 text-sm text-muted">Loading requests…</p>
  }
  if (chart.points.length === 0) {
    return (
      <p className="p-4 text-sm text-muted">
        No answers yet. Send a message to see the cost, latency, carbon and model of each answer.
        {chart.failures > 0 && ` ${failureText(chart.failures)}`}
      </p>
    )
  }
  return <Charts router={router} chart={chart} />
}

interface Measure {
  title: string
  column: string
  colorClass: string
  valueOf: (point: ChartPoint) => number | null
  format: (value: number | null) => string
}

const measures: readonly Measure[] = [
  {
    title: 'Cost per answer',
    column: 'Cost',
    colorClass: 'text-series-1',
    valueOf: ({ costUsd }) => costUsd,
    format: formatUsd,
  },
  {
    title: 'Latency per answer',
    column: 'Latency',
    colorClass: 'text-series-5',
    valueOf: ({ latencyMs }) => latencyMs,
    format: formatDuration,
  },
  {
    title: 'Carbon per answer',
    column: 'CO₂e',
    colorClass: 'text-series-6',
    valueOf: ({ carbonGrams }) => carbonGrams,
    format: formatGrams,
  },
]

function Charts({ router, chart }: { router: Router; chart: ChartPoints }) {
  const { points, answers, bucketMs, failures } = chart
  const [hovered, setHovered] = useState<number | null>(null)
  const span = useMemo(() => timeSpan(points, bucketMs), [points, bucketMs])
  const times = useMemo(() => points.map(({ atMs }) => atMs), [points])
  const shown = points[hovered ?? points.length - 1]
  return (
    <>
      <p className="flex justify-between gap-2 border-b border-line px-4 py-2 text-xs text-muted">
        <span>
          {formatCount(answers)} {answers === 1 ? 'answer' : 'answers'}
          {bucketMs !== null && `, averaged over ${formatSpan(bucketMs)}`}
          {failures > 0 && ` · ${failureText(failures)}`}
        </span>
        {hovered !== null && shown && <span>{formatDateTime(shown.atMs)}</span>}
      </p>
      {measures.map((measure) => (
        <MeasureChart
          key={measure.title}
          {...{ measure, chart, times, span, onHover: setHovered }}
          value={shown ? measure.format(measure.valueOf(shown)) : ''}
        />
      ))}
      <Decisions router={router} chart={chart} span={span} shown={shown} />
    </>
  )
}

interface MeasureChartProps {
  measure: Measure
  chart: ChartPoints
  times: readonly number[]
  span: readonly [number, number]
  value: string
  onHover: (index: number | null) => void
}

function MeasureChart({ measure, chart, times, span, value, onHover }: MeasureChartProps) {
  const { points, bucketMs } = chart
  const values = useMemo(() => points.map(measure.valueOf), [points, measure])
  const known = values.filter((number) => number !== null)
  const mean = known.reduce((sum, number) => sum + number, 0) / known.length
  const summary =
    known.length === 0
      ? 'No data.'
      : `Average ${measure.format(mean)}, maximum ${measure.format(Math.max(...known))}.`
  return (
    <ChartFigure
      title={measure.title}
      value={value}
      summary={summary}
      table={{
        columns: ['Time', bucketMs === null ? measure.column : `${measure.column}, average`],
        rows: points.map((point) => [
          timeText(point.atMs, bucketMs),
          measure.format(measure.valueOf(point)),
        ]),
      }}
    >
      <LineChart
        {...{ times, values, span, onHover }}
        format={(number) => measure.format(number).replace('≈ ', '')}
        colorClass={measure.colorClass}
      />
    </ChartFigure>
  )
}

interface DecisionsProps {
  router: Router
  chart: ChartPoints
  span: readonly [number, number]
  shown: ChartPoint | undefined
}

function Decisions({ router, chart, span, shown }: DecisionsProps) {
  const { points, bucketMs } = chart
  const series = modelSeries(points, router.models)
  const leader = series.toSorted((a, b) => b.answers - a.answers)[0]
  return (
    <ChartFigure
      title="Decisions"
      value={shown ? Object.keys(shown.models).join(', ') : ''}
      summary={
        leader
          ? `${leader.id}: ${leader.answers} of ${chart.answers} ${chart.answers === 1 ? 'answer' : 'answers'}.`
          : ''
      }
      table={{
        columns: ['Time', 'Model'],
        rows: points.map(({ atMs, models }) => [timeText(atMs, bucketMs), modelsText(models)]),
      }}
    >
      <DecisionChart points={points} series={series} span={span} bucketMs={bucketMs} />
    </ChartFigure>
  )
}

function modelsText(models: Readonly<Record<string, number>>): string {
  return Object.entries(models)
    .map(([id, count]) => (count === 1 ? id : `${id} × ${count}`))
    .join(', ')
}

function timeText(atMs: number, bucketMs: number | null): string {
  return bucketMs === null ? formatClock(atMs) : formatDateTime(atMs)
}

function failureText(failures: number): string {
  return failures === 1 ? '1 request without an answer' : `${failures} requests without an answer`
}
