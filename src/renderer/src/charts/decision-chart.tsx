import { useEffect, useRef, useState } from 'react'
import type { ChartPoint } from './points.ts'
import { axisWidth } from './line-chart.tsx'

/** In pixels: the distance between two lanes, the height of the bars, the space right of the plot. */
const laneHeight = 18
const barsHeight = 84
const rightPadding = 16

/** One model of the chart. Lanes, bars and legend share its colour. */
export interface ModelSeries {
  id: string
  answers: number
  fillClass: string
}

const fillClasses = [
  'fill-series-1 bg-series-1',
  'fill-series-2 bg-series-2',
  'fill-series-3 bg-series-3',
  'fill-series-4 bg-series-4',
  'fill-series-5 bg-series-5',
  'fill-series-6 bg-series-6',
  'fill-series-7 bg-series-7',
] as const

/** The models of the points: the router's models in its order, then others that answered before. */
export function modelSeries(
  points: readonly ChartPoint[],
  routerModels: readonly string[],
): ModelSeries[] {
  const answers = new Map<string, number>()
  for (const { models } of points) {
    for (const [id, count] of Object.entries(models)) {
      answers.set(id, (answers.get(id) ?? 0) + count)
    }
  }
  const ids = [...new Set([...routerModels, ...answers.keys()])]
  return ids.map((id, index) => ({
    id,
    answers: answers.get(id) ?? 0,
    fillClass: fillClasses[index % fillClasses.length] ?? fillClasses[0],
  }))
}

interface DecisionChartProps {
  points: readonly ChartPoint[]
  series: readonly ModelSeries[]
  span: readonly [number, number]
  /** Null: each answer is a dot in its model's lane. Otherwise: stacked bars of this length. */
  bucketMs: number | null
}

/** Which model answered, over time. */
export function DecisionChart({ points, series, span, bucketMs }: DecisionChartProps) {
  const { container, width } = useWidth()
  const plotWidth = Math.max(width - axisWidth - rightPadding, 1)
  const [from, to] = span
  const xOf = (atMs: number) => axisWidth + ((atMs - from) / (to - from)) * plotWidth
  const answered = series.filter(({ answers }) => answers > 0)
  const height = bucketMs === null ? answered.length * laneHeight + 4 : barsHeight
  return (
    <div ref={container} className="flex flex-col gap-2">
      <svg width={width} height={height} className="block">
        {bucketMs === null
          ? answered.map((model, lane) => (
              <Lane key={model.id} model={model} y={lane * laneHeight + 11} width={width}>
                {points.filter(({ models }) => model.id in models).map(({ atMs }) => xOf(atMs))}
              </Lane>
            ))
          : points.map((point) => (
              <Bar
                key={point.atMs}
                point={point}
                series={answered}
                x={xOf(point.atMs)}
                width={Math.max((bucketMs / (to - from)) * plotWidth - 1, 1)}
                most={mostAnswers(points)}
              />
            ))}
      </svg>
      <Legend series={answered} />
    </div>
  )
}

interface LaneProps {
  model: ModelSeries
  y: number
  width: number
  children: readonly number[]
}

function Lane({ model, y, width, children }: LaneProps) {
  return (
    <g>
      <line x1={axisWidth} x2={width - rightPadding} y1={y} y2={y} className="stroke-line" />
      <text x={axisWidth - 8} y={y + 4} textAnchor="end" className="fill-muted text-[11px]">
        {model.answers}
      </text>
      {children.map((x, index) => (
        <circle key={index} cx={x} cy={y} r={4} className={model.fillClass} />
      ))}
    </g>
  )
}

interface BarProps {
  point: ChartPoint
  series: readonly ModelSeries[]
  x: number
  width: number
  most: number
}

function Bar({ point, series, x, width, most }: BarProps) {
  let top = barsHeight
  return series.map(({ id, fillClass }) => {
    const height = ((point.models[id] ?? 0) / most) * barsHeight
    top -= height
    return <rect key={id} x={x} y={top} width={width} height={height} className={fillClass} />
  })
}

function Legend({ series }: { series: readonly ModelSeries[] }) {
  const total = series.reduce((sum, { answers }) => sum + answers, 0)
  return (
    <ul className="flex flex-col gap-0.5 text-xs">
      {series.map(({ id, answers, fillClass }) => (
        <li key={id} className="flex items-center gap-2">
          <span
            className={`size-2.5 shrink-0 rounded-full forced-color-adjust-none ${fillClass}`}
          />
          <span className="truncate" title={id}>
            {id}
          </span>
          <span className="ml-auto text-muted tabular-nums">
            {Math.round((answers / total) * 100)} %
          </span>
        </li>
      ))}
    </ul>
  )
}

function mostAnswers(points: readonly ChartPoint[]): number {
  return Math.max(
    ...points.map(({ models }) => Object.values(models).reduce((sum, count) => sum + count, 0)),
  )
}

function useWidth() {
  const container = useRef<HTMLDivElement>(null)
  const [width, setWidth] = useState(0)
  useEffect(() => {
    const element = container.current
    if (!element) return
    const resizing = new ResizeObserver(() => setWidth(element.clientWidth))
    resizing.observe(element)
    return () => resizing.disconnect()
  }, [])
  return { container, width }
}
