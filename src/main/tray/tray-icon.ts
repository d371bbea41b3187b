/** Draws the icon for the tray: the logo, several lines into one port. */

/** `attention`: it serves, and something needs the user. `stopped`: paused, or the endpoint is not running. */
export type TrayLook = 'serving' | 'attention' | 'stopped'

export interface IconOptions {
  sizePx: number
  /** Black with transparency, which macOS colours to fit its menu bar. */
  isTemplate: boolean
}

type Rgb = readonly [red: number, green: number, blue: number]
type Point = readonly [x: number, y: number]

/** Visible on light and dark panels; the tray does not know which one it is on. */
const colours = {
  mark: [20, 160, 138],
  stopped: [128, 140, 135],
  attention: [240, 160, 40],
} as const
const black: Rgb = [0, 0, 0]

/** The logo's view box is 20 by 20, as in the window. */
const viewBox = 20
const halfStroke = 1.1
const ringWidth = 1.5
const port = { centre: [15.5, 10] as Point, radius: 3.4 }
const badge = { centre: [15.4, 15.4] as Point, radius: 3.6, gap: 1.3 }

const lines: readonly (readonly Point[])[] = [
  [[2, 3.5], [5.5, 3.5], ...curve([5.5, 3.5], [9, 3.5], [8.5, 10], [12, 10])],
  [
    [2, 10],
    [12, 10],
  ],
  [[2, 16.5], [5.5, 16.5], ...curve([5.5, 16.5], [9, 16.5], [8.5, 10], [12, 10])],
]

/** @returns the pixels as Electron's `createFromBitmap` takes them: blue, green, red, alpha, premultiplied */
export function drawTrayIcon(look: TrayLook, { sizePx, isTemplate }: IconOptions): Buffer {
  const pixels = Buffer.alloc(sizePx * sizePx * 4)
  const markColour = look === 'stopped' ? colours.stopped : colours.mark
  for (let y = 0; y < sizePx; y += 1) {
    for (let x = 0; x < sizePx; x += 1) {
      const { mark, dot } = coverage(look, { x, y, sizePx })
      const [red, green, blue] = isTemplate
        ? black
        : mix({ mark, markColour, dot, dotColour: colours.attention })
      const alpha = Math.min(1, mark + dot)
      pixels.set(
        [blue * alpha, green * alpha, red * alpha, 255 * alpha].map(Math.round),
        (y * sizePx + x) * 4,
      )
    }
  }
  return pixels
}

interface Pixel {
  x: number
  y: number
  sizePx: number
}

/** Share of the pixel that the logo and the dot cover, from their distance, for smooth edges. */
function coverage(look: TrayLook, { x, y, sizePx }: Pixel): { mark: number; dot: number } {
  const point: Point = [((x + 0.5) / sizePx) * viewBox, ((y + 0.5) / sizePx) * viewBox]
  const inside = (insideBy: number) => Math.min(1, Math.max(0, 0.5 + (insideBy * sizePx) / viewBox))
  const mark = inside(insideMark(point, look))
  if (look !== 'attention') return { mark, dot: 0 }
  const toBadge = distance(point, badge.centre)
  const gap = inside(badge.radius + badge.gap - toBadge)
  return { mark: mark * (1 - gap), dot: inside(badge.radius - toBadge) }
}

/**
 * How far the point is inside the logo; negative outside. The port is a ring while nothing is served, so that the
 * state does not depend on colour alone.
 */
function insideMark(point: Point, look: TrayLook): number {
  const toPort = distance(point, port.centre)
  const toLine = Math.min(...lines.map((line) => distanceToLine(point, line)))
  const insideLine = halfStroke - toLine
  if (look !== 'stopped') return Math.max(insideLine, port.radius - toPort)
  const hole = port.radius - ringWidth
  const insideRing = Math.min(port.radius - toPort, toPort - hole)
  return Math.max(Math.min(insideLine, toPort - hole), insideRing)
}

function distanceToLine(point: Point, line: readonly Point[]): number {
  let nearest = Infinity
  for (const [index, end] of line.entries()) {
    const start = line[index - 1]
    if (start) nearest = Math.min(nearest, distanceToSegment(point, start, end))
  }
  return nearest
}

function distance([ax, ay]: Point, [bx, by]: Point): number {
  return Math.hypot(ax - bx, ay - by)
}

function distanceToSegment(point: Point, start: Point, end: Point): number {
  const [dx, dy] = [end[0] - start[0], end[1] - start[1]]
  const along = ((point[0] - start[0]) * dx + (point[1] - start[1]) * dy) / (dx * dx + dy * dy)
  const share = Math.min(1, Math.max(0, along))
  return distance(point, [start[0] + share * dx, start[1] + share * dy])
}

/** A cubic Bézier curve as eight short lines. */
function curve(...[from, first, second, to]: [Point, Point, Point, Point]): Point[] {
  const at = (t: number, axis: 0 | 1) =>
    (1 - t) ** 3 * from[axis] +
    3 * (1 - t) ** 2 * t * first[axis] +
    3 * (1 - t) * t ** 2 * second[axis] +
    t ** 3 * to[axis]
  return Array.from({ length: 8 }, (_, index) => (index + 1) / 8).map((t) => [at(t, 0), at(t, 1)])
}

function mix(parts: { mark: number; markColour: Rgb; dot: number; dotColour: Rgb }): Rgb {
  const { mark, markColour, dot, dotColour } = parts
  const whole = mark + dot || 1
  const channel = (index: 0 | 1 | 2) => (markColour[index] * mark + dotColour[index] * dot) / whole
  return [channel(0), channel(1), channel(2)]
}
