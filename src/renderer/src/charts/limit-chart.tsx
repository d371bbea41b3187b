import { useMemo } from 'react'
import { formatShare, formatTokens } from '../../../shared/strings/format.ts'
import { ProgressBar } from '../components/progress-bar.tsx'
import { noFilter, type ChartProps } from './chart-props.ts'
import { Keys, LineMark } from './keys.tsx'
import { limitUse, usedColor, type LimitUse } from './limit.ts'
import type { PlotLine } from './line-plot.ts'
import type { Frame } from './plot-frame.ts'
import { TimeChart } from './time-chart.tsx'
import { t } from '../../../shared/strings/strings.ts'

interface LimitChartProps extends ChartProps {
  dailyLimit: number
  usedToday: number
  nowMs: number
}

const usedLook: PlotLine = { color: usedColor, look: 'line' }
const expectedLook: PlotLine = { ...usedLook, dash: [2, 4] }
const looks = [usedLook, expectedLook]

/**
 * A router's daily limit: requests used today, and when it will be reached.
 * Its range is `utcDay`, whatever the page shows.
 */
export function LimitChart(props: LimitChartProps) {
  const { report, range, filter = noFilter, size, dailyLimit, usedToday, nowMs } = props
  const use = useMemo(
    () => limitUse(report, range, { dailyLimit, usedToday, nowMs, base: filter }),
    [report, range, dailyLimit, usedToday, nowMs, filter],
  )
  const lines = useMemo(
    () => ({
      looks,
      data: { times: use.times, values: [use.used, use.expected ?? use.times.map(() => null)] },
    }),
    [use],
  )
  const title = t('Daily limit')
  const question = t('Will the limit last until it resets?')
  if (use.total < dailyLimit * leastShare && use.reachedAtMs === null)
    return <LimitBar {...{ title, question, dailyLimit }} use={use} />
  return (
    <TimeChart
      {...{ title, question, range, filter, size }}
      data={use}
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
      plots={[
        {
          scale: use.scale,
          format: formatTokens,
          lines,
          renderMarks: (frame) => (
            <LimitMarks {...{ frame, dailyLimit }} reachedAtMs={use.reachedAtMs} />
          ),
        },
      ]}
    />
  )
}

/** Below this share of the limit, a bar says enough. */
const leastShare = 0.5

interface LimitBarProps {
  title: string
  question: string
  use: LimitUse
  dailyLimit: number
}

function LimitBar({ title, question, use: { total, text }, dailyLimit }: LimitBarProps) {
  return (
    <section
      aria-label={title}
      className="flex min-w-0 flex-col gap-2 self-start rounded-xl border border-line bg-surface p-4"
    >
      <h2 className="text-sm font-semibold">{title}</h2>
      <p className="text-xs text-muted">{question}</p>
      <ProgressBar
        label={title}
        value={total}
        max={dailyLimit}
        text={formatShare(total / dailyLimit)}
      />
      <p className="text-xs text-pretty text-muted">{text.sentence}</p>
    </section>
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
