/** A provider's answers and failures by day, from a report grouped by provider. */
import { formatCount, formatDay } from '../../../../shared/format.ts'
import type { UsageFigures, UsageReport } from '../../../../shared/usage.ts'
import { bucketStarts, type UsageRange } from '../../usage/range.ts'

export interface HealthDay {
  startMs: number
  /** Answered at the first try. */
  answered: number
  /** Answered in place of another model that failed. */
  fallbacks: number
  failed: number
}

export interface ProviderHealthDays {
  /** Oldest first; every day of the range, also those without requests. */
  days: HealthDay[]
  /** All of it in a sentence. */
  words: string
  todayCostUsd: number
  todayRequests: number
}

export function healthOf(
  providerId: string,
  { report, range }: { report: UsageReport; range: UsageRange },
): ProviderHealthDays {
  const byStart = new Map(report.points.map(({ startMs, groups }) => [startMs, groups[providerId]]))
  const starts = bucketStarts(range)
  const days = starts.map((startMs) => toDay(startMs, byStart.get(startMs)))
  const today = byStart.get(starts.at(-1) ?? 0)
  return {
    days,
    words: wordsOf(days),
    todayCostUsd: today?.costUsd ?? 0,
    todayRequests: today?.requests ?? 0,
  }
}

/** Requests that the caller ended, or that no provider was asked for, say nothing about its health. */
function toDay(startMs: number, figures: UsageFigures | undefined): HealthDay {
  const { answered = 0, fallbacks = 0, failed = 0 } = figures ?? {}
  return { startMs, answered: answered - fallbacks, fallbacks, failed }
}

const dayMs = 86_400_000

/** The date of its middle: all days have the same length, also when clocks change, so one can begin an hour early. */
export function dateOf({ startMs }: Pick<HealthDay, 'startMs'>): string {
  return formatDay(startMs + dayMs / 2)
}

export function dayWords(day: HealthDay): string {
  const total = totalOf(day)
  if (total === 0) return `${dateOf(day)}: no requests`
  return `${dateOf(day)}: ${formatCount(total)} requests, ${shares(day, total)}`
}

function wordsOf(days: readonly HealthDay[]): string {
  const sum = (of: (day: HealthDay) => number) => days.reduce((total, day) => total + of(day), 0)
  const all = {
    answered: sum(({ answered }) => answered),
    fallbacks: sum(({ fallbacks }) => fallbacks),
    failed: sum(({ failed }) => failed),
  }
  const total = totalOf(all)
  if (total === 0) return 'No requests in 30 days'
  return `${formatCount(total)} requests in 30 days, ${shares(all, total)}`
}

export function totalOf({ answered, fallbacks, failed }: Omit<HealthDay, 'startMs'>): number {
  return answered + fallbacks + failed
}

function shares({ fallbacks, failed }: Omit<HealthDay, 'startMs'>, total: number): string {
  const parts = [
    ...(failed === 0 ? [] : [`${percent(failed / total)} failed`]),
    ...(fallbacks === 0 ? [] : [`${percent(fallbacks / total)} as fallback`]),
  ]
  return parts.length === 0 ? 'all answered' : parts.join(', ')
}

/** A failure is never rounded to none. */
function percent(share: number): string {
  if (share < 0.001) return 'less than 0.1 %'
  return `${(100 * share).toFixed(share < 0.1 ? 1 : 0)} %`
}
