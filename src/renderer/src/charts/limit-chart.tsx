import { useMemo } from 'react'
import { formatCount, formatTokens } from '../../../shared/strings/format.ts'
import { ChartCard } from './chart-card.tsx'
import { heightOf, noFilter, type ChartProps } from './chart-props.ts'
import { filterOfBucket } from './chart-text.ts'
import { Keys, LineMark } from './keys.tsx'
import { countedIn, limitUse, type LimitUse } from './limit.ts'
import type { PlotLine } from './line-plot.ts'
import type { Bucket } from './buckets.ts'
import type { Frame } from './plot-frame.ts'
import { TimePlot } from './time-plot.tsx'
import { t } from '../../../shared/strings/strings.ts'

interface LimitChartProps extends ChartProps {
  dailyLimit: number
  nowMs: number
}

const usedLook: PlotLine = { color: 'var(--color-series-5)', look: 'line' }
const expectedLook: PlotLine = { ...usedLook, dash: [2, 4] }
const looks = [usedLook, expectedLook]

/**
 * A router's daily limit: requests used today, and when it will be reached.
 * Its range is `utcDay`, whatever the page shows.
 */
export function LimitChart(props: LimitChartProps) {
  const { report, range, filter = noFilter, size, dailyLimit, nowMs } = props
  const use = useMemo(
    () => limitUse(report, range, { dailyLimit, nowMs, base: filter }),
    [report, range, dailyLimit, nowMs, filter],
  )
  const lines = useMemo(
    () => ({
      looks,
      data: { times: use.times, values: [use.used, use.expected ?? use.times.map(() => null)] },
    }),
    [use],
  )
  const { buckets, scale, text } = use
  return (
    <ChartCard
      title={t('Daily limit')}
      question={t('Will the limit last until it resets?')}
      text={text}
      size={size}
      legend={
        <Keys
          entries={[
            { label: t('Requests today (UTC)'), mark: <LineMark {...usedLook} /> },
            ...(use.expected
              ? [
                  {
                    label: t('At the rate of the last 3 hours'),
                    mark: <LineMark {...expectedLook} />,
                  },
                ]
              : []),
            { label: t('Limit'), mark: <LineMark color="var(--color-bad)" /> },
          ]}
        />
      }
    >
      <TimePlot
        label={t('Daily limit')}
        {...{ range, buckets, scale, lines, height: heightOf(size) }}
        format={formatTokens}
        valuesOf={(bucket) => tipRows(use, bucket, dailyLimit)}
        filterOf={(bucket) => filterOfBucket(bucket, filter)}
      >
        {(frame) => <LimitMarks {...{ frame, dailyLimit }} reachedAtMs={use.reachedAtMs} />}
      </TimePlot>
    </ChartCard>
  )
}

interface LimitMarksProps {
  frame: Frame
  dailyLimit: number
  reachedAtMs: number | null
}

function LimitMarks({ frame, dailyLimit, reachedAtMs }: LimitMarksProps) {
  const y = frame.yOf(dailyLimit)
  return (
    <g className="stroke-bad" strokeWidth="1.5">
      <path d={`M${frame.left} ${y}h${frame.width}`} />
      {reachedAtMs !== null && (
        <path
          d={`M${frame.xOf(reachedAtMs)} ${y}V${frame.top + frame.height}`}
          strokeDasharray="2 3"
        />
      )}
    </g>
  )
}

function tipRows({ buckets }: LimitUse, bucket: Bucket, dailyLimit: number) {
  const used = countedIn(buckets.slice(0, buckets.indexOf(bucket) + 1))
  return [
    { name: t('In this time'), value: formatCount(countedIn([bucket])) },
    { name: t('Since the start'), value: formatCount(used), color: usedLook.color },
    { name: t('Left'), value: formatCount(Math.max(0, dailyLimit - used)) },
  ]
}
