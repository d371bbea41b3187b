import { useMemo } from 'react'
import { formatTokens } from '../../../shared/strings/format.ts'
import type { RouterChange } from '../../../shared/routers/router-change.ts'
import { colourOfModel } from '../usage/model-colours.ts'
import { ChangeMarks } from './change-marks.tsx'
import { noFilter, type ChartProps } from './chart-props.ts'
import { filterOfBucket } from './chart-text.ts'
import {
  decisionsOf,
  filterOfSeries,
  legendRows,
  otherSeries,
  unansweredSeries,
} from './decisions.ts'
import { Legend } from './legend.tsx'
import { seriesAt, stackOf } from './stacks.ts'
import { TimeChart } from './time-chart.tsx'
import { timesOf } from '../usage/range.ts'
import { t } from '../../../shared/strings/strings.ts'

interface DecisionsChartProps extends ChartProps {
  /** Changes of the router's settings, drawn as flags. It should stay the same object. */
  changes?: readonly RouterChange[]
}

const noChanges: readonly RouterChange[] = []

/** Shows which models answered, over time. */
export function DecisionsChart(props: DecisionsChartProps) {
  const { report, range, filter = noFilter, size, changes = noChanges, draft = null } = props
  const decisions = useMemo(
    () => decisionsOf(report, range, { base: filter, changes, draft, colourOf }),
    [report, range, filter, changes, draft],
  )
  const stack = useMemo(
    () =>
      stackOf({
        series: decisions.models,
        buckets: decisions.buckets,
        valueOf: (index, bucket) => decisions.countIn(decisions.models[index]?.name ?? '', bucket),
        steps: 'whole',
      }),
    [decisions],
  )
  const within = { ...filter, ...timesOf(range) }
  return (
    <TimeChart
      title={t('Decisions')}
      question={t('Which models were chosen, and when did that change?')}
      data={decisions}
      {...{ range, filter, size }}
      legend={
        <Legend
          entries={legendRows(decisions.models, draft).map((row) => ({
            ...row,
            ...colourOf(row.name),
            filter: filterOfSeries(row.name, within),
          }))}
        />
      }
      filterOf={(bucket, share) => {
        const ofBucket = filterOfBucket(bucket, filter)
        const name = seriesAt(stack, bucket, share)?.name ?? otherSeries
        return filterOfSeries(name, ofBucket) ?? ofBucket
      }}
      plots={[
        {
          scale: stack.scale,
          format: formatTokens,
          stack,
          renderMarks: (frame) => <ChangeMarks flags={decisions.changes.flags} frame={frame} />,
        },
      ]}
    />
  )
}

function colourOf(name: string) {
  if (name === otherSeries) return { color: 'var(--color-edge)', isHatched: false }
  if (name === unansweredSeries) return { color: 'var(--color-bad)', isHatched: true }
  return colourOfModel(name)
}
