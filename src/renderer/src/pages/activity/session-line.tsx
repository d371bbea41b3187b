import {
  isAgentsStep,
  promptTokensOf,
  type SessionRequest,
} from '../../../../shared/requests/session.ts'
import { formatTokens } from '../../../../shared/strings/format.ts'
import { t } from '../../../../shared/strings/strings.ts'

const width = 600
const height = 90
/** More points than pixels show nothing more. */
const mostPoints = 300

interface Point {
  prompt: number
  read: number
  mark: string | null
}

/** The length of the main agent's prompts over its steps, and how much of each came from the cache. */
export function SessionLine({ requests }: { requests: readonly SessionRequest[] }) {
  const points = pointsOf(requests)
  if (points.length < 3) return null
  const longest = Math.max(...points.map(({ prompt }) => prompt), 1)
  const x = (index: number) => (index / (points.length - 1)) * width
  const y = (tokens: number) => height - (tokens / longest) * height
  const area = (of: (point: Point) => number) =>
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
              <title>{mark}</title>
            </line>
          ),
        )}
      </svg>
    </figure>
  )
}

function pointsOf(requests: readonly SessionRequest[]): Point[] {
  const steps = requests.filter(({ record, step }) => record.agentId === null && isAgentsStep(step))
  const stride = Math.max(1, Math.ceil(steps.length / mostPoints))
  return Array.from({ length: Math.ceil(steps.length / stride) }, (_, nth) => {
    const group = steps.slice(nth * stride, (nth + 1) * stride)
    const before = steps[nth * stride - 1]
    const marks = group.map((one, index) => markOf(one, index === 0 ? before : group[index - 1]))
    return {
      prompt: Math.max(...group.map(({ step }) => promptTokensOf(step))),
      read: Math.max(...group.map(({ step }) => step.tokens.read)),
      mark: marks.find((mark) => mark !== null) ?? null,
    }
  })
}

/** What happened at a step that is worth a line; null for most. */
function markOf(
  { record, step }: SessionRequest,
  before: SessionRequest | undefined,
): string | null {
  if (step.kind === 'compaction') return t('Compaction')
  if (step.cache?.culprit !== undefined) return t('Cache broken')
  const isOther = before !== undefined && before.record.modelUsed !== record.modelUsed
  return isOther ? t('Another model') : null
}
