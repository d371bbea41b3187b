/** Places the bubbles of the cost and latency map and their names. */
import type { CostLatencyMap, MapPoint } from './cost-latency.ts'

/** Edges in pixels. */
const edges = { left: 60, top: 26, right: 16, bottom: 38 }
const radii = { least: 5, most: 18 }
/** The ring around the chosen model, too. */
const inset = radii.most + 6
const letterWidth = 6.1
const lineHeight = 14

export interface Bubble {
  point: MapPoint
  x: number
  y: number
  radius: number
  /** Null where there is no room for the name. */
  label: { x: number; y: number; anchor: 'start' | 'middle' | 'end' } | null
}

export interface MapFrame {
  left: number
  top: number
  width: number
  height: number
  /** Position of a share of the cost axis, which begins where the largest bubble still leaves the value axis free. */
  xOf: (share: number) => number
}

export function mapFrame(size: { width: number; height: number }): MapFrame {
  const width = Math.max(1, size.width - edges.left - edges.right)
  return {
    left: edges.left,
    top: edges.top,
    width,
    xOf: (share) => edges.left + inset + share * Math.max(1, width - inset),
    height: size.height - edges.top - edges.bottom,
  }
}

/** Bubbles with their names, those with the most requests first, so that these have their names. */
export function bubblesOf({ points, costs, times }: CostLatencyMap, frame: MapFrame): Bubble[] {
  const most = Math.max(1, ...points.map(({ requests }) => requests))
  const placed = points
    .map((point) => ({
      point,
      x: frame.xOf(costs.position(point.usdPerKtok)),
      y: frame.top + (1 - times.position(point.p95Ms)) * frame.height,
      radius: radii.least + (radii.most - radii.least) * Math.sqrt(point.requests / most),
    }))
    .toSorted((a, b) => b.radius - a.radius)
  const taken: Box[] = placed.map(({ x, y, radius }) => ({
    left: x - radius,
    right: x + radius,
    top: y - radius,
    bottom: y + radius,
  }))
  return placed.map((bubble, index) => ({
    ...bubble,
    label: labelOf(bubble, taken, frame) ?? (index === 0 ? labelAbove(bubble, frame) : null),
  }))
}

interface Box {
  left: number
  right: number
  top: number
  bottom: number
}

/** Right of the bubble, else left of it. */
function labelOf(
  { point, x, y, radius }: Omit<Bubble, 'label'>,
  taken: Box[],
  frame: MapFrame,
): Bubble['label'] {
  const width = point.model.length * letterWidth
  const top = y - lineHeight / 2
  const places = [
    { anchor: 'start', left: x + radius + 4 },
    { anchor: 'end', left: x - radius - 4 - width },
  ] as const
  for (const { anchor, left } of places) {
    const box = { left, right: left + width, top, bottom: top + lineHeight }
    const isInside = left >= frame.left && box.right <= frame.left + frame.width + edges.right
    if (!isInside || taken.some((other) => overlap(box, other))) continue
    taken.push(box)
    return { x: anchor === 'start' ? left : box.right, y: y + 4, anchor }
  }
  return null
}

/** The largest bubble has its name in any case: above it, or below where there is no room. */
function labelAbove({ point, x, y, radius }: Omit<Bubble, 'label'>, frame: MapFrame) {
  const half = (point.model.length * letterWidth) / 2
  const most = frame.left + frame.width + edges.right - half
  const isRoom = y - radius - lineHeight >= 0
  return {
    x: Math.max(Math.min(x, most), half),
    y: isRoom ? y - radius - 4 : y + radius + lineHeight,
    anchor: 'middle' as const,
  }
}

function overlap(a: Box, b: Box): boolean {
  return a.left < b.right && b.left < a.right && a.top < b.bottom && b.top < a.bottom
}
