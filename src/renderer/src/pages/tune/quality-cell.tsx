import { formatQuality } from '../../../../shared/models/quality-words.ts'
import type { Interval } from '../../../../shared/tuning/tuning-run.ts'

const width = 120
const height = 14
const middle = height / 2
/** Space for the marks at the ends. */
const margin = 5

function xOf(quality: number): number {
  return margin + Math.min(1, Math.max(0, quality)) * (width - 2 * margin)
}

/** A quality with its interval, as figures and on a line from 0 to 100. */
export function QualityCell({ quality, expected }: { quality: Interval | null; expected: number }) {
  if (quality === null) return '—'
  const { low, mean, high } = quality
  return (
    <span className="flex items-center gap-2.5">
      <span className="w-8 shrink-0 font-medium">{formatQuality(mean)}</span>
      <svg
        aria-hidden
        width={width}
        height={height}
        viewBox={`0 0 ${width} ${height}`}
        className="shrink-0"
      >
        <line x1={xOf(0)} x2={xOf(1)} y1={middle} y2={middle} className="stroke-line" />
        <line
          x1={xOf(low)}
          x2={xOf(high)}
          y1={middle}
          y2={middle}
          strokeWidth={4}
          strokeLinecap="round"
          className="stroke-accent opacity-45"
        />
        <circle cx={xOf(mean)} cy={middle} r={3.5} className="fill-accent" />
        <circle
          cx={xOf(expected)}
          cy={middle}
          r={3.5}
          strokeWidth={1.5}
          className="fill-none stroke-ink"
        />
      </svg>
      <span className="whitespace-nowrap text-muted">
        {formatQuality(low)}–{formatQuality(high)}
      </span>
    </span>
  )
}
