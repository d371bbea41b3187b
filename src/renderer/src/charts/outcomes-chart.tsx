import { useMemo } from 'react'
import { formatCount, formatTokens } from '../../../shared/strings/format.ts'
import { noFilter, type ChartProps } from './chart-props.ts'
import { filterOfBucket } from './chart-text.ts'
import { Legend } from './legend.tsx'
import { outcomesOf, type OutcomeLane } from './outcomes.ts'
import type { Bucket } from './buckets.ts'
import type { Frame } from './plot-frame.ts'
import { TimeChart } from './time-chart.tsx'
import { useErrorReasons } from './use-error-reasons.ts'
import { timesOf } from '../usage/range.ts'
import { t } from '../../../shared/strings/strings.ts'

/** Height of a lane and the plot's edges, in pixels. */
const laneHeight = 32
const edgeHeight = 30
const leastHeight = 160

/** How requests ended: one lane for each end that occurred, with its highest count, which is its scale. */
export function OutcomesChart({ report, range, filter = noFilter, size }: ChartProps) {
  const chart = useMemo(() => outcomesOf(report, range, filter), [report, range, filter])
  const { buckets, lanes } = chart
  const within = { ...filter, ...timesOf(range) }
  const reasons = useErrorReasons(within, report.total.requests - report.total.answered)
  const height = Math.max(leastHeight, lanes.length * laneHeight + edgeHeight)
  return (
    <TimeChart
      title={t('Outcomes')}
      question={t('Is it reliable?')}
      data={chart}
      {...{ range, filter, size }}
      note={reasons}
      legend={
        <Legend
          entries={lanes.map(({ outcome: { end, label, color }, total }) => ({
            name: end,
            label,
            color,
            isHatched: false,
            value: formatCount(total),
            filter: { ...within, end },
          }))}
        />
      }
      filterOf={(bucket, share) => {
        const end = laneAt(lanes, share)?.outcome.end
        return { ...filterOfBucket(bucket, filter), ...(end && { end }) }
      }}
      plots={[
        {
          scale: null,
          format: formatCount,
          height,
          renderMarks: (frame) =>
            lanes.map((lane, index) => (
              <Lane
                key={lane.outcome.end}
                {...{ lane, buckets, frame }}
                top={frame.top + (index * frame.height) / lanes.length}
                height={frame.height / lanes.length}
              />
            )),
        },
      ]}
    />
  )
}

function laneAt(lanes: readonly OutcomeLane[], share: number | null): OutcomeLane | undefined {
  return share === null ? undefined : lanes[Math.floor((1 - share) * lanes.length)]
}

interface LaneProps {
  lane: OutcomeLane
  buckets: readonly Bucket[]
  frame: Frame
  top: number
  height: number
}

/** Smallest visible bar in pixels. */
const leastBar = 3

function Lane({ lane: { outcome, counts, highest }, buckets, frame, top, height }: LaneProps) {
  const room = height - 6
  return (
    <g>
      <line
        x1={frame.left}
        x2={frame.left + frame.width}
        y1={top + height - 0.5}
        y2={top + height - 0.5}
        className="stroke-line"
      />
      <text x={frame.left - 8} textAnchor="end" className="fill-muted text-[11px] tabular-nums">
        <tspan y={top + height - 15}>{outcome.label}</tspan>
        <tspan x={frame.left - 8} y={top + height - 3}>
          {t('max {count}', { count: formatTokens(highest) })}
        </tspan>
      </text>
      {buckets.map(({ startMs, endMs }, index) => {
        const count = counts[index] ?? 0
        if (count === 0) return null
        const from = frame.xOf(startMs)
        const wide = frame.xOf(endMs) - from
        const tall = Math.max(leastBar, (count / highest) * room)
        return (
          <rect
            key={startMs}
            x={from}
            y={top + height - 1 - tall}
            width={Math.max(1, wide - Math.min(2, wide * 0.2))}
            height={tall}
            className="forced-color-adjust-none"
            style={{ fill: outcome.color }}
          />
        )
      })}
    </g>
  )
}
