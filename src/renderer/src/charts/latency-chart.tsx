import { useMemo, useState } from 'react'
import { formatDuration } from '../../../shared/strings/format.ts'
import { Segmented } from '../components/segmented.tsx'
import { noFilter, type ChartProps } from './chart-props.ts'
import { msMarks } from './chart-text.ts'
import { latencyOf, markedFailures, type Latency, type LatencyMeasure } from './latency.ts'
import { draftKey, Keys, LineMark } from './keys.tsx'
import type { PlotLine } from './line-plot.ts'
import type { Frame } from './plot-frame.ts'
import { TimeChart } from './time-chart.tsx'
import { loneIndexes } from './buckets.ts'
import { t } from '../../../shared/strings/strings.ts'

const color = 'var(--color-series-5)'
const slowColor = 'var(--color-series-4)'
const looks: readonly PlotLine[] = [
  { color, look: 'edge', isBandTop: true },
  { color, look: 'line' },
  { color: slowColor, look: 'dots' },
]
/** How long answers take: the median, the slow ones, and the slowest. */
export function LatencyChart(props: ChartProps) {
  const { report, range, filter = noFilter, size, draft = null } = props
  const [measure, setMeasure] = useState<LatencyMeasure>('total')
  const latency = useMemo(
    () => latencyOf(report, range, { measure, base: filter, draft }),
    [report, range, measure, filter, draft],
  )
  const lines = useMemo(() => ({ looks, data: dataOf(latency) }), [latency])
  const { scale, draftP95Ms } = latency
  const format = useMemo(() => (scale ? msMarks(scale) : formatDuration), [scale])
  return (
    <TimeChart
      title={t('Latency')}
      question={t('Is everything slow, or only the slowest few?')}
      data={latency}
      {...{ range, filter, size }}
      controls={
        <Segmented
          label={t('Latency of')}
          choices={[
            { value: 'total', label: t('Total'), title: t('Until the whole answer') },
            {
              value: 'firstToken',
              label: t('First token'),
              title: t('Until the first token of a stream'),
            },
          ]}
          value={measure}
          onChange={setMeasure}
        />
      }
      legend={<LatencyKeys latency={latency} />}
      plots={[
        {
          scale,
          format,
          lines,
          level: draftP95Ms,
          renderMarks: (frame) => <Marks latency={latency} frame={frame} />,
        },
      ]}
    />
  )
}

function dataOf({ buckets, quantiles }: Latency) {
  return {
    times: buckets.map(({ startMs, endMs }) => (startMs + endMs) / 2),
    values: [
      quantiles.map((each) => each?.p95 ?? null),
      quantiles.map((each) => each?.p50 ?? null),
      // In buckets with few answers they are the same.
      quantiles.map((each) => (each && each.p99 > each.p95 ? each.p99 : null)),
    ],
  }
}

/** Failures at the bottom, and the band of buckets that stand alone. */
function Marks({ latency, frame }: { latency: Latency; frame: Frame }) {
  const { buckets, quantiles, failures } = latency
  const marked = markedFailures(failures)
  const lone = new Set(loneIndexes(quantiles.map((each) => each?.p50 ?? null)))
  const bottom = frame.top + frame.height
  return buckets.map(({ startMs, endMs }, index) => {
    const each = quantiles[index]
    const x = frame.xOf((startMs + endMs) / 2)
    return (
      <g key={startMs}>
        {each && lone.has(index) && (
          <line
            x1={x}
            x2={x}
            y1={frame.yOf(each.p50)}
            y2={frame.yOf(each.p95)}
            style={{ stroke: color }}
            strokeWidth="4"
            opacity="0.3"
          />
        )}
        {marked[index] === true && <path d={`M${x - 4} ${bottom}h8l-4 -7z`} className="fill-bad" />}
      </g>
    )
  })
}

function LatencyKeys({ latency: { scale, failures, draftP95Ms } }: { latency: Latency }) {
  const failed = {
    label: t('Many failures'),
    mark: <path d="M3 9h8l-4 -7z" className="fill-bad" />,
  }
  return (
    <Keys
      entries={[
        { label: 'p50', mark: <LineMark color={color} /> },
        {
          label: t('p50 to p95'),
          mark: <rect width="14" height="10" rx="2" style={{ fill: color }} opacity="0.2" />,
        },
        { label: 'p99', mark: <circle cx="7" cy="5" r="3" style={{ fill: slowColor }} /> },
        ...draftKey(draftP95Ms),
        ...(markedFailures(failures).includes(true) ? [failed] : []),
        ...(scale?.kind === 'log' ? [{ label: t('Logarithmic axis'), mark: null }] : []),
      ]}
    />
  )
}
