/** How much of a router's daily limit is used, and when it will be reached. */
import { formatCount, formatShare, formatTimeMark } from '../../../shared/strings/format.ts'
import type { UsageReport } from '../../../shared/requests/usage.ts'
import type { UsageRange } from '../usage/range.ts'
import { bucketsOf, type Bucket } from './buckets.ts'
import { tableOf, type ChartSeries, type TimeData } from './chart-series.ts'
import type { BaseFilter } from './chart-text.ts'
import { linearScale, type Scale } from './scales.ts'
import { t } from '../../../shared/strings/strings.ts'

const hourMs = 3_600_000
const dayMs = 24 * hourMs
const bucketMs = hourMs / 4
/** The rate of this time is expected to go on. */
const rateHours = 3

/** Daily limits begin again at midnight UTC. */
export function utcDay(nowMs: number): UsageRange {
  const fromMs = nowMs - (nowMs % dayMs)
  return { name: '24h', fromMs, toMs: fromMs + dayMs, bucketMs, offsetMs: 0 }
}

export interface LimitInput {
  dailyLimit: number
  /** Requests today that count. */
  usedToday: number
  nowMs: number
  base: BaseFilter
}

export interface LimitUse extends TimeData {
  total: number
  /** The start of the day, the ends of buckets until now, now, and the end of the day or of the limit. */
  times: readonly number[]
  used: readonly (number | null)[]
  /** Expected use at the rate of the last hours; null when nothing was requested then. */
  expected: readonly (number | null)[] | null
  /** When the limit will be reached; null if not today. */
  reachedAtMs: number | null
  scale: Scale
}

/**
 * The report also has requests that do not count, such as those of tuning runs, so it only says when the day's requests
 * were sent.
 * @param report  of the router since the start of the day, with the buckets of `utcDay`
 */
export function limitUse(report: UsageReport, range: UsageRange, input: LimitInput): LimitUse {
  const { dailyLimit, usedToday: total, nowMs } = input
  const buckets = bucketsOf(report, range)
  const countedShare = total / Math.max(1, requestsIn(buckets))
  const countedIn = (some: readonly Bucket[]) => Math.round(requestsIn(some) * countedShare)
  const series = seriesOf(buckets, { dailyLimit, countedIn })
  const past = buckets.filter(({ endMs }) => endMs <= nowMs)
  const used = [0, ...past.map((_bucket, index) => countedIn(past.slice(0, index + 1))), total]
  const recent = recentBuckets(buckets, { fromMs: range.fromMs, nowMs })
  const recentMs = nowMs - (recent[0]?.startMs ?? nowMs)
  const perMs = recentMs > 0 ? countedIn(recent) / recentMs : 0
  const atEnd = Math.min(dailyLimit, total + perMs * (range.toMs - nowMs))
  const untilMs = perMs > 0 ? nowMs + Math.max(0, dailyLimit - total) / perMs : Infinity
  const reachedAtMs = untilMs < range.toMs ? untilMs : null
  const endMs = reachedAtMs ?? range.toMs
  const times = [range.fromMs, ...past.map((bucket) => bucket.endMs), nowMs, endMs]
  const blank = past.map(() => null)
  return {
    buckets,
    series,
    total,
    times,
    used: [...used, null],
    expected: perMs > 0 && total < dailyLimit ? [null, ...blank, total, atEnd] : null,
    reachedAtMs,
    scale: linearScale(Math.max(dailyLimit, total), 'whole'),
    text: {
      sentence: t('{used} of {limit} requests used today ({share}). {outlook}', {
        used: formatCount(total),
        limit: formatCount(dailyLimit),
        share: formatShare(Math.min(1, total / dailyLimit)),
        outlook: outlook({ total, reachedAtMs, resetMs: range.toMs }, dailyLimit),
      }),
      table: tableOf(buckets, series, input.base),
    },
  }
}

/** Requests over a limit are not counted against it. */
function requestsIn(buckets: readonly Bucket[]): number {
  return buckets.reduce(
    (sum, { point }) => sum + (point ? point.total.requests - point.total.limited : 0),
    0,
  )
}

function recentBuckets(
  buckets: readonly Bucket[],
  { fromMs, nowMs }: { fromMs: number; nowMs: number },
) {
  const sinceMs = Math.max(fromMs, nowMs - rateHours * hourMs)
  return buckets.filter(({ startMs }) => startMs >= sinceMs)
}

export const usedColor = 'var(--color-series-5)'

interface Counts {
  dailyLimit: number
  countedIn(buckets: readonly Bucket[]): number
}

function seriesOf(buckets: readonly Bucket[], { dailyLimit, countedIn }: Counts): ChartSeries[] {
  const usedUntil = (index: number) => countedIn(buckets.slice(0, index + 1))
  return [
    { label: t('In this time'), valueOf: (bucket) => formatCount(countedIn([bucket])) },
    {
      label: t('Since the start'),
      valueOf: (_bucket, index) => formatCount(usedUntil(index)),
      color: usedColor,
    },
    {
      label: t('Left'),
      valueOf: (_bucket, index) => formatCount(Math.max(0, dailyLimit - usedUntil(index))),
    },
  ]
}

interface Outlook {
  total: number
  reachedAtMs: number | null
  resetMs: number
}

function outlook({ total, reachedAtMs, resetMs }: Outlook, dailyLimit: number): string {
  const reset = formatTimeMark(resetMs, hourMs)
  if (total >= dailyLimit)
    return t('The limit is reached: requests get 429 until {reset}.', { reset })
  if (reachedAtMs === null) return t('The count starts again at {reset}.', { reset })
  return t(
    'At the rate of the last {rateHours} hours, requests get 429 from {reachedAtMs} until {reset}.',
    { rateHours, reachedAtMs: formatTimeMark(reachedAtMs, hourMs), reset },
  )
}
