/** Lines, bands and dots on a canvas. Axes, cursor and legend are drawn around it. */
import uPlot from 'uplot'
import { lineValues, loneIndexes } from './buckets.ts'
import type { Scale } from './scales.ts'

export interface PlotLine {
  color: string
  /** `dots` draws no line. */
  look: 'line' | 'dots' | 'edge'
  /** Dashes in pixels, drawn and left out. */
  dash?: readonly number[]
  /** Fills the area down to the line after it. */
  isBandTop?: boolean
}

export interface LineData {
  /** Unix ms. */
  times: readonly number[]
  /** A list for each line. Null breaks a line where two follow each other. */
  values: readonly (readonly (number | null)[])[]
}

export interface PlotBox {
  width: number
  height: number
  fromMs: number
  toMs: number
  scale: Scale
}

export interface LinePlot {
  /** Draws other data or in another box. */
  update: (data: LineData, box: PlotBox) => void
  destroy: () => void
}

/** Line width in pixels. */
const lineWidth = 1.75
const dotSize = 5.5

/** A plot that fills an element. */
export function createLinePlot(element: HTMLElement, lines: readonly PlotLine[]): LinePlot {
  let lone: readonly number[][] = []
  let box: PlotBox | null = null
  const plot = new uPlot(
    {
      width: 1,
      height: 1,
      padding: [0, 0, 0, 0],
      legend: { show: false },
      cursor: { show: false },
      axes: [{ show: false }, { show: false }],
      scales: {
        x: { time: false, range: () => [box?.fromMs ?? 0, box?.toMs ?? 1] },
        // The values are positions from 0 to 1, so that a logarithmic axis is drawn like any other.
        y: { range: () => [0, 1] },
      },
      series: [{}, ...lines.map((line, index) => seriesOf(line, () => lone[index] ?? []))],
      bands: lines.flatMap((line, index) =>
        line.isBandTop ? [{ series: [index + 1, index + 2], fill: soft(line.color) }] : [],
      ),
    },
    [[], ...lines.map(() => [])],
    element,
  )
  return {
    update(data, next) {
      if (next.width !== box?.width || next.height !== box.height) plot.setSize(next)
      box = next
      lone = data.values.map(loneIndexes)
      plot.setData(positionsOf(data, next.scale))
    },
    destroy: () => plot.destroy(),
  }
}

function seriesOf({ color, look, dash }: PlotLine, lone: () => readonly number[]): uPlot.Series {
  return {
    stroke: color,
    width: look === 'edge' ? 0 : lineWidth,
    ...(dash && { dash: [...dash] }),
    ...(look === 'dots' && { paths: () => null }),
    points: {
      show: look !== 'edge',
      size: dotSize,
      fill: color,
      ...(look === 'line' && { filter: () => [...lone()] }),
    },
  }
}

function positionsOf({ times, values }: LineData, scale: Scale): uPlot.AlignedData {
  const position = (value: number | null | undefined) =>
    typeof value === 'number' ? scale.position(value) : value
  return [[...times], ...values.map((line) => lineValues(line).map(position))]
}

function soft(color: string): string {
  return `color-mix(in srgb, ${color} 16%, transparent)`
}
