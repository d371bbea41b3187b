interface SparklineProps {
  /** Oldest first. Null leaves a gap. */
  values: readonly (number | null)[]
  /** The figures in words, because the picture has no scale. */
  label: string
  /** Classes for its size and colour. */
  className?: string
}

const width = 100
const height = 24
/** Keeps the line inside the picture. */
const margin = 2

/** A small line from zero to the highest value, without axes. */
export function Sparkline({ values, label, className = 'h-6 w-24 text-accent' }: SparklineProps) {
  const { line, area, dots } = sparklinePaths(values)
  return (
    <svg
      role="img"
      aria-label={label}
      viewBox={`0 0 ${width} ${height}`}
      preserveAspectRatio="none"
      className={`shrink-0 overflow-visible ${className}`}
    >
      <title>{label}</title>
      <path
        d={`M0 ${height - 0.5}H${width}`}
        className="stroke-line"
        vectorEffect="non-scaling-stroke"
      />
      <path d={area} fill="currentColor" fillOpacity={0.14} />
      <path
        d={line}
        fill="none"
        stroke="currentColor"
        strokeWidth={1.5}
        strokeLinecap="round"
        strokeLinejoin="round"
        vectorEffect="non-scaling-stroke"
      />
      <path
        d={dots}
        stroke="currentColor"
        strokeWidth={5}
        strokeLinecap="round"
        vectorEffect="non-scaling-stroke"
      />
    </svg>
  )
}

/** A path without length for each dot, which its round ends draw. */
interface SparklinePaths {
  line: string
  area: string
  dots: string
}

/** Breaks at gaps. A value between two gaps is a dot. Without any value above zero there is no line. */
export function sparklinePaths(values: readonly (number | null)[]): SparklinePaths {
  const highest = Math.max(...values.map((value) => value ?? 0))
  if (highest <= 0) return { line: '', area: '', dots: '' }
  const step = values.length > 1 ? width / (values.length - 1) : 0
  const pointOf = (value: number, index: number): Point => ({
    x: rounded(index * step),
    y: rounded(height - margin - (value / highest) * (height - 2 * margin)),
  })
  const runs = runsOf(values, pointOf)
  const lines = runs.filter((run) => run.length > 1)
  const single = runs.filter((run) => run.length === 1)
  return {
    line: lines.map(lineOf).join(''),
    area: lines.map(areaOf).join(''),
    dots: single.map((run) => `${lineOf(run)}h0.01`).join(''),
  }
}

interface Point {
  x: number
  y: number
}

function runsOf(
  values: readonly (number | null)[],
  pointOf: (value: number, index: number) => Point,
): Point[][] {
  const runs: Point[][] = [[]]
  for (const [index, value] of values.entries()) {
    if (value === null) runs.push([])
    else runs.at(-1)?.push(pointOf(value, index))
  }
  return runs.filter((run) => run.length > 0)
}

function lineOf(run: readonly Point[]): string {
  return run.map(({ x, y }, index) => `${index === 0 ? 'M' : 'L'}${x} ${y}`).join('')
}

function areaOf(run: readonly Point[]): string {
  const first = run[0]
  const last = run.at(-1)
  if (!first || !last) return ''
  return `${lineOf(run)}L${last.x} ${height}L${first.x} ${height}Z`
}

function rounded(value: number): number {
  return Math.round(value * 100) / 100
}
