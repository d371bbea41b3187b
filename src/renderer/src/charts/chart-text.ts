/** What a chart says besides its drawing. It comes from the numbers that are drawn. */
import type { RequestFilter } from '../../../shared/request-search.ts'
import { formatDateTime, formatDuration } from '../../../shared/format.ts'
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
  /** In place of the chart, when there is only one point. */
  single: { value: string; detail: string } | null
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

/** A duration at an axis: `1 min` rather than `1 min 0 s`. */
export function formatMsMark(ms: number): string {
  return formatDuration(ms).replace(/ 0 s$/, '')
}

export function formatShare(share: number): string {
  const percent = share * 100
  if (percent > 0 && percent < 1) return '< 1 %'
  // 99.96 % is not all of them.
  if (percent > 99 && percent < 100) return '> 99 %'
  return `${Math.round(percent)} %`
}
