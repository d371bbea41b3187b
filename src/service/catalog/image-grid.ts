/** How vendors scale an image and cut it into squares. */

export interface PixelSize {
  width: number
  height: number
}

export function grid(
  { width, height }: PixelSize,
  square: number,
): { columns: number; rows: number } {
  return {
    columns: squares(width, square),
    rows: squares(height, square),
  }
}

/** A side that was scaled to whole squares has a rounding error. */
function squares(side: number, square: number): number {
  return Math.max(1, Math.ceil(side / square - 1e-6))
}

export function tiles(size: PixelSize, square: number): number {
  const { columns, rows } = grid(size, square)
  return columns * rows
}

/** The size scaled down until its longer side is at most `edge`. */
export function withinEdge({ width, height }: PixelSize, edge: number): PixelSize {
  const scale = Math.min(1, edge / Math.max(width, height))
  return { width: width * scale, height: height * scale }
}

/**
 * The squares of an image that is scaled down to at most `most` of them: by area, and then until whole squares fit, as
 * OpenAI documents it. Its bills of 8 and 12 megapixels agree with it to the token.
 */
export function withinGrid(size: PixelSize, square: number, most: number): number {
  const count = tiles(size, square)
  if (count <= most) return count
  const { width, height } = size
  const byArea = Math.sqrt((square * square * most) / (width * height))
  const columns = (width * byArea) / square
  const rows = (height * byArea) / square
  const whole = Math.min(wholeShare(columns), wholeShare(rows))
  const scale = byArea * whole
  return Math.min(most, tiles({ width: width * scale, height: height * scale }, square))
}

/** The share of a side that whole squares cover; all of a side that has less than one. */
function wholeShare(count: number): number {
  return count < 1 ? 1 : Math.floor(count) / count
}
