/** The bars of the page Usage: a measure over time, in the parts of a grouping. */
import type { UsageFigures, UsageReport } from '../../../../shared/requests/usage.ts'
import { formatShare } from '../../../../shared/strings/format.ts'
import { bucketsOf, type Bucket } from '../../charts/buckets.ts'
import { amountSeries, tableOf, type TimeData } from '../../charts/chart-series.ts'
import { noRequests, type BaseFilter } from '../../charts/chart-text.ts'
import { colourOfModel } from '../../usage/model-colours.ts'
import type { UsageRange } from '../../usage/range.ts'
import { nameOfGroup, without, type Grouping, type Names } from './grouping.ts'
import { formatMeasure, measureOf, measureWords, type Measure } from './usage-table.ts'
import { joinSentences } from '../../../../shared/strings/join.ts'
import { t } from '../../../../shared/strings/strings.ts'

/** The number of groups with a part of their own; the others share one. */
const mostParts = 7

export interface BarPart {
  /** The group; null for all others together. */
  id: string | null
  label: string
  total: number
  color: string
  isHatched: boolean
}

export interface GroupBars extends TimeData {
  parts: readonly BarPart[]
  valueOf: (part: BarPart, bucket: Bucket) => number
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
    ...own.map(({ id, total }, index) => ({
      id,
      total,
      label: label(id),
      ...colourOf(id, grouping, index),
    })),
    ...(hasRest ? [{ ...others(grouping), total: rest }] : []),
  ]
  const valueOf = ({ id }: BarPart, { point }: Bucket) => {
    if (point === null) return 0
    if (id !== null) return groupSize(point.groups[id])
    const left = own.reduce(
      (size, part) => size - groupSize(point.groups[part.id]),
      sizeOf(point.total),
    )
    // The difference of sums of fractions can be a little below zero.
    return Math.max(0, left)
  }
  const groupSize = (figures: UsageFigures | undefined) => (figures ? sizeOf(figures) : 0)
  const series = parts.map((part) =>
    amountSeries(
      part,
      (bucket) => valueOf(part, bucket),
      (amount) => formatMeasure(amount, measure),
    ),
  )
  return {
    buckets,
    series,
    parts,
    valueOf,
    text: {
      sentence: sentenceOf(report.total, parts, input),
      table: tableOf(buckets, series, input.base),
    },
  }
}

function others(grouping: Grouping) {
  const isPart = grouping === 'agent' || grouping === 'conversation'
  const label = isPart ? without[grouping] : t('Others')
  return { id: null, label, color: 'var(--color-edge)', isHatched: false }
}

function colourOf(id: string, grouping: Grouping, index: number) {
  const isUnanswered = id === '' && (grouping === 'model' || grouping === 'provider')
  if (isUnanswered) return { color: 'var(--color-bad)', isHatched: true }
  if (grouping === 'model') return colourOfModel(id)
  return { color: `var(--color-series-${(index % 7) + 1})`, isHatched: false }
}

function sentenceOf(
  total: UsageFigures,
  [first]: readonly BarPart[],
  { grouping, measure }: BarsInput,
): string {
  if (total.requests === 0) return noRequests
  const all = measureOf(total, measure)
  const amount = sumWords[measure](formatMeasure(all, measure))
  const sum = sumText(total.requests, amount)
  if (!first || grouping === 'day' || all === 0) return sum
  const share = formatShare(first.total / all)
  return joinSentences([sum, t('{label} has most: {share}.', { label: first.label, share })])
}

const sumWords: Readonly<Record<Measure, (amount: string) => string>> = {
  requests: (amount) => t('{amount} requests', { amount }),
  spend: (amount) => t('{amount} spent', { amount }),
  tokens: (amount) => t('{amount} tokens', { amount }),
  carbon: (amount) => t('{amount} CO₂e, an estimate,', { amount }),
}

function sumText(requests: number, sum: string): string {
  return requests === 1 ? t('{sum} in 1 request.', { sum }) : t('{sum} in this range.', { sum })
}
