/** The four figures of Home, each with its points and its change. */
import {
  formatCount,
  formatDuration,
  formatGrams,
  formatUsd,
} from '../../../../shared/strings/format.ts'
import type { UsageFigures, UsageReport } from '../../../../shared/requests/usage.ts'
import { bucketStarts, type UsageRange } from '../../usage/range.ts'
import { changeText } from '../routers/replay-words.ts'
import { t } from '../../../../shared/strings/strings.ts'

export interface TileFigure {
  name: string
  text: string
  /** `+12 % vs. previous 7 days`; null when there is nothing to compare. */
  change: string | null
  /** One value for each bucket of the range; null where there is none. */
  values: (number | null)[]
  to: '/requests' | '/usage'
}

interface Kind extends Pick<TileFigure, 'name' | 'to'> {
  valueOf: (figures: UsageFigures) => number | null
  format: (value: number | null) => string
  /** In a bucket without requests. */
  empty: 0 | null
}

const kinds: readonly Kind[] = [
  {
    name: t('Requests'),
    to: '/requests',
    valueOf: ({ requests }) => requests,
    format: formatCount,
    empty: 0,
  },
  {
    name: t('Spend'),
    to: '/usage',
    valueOf: ({ costUsd }) => costUsd,
    format: formatUsd,
    empty: 0,
  },
  {
    name: 'p95 latency',
    to: '/usage',
    valueOf: ({ latencyMs }) => latencyMs?.p95 ?? null,
    format: formatDuration,
    empty: null,
  },
  {
    name: t('CO₂e, estimated'),
    to: '/usage',
    valueOf: ({ carbonGrams }) => carbonGrams,
    format: formatGrams,
    empty: 0,
  },
]

const periodWords: Readonly<Record<Exclude<UsageRange['name'], 'all'>, string>> = {
  '1h': t('previous hour'),
  '24h': t('previous 24 h'),
  '7d': t('previous 7 days'),
  '30d': t('previous 30 days'),
}

/** @param before  of the period before the range; null when it has none or is not loaded */
export function tileFigures(
  report: UsageReport,
  range: UsageRange,
  before: UsageReport | null,
): TileFigure[] {
  const points = new Map(report.points.map(({ startMs, total }) => [startMs, total]))
  const starts = bucketStarts(range)
  return kinds.map(({ name, to, valueOf, format, empty }) => {
    const value = valueOf(report.total)
    return {
      name,
      to,
      text: format(value),
      change: changeOf(value, before && valueOf(before.total), range),
      values: starts.map((startMs) => {
        const figures = points.get(startMs)
        return figures ? valueOf(figures) : empty
      }),
    }
  })
}

function changeOf(
  value: number | null,
  before: number | null,
  { name }: UsageRange,
): string | null {
  if (name === 'all' || !value || !before) return null
  return t('{changeText} vs. {periodWords}', {
    changeText: changeText(before, value),
    periodWords: periodWords[name],
  })
}
