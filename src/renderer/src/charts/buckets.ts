/** The buckets of a chart: every one of its range, also those without requests. */
import type { UsagePoint, UsageReport } from '../../../shared/requests/usage.ts'
import { bucketStarts, type UsageRange } from '../usage/range.ts'

export interface Bucket {
  startMs: number
  endMs: number
  /** The times that a person chose: only their requests are counted. */
  chosen?: UsageRange['chosen']
  /** Null without requests. */
  point: UsagePoint | null
}

export function bucketsOf(report: UsageReport, range: UsageRange): Bucket[] {
  const points = new Map(report.points.map((point) => [point.startMs, point]))
  return bucketStarts(range).map((startMs) => ({
    startMs,
    endMs: startMs + range.bucketMs,
    ...(range.chosen && { chosen: range.chosen }),
    point: points.get(startMs) ?? null,
  }))
}

/** A bucket with requests. */
export type FilledBucket = Bucket & { point: UsagePoint }

export function isFilled(bucket: Bucket): bucket is FilledBucket {
  return bucket.point !== null
}

/** A line breaks over this many buckets without a value. */
const gapBuckets = 2

/**
 * The values of a line for drawing: null breaks it, undefined is drawn over. One bucket without a value is drawn
 * over, two or more break the line.
 */
export function lineValues(values: readonly (number | null)[]): (number | null | undefined)[] {
  const drawn: (number | null | undefined)[] = [...values]
  let last = -1
  for (const [index, value] of values.entries()) {
    if (value === null) continue
    const empty = index - last - 1
    if (last !== -1 && empty < gapBuckets) drawn.fill(undefined, last + 1, index)
    last = index
  }
  return drawn
}

/** The values with no neighbour that a line could lead to; they are drawn as dots. */
export function loneIndexes(values: readonly (number | null)[]): number[] {
  const drawn = lineValues(values)
  const isLinked = (index: number) => (drawn[index] ?? null) !== null || isBridge(drawn, index)
  return drawn.flatMap((value, index) =>
    typeof value === 'number' && !isLinked(index - 1) && !isLinked(index + 1) ? [index] : [],
  )
}

function isBridge(drawn: readonly (number | null | undefined)[], index: number): boolean {
  return index in drawn && drawn[index] === undefined
}
