import { useEffect, useRef } from 'react'
import uPlot from 'uplot'
import { formatTimeMark } from '../../../shared/format.ts'
import { useTheme } from '../components/theme.ts'

/** Width of the value axis in pixels. The decisions chart uses the same, so that times line up. */
export const axisWidth = 64
/** Height of the plot in pixels, including the time axis. */
const height = 104
/** With more points than this, dots would hide the line. */
const mostDots = 40
/** Allowed distances between time marks, in seconds. */
const timeSteps = [
  1, 2, 5, 10, 15, 30, 60, 120, 300, 600, 900, 1800, 3600, 7200, 10_800, 21_600, 43_200, 86_400,
  172_800, 604_800, 2_592_000,
]
/** Charts with one key share their cursor. */
const cursorKey = 'router'

export interface LineChartProps {
  /** Points oldest first: Unix ms, and the value or null where unknown. */
  times: readonly number[]
  values: readonly (number | null)[]
  span: readonly [number, number]
  format: (value: number) => string
  /** Sets the colour of the line. */
  colorClass: string
  /** Called with the point under the pointer, in any of the charts, and with null when it leaves. */
  onHover: (index: number | null) => void
}

/** A line over time, with a dot for each point while there are few. */
export function LineChart(props: LineChartProps) {
  const { times, values, span, colorClass } = props
  const theme = useTheme()
  const container = useRef<HTMLDivElement>(null)
  const latest = useRef(props)
  const chart = useRef<uPlot>(null)

  useEffect(() => {
    const element = container.current
    if (!element) return
    const plot = new uPlot(chartOptions(element, latest), chartData(latest.current), element)
    chart.current = plot
    const resizing = new ResizeObserver(() => plot.setSize({ width: element.clientWidth, height }))
    resizing.observe(element)
    return () => {
      resizing.disconnect()
      plot.destroy()
      chart.current = null
    }
    // The canvas reads its colours once, so a new theme needs a new chart.
  }, [theme])

  useEffect(() => {
    latest.current = props
  })
  useEffect(() => {
    chart.current?.setData(chartData({ times, values }))
  }, [times, values, span])

  return <div ref={container} className={`h-26 ${colorClass}`} />
}

function chartData({ times, values }: Pick<LineChartProps, 'times' | 'values'>): uPlot.AlignedData {
  return [times.map((ms) => ms / 1000), [...values]]
}

function chartOptions(element: HTMLElement, latest: { current: LineChartProps }): uPlot.Options {
  const color = getComputedStyle(element).color
  const text = getComputedStyle(document.body).color
  const axis = {
    stroke: `color-mix(in srgb, ${text} 70%, transparent)`,
    grid: { stroke: `color-mix(in srgb, ${text} 10%, transparent)`, width: 1 },
    ticks: { show: false },
    font: `11px ${getComputedStyle(document.body).fontFamily}`,
  }
  return {
    width: element.clientWidth,
    height,
    padding: [6, 16, 0, 0],
    legend: { show: false },
    cursor: { drag: { x: false, y: false }, y: false, sync: { key: cursorKey } },
    scales: {
      x: { range: () => [latest.current.span[0] / 1000, latest.current.span[1] / 1000] },
      y: { range: (_plot, _min, max) => [0, max > 0 ? max * 1.15 : 1] },
    },
    axes: [
      {
        ...axis,
        size: 20,
        space: 64,
        gap: 4,
        incrs: timeSteps,
        grid: { show: false },
        values: (_plot, splits, ...[, , step]) =>
          splits.map((second) => formatTimeMark(second * 1000, step * 1000)),
      },
      {
        ...axis,
        size: axisWidth,
        space: 28,
        values: (_plot, splits) => splits.map((value) => valueMark(value, latest.current)),
      },
    ],
    series: [
      {},
      {
        stroke: color,
        width: 1.5,
        fill: `color-mix(in srgb, ${color} 10%, transparent)`,
        spanGaps: true,
        points: { show: (plot) => plot.data[0].length <= mostDots, size: 6, fill: color },
      },
    ],
    hooks: { setCursor: [(plot) => latest.current.onHover(plot.cursor.idx ?? null)] },
  }
}

/** When every value is zero, only zero gets a mark. */
function valueMark(value: number, { values, format }: LineChartProps): string {
  const isFlat = values.every((known) => known === null || known === 0)
  return isFlat && value > 0 ? '' : format(value)
}
