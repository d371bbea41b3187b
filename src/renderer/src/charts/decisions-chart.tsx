import { useMemo } from 'react'
import { formatTokens } from '../../../shared/strings/format.ts'
import type { RouterChange } from '../../../shared/routers/router-change.ts'
import { colourOfModel } from '../usage/model-colours.ts'
import { ChangeMarks } from './change-marks.tsx'
import { ChartCard } from './chart-card.tsx'
import { heightOf, noFilter, type ChartProps } from './chart-props.ts'
import { filterOfBucket } from './chart-text.ts'
import {
  decisionsOf,
  filterOfSeries,
  legendRows,
  otherSeries,
  tipRows,
  unansweredSeries,
  type DecisionTipRow,
} from './decisions.ts'
import { Legend } from './legend.tsx'
import type { TipRow } from './plot-frame.ts'
import { StackedBars } from './stacked-bars.tsx'
import { seriesAt, stackOf } from './stacks.ts'
import { TimePlot } from './time-plot.tsx'
import { t } from '../../../shared/strings/strings.ts'

interface DecisionsChartProps extends ChartProps {
  /** Changes of the router's settings, drawn as flags. It should stay the same object. */
  changes?: readonly RouterChange[]
}

const noChanges: readonly RouterChange[] = []

/** Which models answered, over time. */
export function DecisionsChart(props: DecisionsChartProps) {
  const { report, range, filter = noFilter, size, changes = noChanges, draft = null } = props
  const decisions = useMemo(
    () => decisionsOf(report, range, { base: filter, changes, draft }),
    [report, range, filter, changes, draft],
  )
  const stack = useMemo(
    () =>
      stackOf({
        series: decisions.series.map((series) => ({ ...series, ...colourOf(series.name) })),
        buckets: decisions.buckets,
        valueOf: (index, bucket) => decisions.valueOf(decisions.series[index]?.name ?? '', bucket),
        steps: 'whole',
      }),
    [decisions],
  )
  return (
    <ChartCard
      title={t('Decisions')}
      question={t('Which models were chosen, and when did that change?')}
      text={decisions.text}
      size={size}
      legend={
        <Legend
          entries={legendRows(decisions.series, draft).map((row) => ({
            ...row,
            ...colourOf(row.name),
            filter: filterOfSeries(row.name, {
              ...filter,
              fromMs: range.fromMs,
              toMs: range.toMs,
            }),
          }))}
        />
      }
    >
      <TimePlot
        label={t('Decisions')}
        {...{ range, buckets: decisions.buckets, scale: stack.scale, height: heightOf(size) }}
        format={formatTokens}
        valuesOf={(bucket) => tipRows(decisions, bucket).map(coloured)}
        filterOf={(bucket, share) => {
          const ofBucket = filterOfBucket(bucket, filter)
          const name = seriesAt(stack, bucket, share)?.name ?? otherSeries
          return filterOfSeries(name, ofBucket) ?? ofBucket
        }}
      >
        {(frame) => (
          <>
            <StackedBars stack={stack} frame={frame} />
            <ChangeMarks flags={decisions.changes.flags} frame={frame} />
          </>
        )}
      </TimePlot>
    </ChartCard>
  )
}

function coloured({ series, ...row }: DecisionTipRow): TipRow {
  return series === null ? row : { ...row, ...colourOf(series) }
}

function colourOf(name: string) {
  if (name === otherSeries) return { color: 'var(--color-edge)', isHatched: false }
  if (name === unansweredSeries) return { color: 'var(--color-bad)', isHatched: true }
  return colourOfModel(name)
}
