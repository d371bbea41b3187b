/** The time ranges of charts and tables, divided into buckets at local minutes, hours and days. */
const minuteMs = 60_000
const hourMs = 60 * minuteMs
export const dayMs = 24 * hourMs

export const rangeNames = ['1h', '24h', '7d', '30d', 'all'] as const
export type RangeName = (typeof rangeNames)[number]

/** A report of everything: few points, and whole days, which are the longest cells of the ledger. */
export const wholeLedger = { fromMs: 0, bucketMs: 28 * dayMs }

export interface UsageRange {
  name: RangeName
  fromMs: number
  /** The end of the current bucket, so that a query stays the same while the bucket lasts. */
  toMs: number
  bucketMs: number
  /** The time zone's offset from UTC, east positive: days begin at local midnight. */
  offsetMs: number
  /** The times that a person chose, within these buckets. */
  chosen?: { fromMs: number; toMs: number }
}

/** The times whose requests are counted. */
export function timesOf({ fromMs, toMs, chosen }: UsageRange): { fromMs: number; toMs: number } {
  return chosen ?? { fromMs, toMs }
}

const fixedRanges: Record<Exclude<RangeName, 'all'>, { buckets: number; bucketMs: number }> = {
  '1h': { buckets: 60, bucketMs: minuteMs },
  '24h': { buckets: 48, bucketMs: 30 * minuteMs },
  '7d': { buckets: 56, bucketMs: 3 * hourMs },
  '30d': { buckets: 30, bucketMs: dayMs },
}

/** Sizes for the range `all`; its charts have at most this many buckets. */
const sizesOfAll = [minuteMs, 10 * minuteMs, hourMs, 6 * hourMs, dayMs, 7 * dayMs, 28 * dayMs]
const mostBucketsOfAll = 120

/**
 * The range that ends now.
 * @param firstMs  where the range `all` begins: the time of the first request; null while unknown, then 30 days ago
 */
export function rangeAt(name: RangeName, nowMs: number, firstMs: number | null = null): UsageRange {
  const offsetMs = -new Date(nowMs).getTimezoneOffset() * minuteMs
  if (name === 'all') return allSince(firstMs ?? nowMs - 30 * dayMs, { nowMs, offsetMs })
  const { buckets, bucketMs } = fixedRanges[name]
  const toMs = bucketStart(nowMs, { bucketMs, offsetMs }) + bucketMs
  return { name, fromMs: toMs - buckets * bucketMs, toMs, bucketMs, offsetMs }
}

function allSince(firstMs: number, { nowMs, offsetMs }: { nowMs: number; offsetMs: number }) {
  const isEnough = (bucketMs: number) => (nowMs - firstMs) / bucketMs < mostBucketsOfAll - 1
  const wholeDays = Math.ceil((nowMs - firstMs) / dayMs / (mostBucketsOfAll - 2))
  const bucketMs = sizesOfAll.find(isEnough) ?? wholeDays * dayMs
  const fromMs = bucketStart(firstMs, { bucketMs, offsetMs })
  const toMs = bucketStart(nowMs, { bucketMs, offsetMs }) + bucketMs
  return { name: 'all' as const, fromMs, toMs, bucketMs, offsetMs }
}

/** The range between two times, drawn in whole buckets. Like `all`, it has no period before it. */
export function rangeBetween(fromMs: number, toMs: number): UsageRange {
  const offsetMs = -new Date(fromMs).getTimezoneOffset() * minuteMs
  const chosen = { fromMs, toMs }
  return { ...allSince(fromMs, { nowMs: toMs - 1, offsetMs }), chosen }
}

/** The period of the same length before it, for comparisons; null for `all`. */
export function periodBefore({ name, fromMs, toMs }: UsageRange) {
  return name === 'all' ? null : { fromMs: fromMs - (toMs - fromMs), toMs: fromMs }
}

/** The starts of all buckets, also of those without requests. */
export function bucketStarts({ fromMs, toMs, bucketMs }: UsageRange): number[] {
  return Array.from(
    { length: Math.ceil((toMs - fromMs) / bucketMs) },
    (_, index) => fromMs + index * bucketMs,
  )
}

/**
 * A time of the day that begins at a bucket or mark. A range has one offset for all its days, so beyond a change of clocks,
 * which is at most two hours, they begin beside midnight. Half a day more would be too much for marks of a UTC day: in
 * Auckland it begins in the afternoon.
 */
export function withinDay(startMs: number): number {
  return startMs + 2 * hourMs
}

function bucketStart(
  atMs: number,
  { bucketMs, offsetMs }: Pick<UsageRange, 'bucketMs' | 'offsetMs'>,
): number {
  return atMs - ((atMs + offsetMs) % bucketMs)
}
