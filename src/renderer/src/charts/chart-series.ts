/** The figures of a chart over time. Its table, the values beside the pointer and its keys come from the same list. */
import { isFilled, type Bucket, type FilledBucket } from './buckets.ts'
import { bucketRow, type BaseFilter, type ChartTable, type ChartText } from './chart-text.ts'
import { t } from '../../../shared/strings/strings.ts'

export interface ChartSeries {
  label: string
  /** What a bucket shows; empty where it has nothing to show. @param index  of the bucket in its range */
  valueOf: (bucket: FilledBucket, index: number) => string
  /** A CSS colour. */
  color?: string | undefined
  isHatched?: boolean | undefined
  /** The value is a sentence, which stands without a name beside the pointer. */
  isSentence?: boolean
  /** Zero is not shown beside the pointer. */
  isZero?: (bucket: FilledBucket, index: number) => boolean
}

type Look = Pick<ChartSeries, 'label' | 'color' | 'isHatched'>

/** A count or an amount, of which the pointer shows what is above zero. */
export function amountSeries(
  { label, color, isHatched }: Look,
  amountOf: (bucket: FilledBucket, index: number) => number,
  format: (amount: number) => string,
): ChartSeries {
  return {
    label,
    color,
    isHatched,
    valueOf: (...at) => format(amountOf(...at)),
    isZero: (...at) => amountOf(...at) === 0,
  }
}

/** What a chart over time draws from. */
export interface TimeData {
  buckets: readonly Bucket[]
  series: readonly ChartSeries[]
  text: ChartText
}

/** One value beside the pointer. */
export interface TipRow {
  name: string
  /** Empty: the name is a sentence. */
  value: string
  /** A CSS colour. */
  color?: string | undefined
  isHatched?: boolean | undefined
}

/** A row for each bucket with requests. */
export function tableOf(
  buckets: readonly Bucket[],
  series: readonly ChartSeries[],
  base: BaseFilter,
): ChartTable {
  return {
    columns: [t('Time'), ...series.map(({ label }) => label)],
    rows: buckets.flatMap((bucket, index) =>
      isFilled(bucket)
        ? [
            bucketRow(
              bucket,
              base,
              series.map(({ valueOf }) => valueOf(bucket, index)),
            ),
          ]
        : [],
    ),
  }
}

/** The values beside the pointer. */
export function tipRowsOf(
  buckets: readonly Bucket[],
  series: readonly ChartSeries[],
  bucket: Bucket,
): TipRow[] {
  if (!isFilled(bucket)) return []
  const index = buckets.indexOf(bucket)
  return series.flatMap(({ label, valueOf, color, isHatched, isSentence = false, isZero }) => {
    const value = valueOf(bucket, index)
    if (value === '' || isZero?.(bucket, index) === true) return []
    return isSentence ? [{ name: value, value: '' }] : [{ name: label, value, color, isHatched }]
  })
}
