/** What a chart says besides its drawing. It comes from the numbers that are drawn. */
import type { RequestFilter } from '../../../shared/requests/search.ts'
import {
  formatDateTime,
  formatDay,
  formatDuration,
  formatGrams,
  formatThreeDigits,
} from '../../../shared/strings/format.ts'
import { dayMs, withinDay } from '../usage/range.ts'
import type { Bucket } from './buckets.ts'
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

type BucketTime = Pick<Bucket, 'startMs' | 'endMs' | 'chosen'>

/** The requests that a bucket counts. */
export function filterOfBucket(
  { startMs, endMs, chosen = { fromMs: startMs, toMs: endMs } }: BucketTime,
  base: BaseFilter,
): RequestFilter {
  return {
    ...base,
    fromMs: Math.max(startMs, chosen.fromMs),
    toMs: Math.min(endMs, chosen.toMs),
  }
}

/** When a bucket begins; of a day or more, its first day. */
export function bucketTime({ startMs, endMs }: BucketTime): string {
  return endMs - startMs < dayMs ? formatDateTime(startMs) : formatDay(withinDay(startMs))
}

/** The row of a bucket, beginning with its time. */
export function bucketRow(bucket: BucketTime, base: BaseFilter, cells: readonly string[]) {
  return {
    key: String(bucket.startMs),
    cells: [bucketTime(bucket), ...cells],
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
