import type { LineMark, LinePoint } from '../../../../shared/requests/session-page.ts'
import { formatTokens } from '../../../../shared/strings/format.ts'
import { t } from '../../../../shared/strings/strings.ts'

const width = 600
const height = 90

const markWords: Readonly<Record<LineMark, string>> = {
  compaction: t('Compaction'),
  broken: t('Cache broken'),
  model: t('Another model'),
}

/** The length of the main agent's prompts over its steps, and how much of each came from the cache. */
export function SessionLine({ points }: { points: readonly LinePoint[] }) {
  if (points.length < 3) return null
  const longest = Math.max(...points.map(({ prompt }) => prompt), 1)
  const x = (index: number) => (index / (points.length - 1)) * width
  const y = (tokens: number) => height - (tokens / longest) * height
  const area = (of: (point: LinePoint) => number) =>
    `M0,${height} ${points.map((point, index) => `L${x(index)},${y(of(point))}`).join(' ')} L${width},${height} Z`
  return (
    <figure className="flex flex-col gap-1.5">
      <figcaption className="text-xs text-muted">
        {t('Prompt of each step, up to {longest} tokens. Darker: read from the cache.', {
          longest: formatTokens(longest),
        })}
      </figcaption>
      <svg
        role="img"
        aria-label={t('Length of the prompts over the steps')}
        viewBox={`0 0 ${width} ${height}`}
        preserveAspectRatio="none"
        className="h-24 w-full rounded-lg border border-line bg-surface"
      >
        <path d={area(({ prompt }) => prompt)} className="fill-accent/25" />
        <path d={area(({ read }) => read)} className="fill-accent/60" />
        {points.map(({ mark }, index) =>
          mark === null ? null : (
            <line
              key={x(index)}
              x1={x(index)}
              x2={x(index)}
              y1={0}
              y2={height}
              className="stroke-warn"
              vectorEffect="non-scaling-stroke"
            >
              <title>{markWords[mark]}</title>
            </line>
          ),
        )}
      </svg>
    </figure>
  )
}
