import { useMemo } from 'react'
import type { Execution } from '../../../../shared/agents/agent.ts'
import {
  formatCount,
  formatDuration,
  formatGrams,
  formatShortUsd,
  formatUsd,
} from '../../../../shared/strings/format.ts'
import { t } from '../../../../shared/strings/strings.ts'
import { ChartCard } from '../../charts/chart-card.tsx'
import { heightOf } from '../../charts/chart-props.ts'
import { gramMarks, msMarks } from '../../charts/chart-text.ts'
import type { Scale } from '../../charts/scales.ts'
import { TimePlot } from '../../charts/time-plot.tsx'
import type { UsageRange } from '../../usage/range.ts'
import { runFigures, runRange, type RunMeasure } from './run-figures.ts'

interface Measure extends RunMeasure {
  /** How the axis writes its marks. */
  marksOf: (scale: Scale) => (value: number) => string
}

const measures: readonly Measure[] = [
  {
    title: t('Cost per run'),
    question: t('What does one run cost?'),
    column: t('Cost'),
    color: 'var(--color-series-1)',
    valueOf: ({ costNanoUsd }) => costNanoUsd / 1e9,
    format: formatUsd,
    marksOf: () => formatShortUsd,
  },
  {
    title: t('Latency per run'),
    question: t('How long does one run take?'),
    column: t('Latency'),
    color: 'var(--color-series-5)',
    valueOf: ({ latencyMs }) => latencyMs,
    format: formatDuration,
    marksOf: msMarks,
    steps: 'duration',
  },
  {
    title: t('Requests per run'),
    question: t('How many requests does one run send?'),
    column: t('Requests'),
    color: 'var(--color-series-3)',
    valueOf: ({ steps }) => steps,
    format: formatCount,
    marksOf: () => formatCount,
    steps: 'whole',
  },
  {
    title: t('Carbon per run'),
    question: t('What does one run emit? An estimate.'),
    column: 'CO₂e',
    color: 'var(--color-series-6)',
    valueOf: ({ carbonGrams }) => carbonGrams,
    format: formatGrams,
    marksOf: gramMarks,
  },
]

/** Cost, latency, requests and carbon of an agent's runs over time. @param runs  newest first */
export function AgentCharts({ runs }: { runs: readonly Execution[] }) {
  const over = useMemo(() => runs.filter(({ state }) => state !== 'running').toReversed(), [runs])
  const range = useMemo(() => runRange(over), [over])
  if (over.length === 0)
    return <p className="p-4 text-sm text-muted">{t('No finished runs yet.')}</p>
  return measures.map((measure) => (
    <RunChart key={measure.title} {...{ measure, range }} runs={over} />
  ))
}

interface RunChartProps {
  measure: Measure
  runs: readonly Execution[]
  range: UsageRange
}

/** A dot for each run. A line between them would show a trend that was not measured. */
function RunChart({ measure, runs, range }: RunChartProps) {
  const { title, question, column, color, valueOf, format, marksOf } = measure
  const figures = useMemo(() => runFigures(runs, measure), [runs, measure])
  const formatMark = useMemo(() => marksOf(figures.scale), [marksOf, figures.scale])
  const lines = useMemo(
    () => ({
      looks: [{ color, look: 'dots' as const }],
      data: { times: figures.times, values: [figures.values] },
    }),
    [figures, color],
  )
  return (
    <ChartCard {...{ title, question }} text={figures.text} size="small">
      <TimePlot
        label={title}
        {...{ range, lines }}
        buckets={figures.slots}
        scale={figures.scale}
        height={heightOf('small')}
        format={formatMark}
        valuesOf={({ point }) =>
          point === null ? [] : [{ name: column, value: format(valueOf(point)), color }]
        }
        filterOf={({ point }) => (point === null ? null : { executionId: point.id })}
      >
        {() => null}
      </TimePlot>
    </ChartCard>
  )
}
