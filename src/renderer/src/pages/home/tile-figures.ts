/** The figures of Home, each with its points, and its change or what it is compared with. */
import {
  formatCount,
  formatDuration,
  formatGrams,
  formatShare,
  formatUsd,
} from '../../../../shared/strings/format.ts'
import type { Model } from '../../../../shared/entities.ts'
import type { UsageFigures, UsageReport } from '../../../../shared/requests/usage.ts'
import { bucketsOf } from '../../charts/buckets.ts'
import { chattingModels, dearestModel, savingOf } from '../../charts/savings.ts'
import { bucketStarts, type UsageRange } from '../../usage/range.ts'
import { changeText } from '../routers/replay-words.ts'
import { t } from '../../../../shared/strings/strings.ts'

export interface TileFigure {
  name: string
  text: string
  /** `+12 % vs. previous 7 days`, or what a saving is measured against; null when there is nothing to say. */
  note: string | null
  /** How the figure is calculated, when its name does not say it. */
  hint?: string
  /** One value for each bucket of the range; null where there is none. */
  values: (number | null)[]
  /** View of the page Activity. */
  view: 'requests' | 'charts'
}

/** The tiles of a range. */
interface TileContext {
  range: UsageRange
  /** Report of the period before the range; null when it has none or is not loaded. */
  before: UsageReport | null
  models: readonly Model[]
  nowMs: number
}

interface Kind extends Pick<TileFigure, 'name' | 'view'> {
  valueOf: (figures: UsageFigures) => number | null
  format: (value: number | null) => string
  /** Value of a bucket without requests. */
  empty: 0 | null
}

const kinds: readonly Kind[] = [
  {
    name: t('Requests'),
    view: 'requests',
    valueOf: ({ requests }) => requests,
    format: formatCount,
    empty: 0,
  },
  {
    name: t('Spend'),
    view: 'charts',
    valueOf: ({ costUsd }) => costUsd,
    format: formatUsd,
    empty: 0,
  },
  {
    name: t('p95 latency'),
    view: 'charts',
    valueOf: ({ latencyMs }) => latencyMs?.p95 ?? null,
    format: formatDuration,
    empty: null,
  },
  {
    name: t('CO₂e, estimated'),
    view: 'charts',
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

/** @param report  by model */
export function tileFigures(report: UsageReport, context: TileContext): TileFigure[] {
  const { range, before } = context
  const points = new Map(report.points.map(({ startMs, total }) => [startMs, total]))
  const starts = bucketStarts(range)
  const [requests, spend, ...others] = kinds.map(({ name, view, valueOf, format, empty }) => {
    const value = valueOf(report.total)
    return {
      name,
      view,
      text: format(value),
      note: changeOf(value, before && valueOf(before.total), range),
      values: starts.map((startMs) => {
        const figures = points.get(startMs)
        return figures ? valueOf(figures) : empty
      }),
    }
  })
  return [requests, spend, savedTile(report, context), ...others].filter(
    (tile) => tile !== undefined,
  )
}

/** What routing saved against the dearest model that was used, for the same tokens; undefined when it saved nothing. */
function savedTile(
  report: UsageReport,
  { range, models, nowMs }: TileContext,
): TileFigure | undefined {
  const used = chattingModels(report, models)
  const usedModels = models.filter(({ id }) => used.has(id))
  // A model that is gone has no price any more, and may have been the dearest.
  const isComparable = used.size > 1 && usedModels.length === used.size
  const dearest = isComparable ? dearestModel(report, usedModels, { models, nowMs }) : null
  if (dearest === null) return undefined
  const buckets = bucketsOf(report, range)
  const { alwaysUsd, savedUsd, bucketsUsd } = savingOf(report, buckets, {
    model: dearest,
    models,
    nowMs,
  })
  if (!savedUsd || savedUsd < 0 || !alwaysUsd || bucketsUsd === null) return undefined
  return {
    name: t('Money saved'),
    view: 'charts' as const,
    text: formatUsd(savedUsd),
    note: t('{share} vs. always {model}', {
      share: formatShare(savedUsd / alwaysUsd),
      model: dearest.id,
    }),
    hint: t(
      'The same tokens at today’s price of {model}, the dearest model used, less what you spent',
      {
        model: dearest.id,
      },
    ),
    // The line begins at zero: a bucket that cost more saved nothing.
    values: buckets.map(({ point }, index) =>
      Math.max(0, (bucketsUsd[index] ?? 0) - (point?.total.costUsd ?? 0)),
    ),
  }
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
