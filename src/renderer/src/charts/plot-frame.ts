/** What a drawing over time is made from. */
import type { ReactNode } from 'react'
import type { RequestFilter } from '../../../shared/requests/search.ts'
import type { UsageRange } from '../usage/range.ts'
import type { Bucket } from './buckets.ts'
import type { TipRow } from './chart-series.ts'
import type { LineData, PlotLine } from './line-plot.ts'
import type { Scale } from './scales.ts'

/** The drawing area in pixels. */
export interface Frame {
  left: number
  top: number
  width: number
  height: number
  xOf: (atMs: number) => number
  yOf: (value: number) => number
}

export interface Lines {
  looks: readonly PlotLine[]
  data: LineData
}

/** A time that the cursor stops at, such as a bucket of requests. */
export interface TimeSlot {
  startMs: number
  endMs: number
  /** Null: the cursor passes over it. */
  point: unknown
}

export interface TimePlotProps<Slot extends TimeSlot = Bucket> {
  /** The accessible name of the cursor. */
  label: string
  range: UsageRange
  buckets: readonly Slot[]
  /** Height of the whole plot in pixels. */
  height: number
  /** Null: the chart draws its own rows instead of a value axis. */
  scale: Scale | null
  format: (value: number) => string
  /** The values of a bucket, as shown beside the pointer and announced. */
  valuesOf: (bucket: Slot) => readonly TipRow[]
  /** The requests behind a point; `share` is its height, from 0 at the bottom to 1, or null for the whole bucket. */
  filterOf: (bucket: Slot, share: number | null) => RequestFilter | null
  /** The end of the time axis, where it is later than the range. */
  untilMs?: number
  /** SVG. */
  children: (frame: Frame) => ReactNode
  /** Drawn on a canvas above the SVG. It should stay the same object. */
  lines?: Lines
}

/** Edges in pixels. The left one is the value axis, which all charts share so that times line up. */
const edges = { left: 60, top: 8, right: 12, bottom: 22 }
const digitWidth = 6.4

interface Axes {
  range: UsageRange
  scale: Scale | null
  format: (value: number) => string
  untilMs: number
}

export function frameOf(
  { range, scale, format, untilMs }: Axes,
  size: { width: number; height: number },
): Frame {
  const longest = Math.max(0, ...(scale?.marks ?? []).map((mark) => format(mark).length))
  const left = Math.max(edges.left, longest * digitWidth + 14)
  const width = Math.max(1, size.width - left - edges.right)
  const height = size.height - edges.top - edges.bottom
  const spanMs = untilMs - range.fromMs
  return {
    left,
    top: edges.top,
    width,
    height,
    xOf: (atMs) => left + ((atMs - range.fromMs) / spanMs) * width,
    yOf: (value) => edges.top + (1 - (scale?.position(value) ?? 0)) * height,
  }
}
