/** What a chart says besides its drawing. It comes from the numbers that are drawn. */
import type { RequestFilter } from '../../../shared/requests/search.ts'
import {
  formatDateTime,
  formatDuration,
  formatGrams,
  formatPercent,
  formatThreeDigits,
} from '../../../shared/strings/format.ts'
import type { Scale } from './scales.ts'
import { t } from '../../../shared/strings/strings.ts'

export interface ChartTable {
  columns: readonly string[]
  rows: readonly {
    key: string
    cells: readonly string[]
    /** The requests behind the row. */
    filter?: RequestFilter
  }[]
}

export interface ChartText {
  sentence: string
  table: ChartTable
}

/** The filter of all requests of a chart, such as its router. */
export type BaseFilter = Omit<RequestFilter, 'fromMs' | 'toMs'>

export const noRequests = t('No requests in this range.')

interface BucketTime {
  startMs: number
  endMs: number
}

/** The requests of a bucket. */
export function filterOfBucket({ startMs, endMs }: BucketTime, base: BaseFilter): RequestFilter {
  return { ...base, fromMs: startMs, toMs: endMs }
}

/** The row of a bucket, beginning with its time. */
export function bucketRow(bucket: BucketTime, base: BaseFilter, cells: readonly string[]) {
  return {
    key: String(bucket.startMs),
    cells: [formatDateTime(bucket.startMs), ...cells],
    filter: filterOfBucket(bucket, base),
  }
}

type FormatMark = (value: number) => string

/** Durations at an axis: all in ms or all in s, except on logarithmic axes. `1 min` rather than `1 min 0 s`. */
export function msMarks(scale: Scale): FormatMark {
  return scale.kind === 'linear' && scale.max >= 1000 && scale.max < 60_000
    ? (ms) => `${formatThreeDigits(ms / 1000)} s`
    : (ms) => formatDuration(ms).replace(/ 0 s$/, '')
}

/** Grams at an axis: all in one unit, except on logarithmic axes. The chart says that they are estimates. */
export function gramMarks(scale: Scale): FormatMark {
  if (scale.kind === 'log') return (grams) => formatGrams(grams).replace('≈ ', '')
  if (scale.max >= 1000) return (grams) => `${formatThreeDigits(grams / 1000)} kg`
  if (scale.max >= 1) return (grams) => `${formatThreeDigits(grams)} g`
  return (grams) => `${formatThreeDigits(grams * 1000)} mg`
}

export function formatShare(share: number): string {
  const percent = share * 100
  if (percent > 0 && percent < 1) return `< ${formatPercent(1)}`
  // 99.96 % is not all of them.
  if (percent > 99 && percent < 100) return `> ${formatPercent(99)}`
  return formatPercent(percent)
}
