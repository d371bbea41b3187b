import { rangeAt, type UsageRange } from './range.ts'

const dayMs = 86_400_000

/** The local day, as a range of a report. */
export function todayAt(
  nowMs: number,
): Pick<UsageRange, 'fromMs' | 'toMs' | 'bucketMs' | 'offsetMs'> {
  const { toMs, offsetMs } = rangeAt('30d', nowMs)
  return { fromMs: toMs - dayMs, toMs, bucketMs: dayMs, offsetMs }
}
