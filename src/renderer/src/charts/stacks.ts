/** Bars made of parts, such as the requests of each model. */
import { barLimit, linearScale, type MarkSteps, type Scale } from './scales.ts'
import type { Bucket } from './buckets.ts'

export interface StackSeries {
  name: string
  label: string
  /** A CSS colour. */
  color: string
  isHatched: boolean
}

export interface Bar {
  bucket: Bucket
  /** Lower and upper end of each part, in the order of the series. */
  parts: readonly { from: number; to: number }[]
  total: number
}

export interface Stack {
  series: readonly StackSeries[]
  bars: readonly Bar[]
  scale: Scale
  /** Bars above the scale, which are cut off. */
  cutOff: number
}

interface StackInput {
  series: readonly StackSeries[]
  buckets: readonly Bucket[]
  /** The value of a series in a bucket with requests. */
  valueOf: (index: number, bucket: Bucket) => number
  steps?: MarkSteps
}

export function stackOf({ series, buckets, valueOf, steps = 'decimal' }: StackInput): Stack {
  const bars = buckets.map((bucket) => {
    const values = series.map((_, index) => (bucket.point ? valueOf(index, bucket) : 0))
    let total = 0
    const parts = values.map((value) => ({ from: total, to: (total += value) }))
    return { bucket, parts, total }
  })
  const limit = barLimit(bars.map(({ total }) => total))
  return {
    series,
    bars,
    scale: linearScale(limit, steps),
    cutOff: bars.filter(({ total }) => total > limit).length,
  }
}

/** The series at a height of the bar's bucket; null above the bar and without a height. */
export function seriesAt(
  { bars, series, scale }: Stack,
  bucket: Bucket,
  share: number | null,
): StackSeries | null {
  if (share === null) return null
  const bar = bars.find((each) => each.bucket.startMs === bucket.startMs)
  const index = bar?.parts.findIndex(({ to }) => share * scale.max <= to) ?? -1
  return series[index] ?? null
}
