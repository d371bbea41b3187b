/** The bars of the page Usage: a measure over time, in the parts of a grouping. */
import type { UsageFigures, UsageReport } from '../../../../shared/requests/usage.ts'
import { bucketsOf, isFilled, type Bucket } from '../../charts/buckets.ts'
import {
  bucketRow,
  formatShare,
  noRequests,
  type BaseFilter,
  type ChartText,
} from '../../charts/chart-text.ts'
import type { UsageRange } from '../../usage/range.ts'
import { groupingWords, nameOfGroup, type Grouping, type Names } from './grouping.ts'
import { formatMeasure, measureOf, measureWords, type Measure } from './usage-table.ts'
import { t } from '../../../../shared/strings/strings.ts'

/** The number of groups with a part of their own; the others share one. */
const mostParts = 7

export interface BarPart {
  /** The group; null for all others together. */
  id: string | null
  label: string
  total: number
}

export interface GroupBars {
  buckets: readonly Bucket[]
  parts: readonly BarPart[]
  valueOf: (part: BarPart, bucket: Bucket) => number
  text: ChartText
}

interface BarsInput {
  grouping: Grouping
  measure: Measure
  names: Names
  base: BaseFilter
}

export function barsOf(report: UsageReport, range: UsageRange, input: BarsInput): GroupBars {
  const { grouping, measure, names } = input
  const buckets = bucketsOf(report, range)
  const sizeOf = (figures: UsageFigures) => measureOf(figures, measure)
  const own = report.groups
    .map(({ name, figures }) => ({ id: name, total: sizeOf(figures) }))
    .filter(({ total }) => total > 0)
    .toSorted((a, b) => b.total - a.total)
    .slice(0, mostParts)
  const rest = sizeOf(report.total) - own.reduce((sum, { total }) => sum + total, 0)
  // The difference of two sums of fractions is not exactly zero.
  const hasRest = rest > sizeOf(report.total) * 1e-9
  const label = (id: string) =>
    grouping === 'day' ? measureWords[measure] : nameOfGroup(grouping, id, names)
  const parts: BarPart[] = [
    ...own.map(({ id, total }) => ({ id, total, label: label(id) })),
    ...(hasRest
      ? [{ id: null, total: rest, label: grouping === 'agent' ? t('No agent') : t('Others') }]
      : []),
  ]
  const valueOf = ({ id }: BarPart, { point }: Bucket) => {
    if (point === null) return 0
    if (id !== null) return groupSize(point.groups[id])
    const others = own.reduce(
      (left, part) => left - groupSize(point.groups[part.id]),
      sizeOf(point.total),
    )
    // The difference of sums of fractions can be a little below zero.
    return Math.max(0, others)
  }
  const groupSize = (figures: UsageFigures | undefined) => (figures ? sizeOf(figures) : 0)
  return { buckets, parts, valueOf, text: textOf({ buckets, parts, valueOf }, report, input) }
}

function textOf(
  { buckets, parts, valueOf }: Omit<GroupBars, 'text'>,
  { total }: UsageReport,
  { grouping, measure, base }: BarsInput,
): ChartText {
  const filled = buckets.filter(isFilled)
  const all = measureOf(total, measure)
  const [first] = parts
  const lead =
    first && grouping !== 'day' && all > 0
      ? [
          t('{label} has most: {share}.', {
            label: first.label,
            share: formatShare(first.total / all),
          }),
        ]
      : []
  return {
    sentence:
      total.requests === 0
        ? noRequests
        : [
            sumText(total.requests, `${formatMeasure(all, measure)} ${unit[measure]}`),
            ...lead,
          ].join(' '),
    table: {
      columns: [t('Time'), ...parts.map(({ label }) => label)],
      rows: filled.map((bucket) =>
        bucketRow(
          bucket,
          base,
          parts.map((part) => formatMeasure(valueOf(part, bucket), measure)),
        ),
      ),
    },
    single:
      filled.length === 1
        ? {
            value: formatMeasure(all, measure),
            detail:
              grouping === 'day'
                ? unit[measure]
                : t('{unit}, see the {groupingWords}s below', {
                    unit: unit[measure],
                    groupingWords: groupingWords[grouping].toLowerCase(),
                  }),
          }
        : null,
  }
}

const unit: Readonly<Record<Measure, string>> = {
  requests: 'requests',
  spend: 'spent',
  tokens: 'tokens',
  carbon: t('CO₂e, an estimate,'),
}

function sumText(requests: number, sum: string): string {
  return requests === 1 ? t('{sum} in 1 request.', { sum }) : t('{sum} in this range.', { sum })
}
