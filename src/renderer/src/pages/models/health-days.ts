/**
 * A provider's answers by day, from a report grouped by provider. A request that failed before an answer names no
 * provider in the ledger, so failures are unknown here.
 */
import { formatDay, formatPercent, formatUsd } from '../../../../shared/strings/format.ts'
import type { UsageFigures, UsageReport } from '../../../../shared/requests/usage.ts'
import { bucketStarts, withinDay, type UsageRange } from '../../usage/range.ts'
import { joinWords, nameWith } from '../../../../shared/strings/join.ts'
import { t } from '../../../../shared/strings/strings.ts'

export interface HealthDay {
  startMs: number
  /** Requests answered by the first model that was tried. */
  answered: number
  /** Requests answered in place of another model that failed. */
  fallbacks: number
}

export interface ProviderHealthDays {
  /** Oldest first; every day of the range, also those without answers. */
  days: HealthDay[]
  /** All of it in a sentence. */
  words: string
  todayCostUsd: number
  todayAnswers: number
  /** Half of the streams began within it; null without a stream. */
  firstTokenMs: number | null
}

export function healthOf(
  providerId: string,
  { report, range }: { report: UsageReport; range: UsageRange },
): ProviderHealthDays {
  const byStart = new Map(report.points.map(({ startMs, groups }) => [startMs, groups[providerId]]))
  const starts = bucketStarts(range)
  const days = starts.map((startMs) => toDay(startMs, byStart.get(startMs)))
  const today = byStart.get(starts.at(-1) ?? 0)
  const all = report.groups.find(({ name }) => name === providerId)?.figures
  return {
    days,
    words: wordsOf(days, all?.costUsd ?? 0),
    todayCostUsd: today?.costUsd ?? 0,
    todayAnswers: today?.answered ?? 0,
    firstTokenMs: all?.firstTokenMs?.p50 ?? null,
  }
}

function toDay(startMs: number, figures: UsageFigures | undefined): HealthDay {
  const { answered = 0, fallbacks = 0 } = figures ?? {}
  return { startMs, answered: answered - fallbacks, fallbacks }
}

export function dateOf({ startMs }: Pick<HealthDay, 'startMs'>): string {
  return formatDay(withinDay(startMs))
}

/** `last answered today`; null without answers. */
export function lastAnsweredWords({ days }: Pick<ProviderHealthDays, 'days'>): string | null {
  const last = days.findLast((day) => totalOf(day) > 0)
  if (last === undefined) return null
  return last === days.at(-1)
    ? t('last answered today')
    : t('last answered {day}', { day: dateOf(last) })
}

export function dayWords(day: HealthDay): string {
  const total = totalOf(day)
  const answers = answersText(total)
  return nameWith(dateOf(day), joinWords([answers, ...fallbackText(day, total)]))
}

function wordsOf(days: readonly HealthDay[], costUsd: number): string {
  const sum = (of: (day: HealthDay) => number) => days.reduce((total, day) => total + of(day), 0)
  const fallbacks = sum((day) => day.fallbacks)
  const total = sum(totalOf)
  if (total === 0) return t('No answers in 30 days')
  const cost = formatUsd(costUsd)
  const sentence = t('{answers} in 30 days for {cost}', { answers: answersText(total), cost })
  return joinWords([sentence, ...fallbackText({ fallbacks }, total)])
}

export function totalOf({ answered, fallbacks }: HealthDay): number {
  return answered + fallbacks
}

function answersText(count: number): string {
  if (count === 0) return t('no answers')
  return t('{count, plural, one {1 answer} other {# answers}}', { count })
}

function fallbackText({ fallbacks }: Pick<HealthDay, 'fallbacks'>, total: number): string[] {
  return fallbacks === 0 ? [] : [t('{share} as fallback', { share: percent(fallbacks / total) })]
}

/** A few fallbacks are never rounded to none. */
function percent(share: number): string {
  if (share < 0.001) return t('less than {percent}', { percent: formatPercent(0.1, 1) })
  return formatPercent(100 * share, share < 0.1 ? 1 : 0)
}
