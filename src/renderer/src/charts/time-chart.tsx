import type { ReactNode } from 'react'
import type { RequestFilter } from '../../../shared/requests/search.ts'
import type { UsageRange } from '../usage/range.ts'
import type { Bucket } from './buckets.ts'
import { ChartCard } from './chart-card.tsx'
import { heightOf, noFilter, type ChartSize } from './chart-props.ts'
import { tipRowsOf, type TimeData } from './chart-series.ts'
import { filterOfBucket, type BaseFilter } from './chart-text.ts'
import { LevelMark } from './keys.tsx'
import type { Frame, Lines } from './plot-frame.ts'
import type { Scale } from './scales.ts'
import { StackedBars } from './stacked-bars.tsx'
import type { Stack } from './stacks.ts'
import { TimePlot } from './time-plot.tsx'

export interface Plot {
  /** The title of the chart, where missing. */
  label?: string
  /** Null: the chart draws its own rows instead of a value axis. */
  scale: Scale | null
  format: (value: number) => string
  /** Height in pixels. */
  height?: number
  untilMs?: number
  lines?: Lines
  stack?: Stack
  /** One level across the whole time, such as an estimate for unsaved settings. */
  level?: number | null
  /** What only this chart draws. */
  renderMarks?: (frame: Frame) => ReactNode
}

interface TimeChartProps {
  title: string
  question: string
  data: TimeData
  range: UsageRange
  plots: readonly Plot[]
  filter?: BaseFilter | undefined
  size?: ChartSize | undefined
  controls?: ReactNode
  legend: ReactNode
  note?: ReactNode
  /** The requests behind a point; the whole bucket, where missing. */
  filterOf?: (bucket: Bucket, share: number | null) => RequestFilter
}

/** A chart over time: its plots with one cursor, its keys, its sentence and its table. */
export function TimeChart(props: TimeChartProps) {
  const { title, question, data, range, plots, filter = noFilter, size } = props
  const { controls, legend, note, filterOf } = props
  const { buckets, series, text } = data
  return (
    <ChartCard {...{ title, question, text, size, controls, legend, note }}>
      {plots.map(({ label = title, renderMarks, stack, level = null, ...plot }) => (
        <TimePlot
          key={label}
          height={heightOf(size)}
          {...plot}
          {...{ label, range, buckets }}
          valuesOf={(bucket) => tipRowsOf(buckets, series, bucket)}
          filterOf={filterOf ?? ((bucket) => filterOfBucket(bucket, filter))}
        >
          {(frame) => (
            <>
              {stack && <StackedBars stack={stack} frame={frame} />}
              {renderMarks?.(frame)}
              {level !== null && <LevelMark frame={frame} level={level} />}
            </>
          )}
        </TimePlot>
      ))}
    </ChartCard>
  )
}
