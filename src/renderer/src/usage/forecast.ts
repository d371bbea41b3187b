/** The forecast of a month's spend: the mean of the last whole days. */
import { formatUsd } from '../../../shared/strings/format.ts'
import type { UsageReport } from '../../../shared/requests/usage.ts'
import { t } from '../../../shared/strings/strings.ts'

const dayMs = 86_400_000
const mostDays = 7

/** A query by local days for the forecast: this month and at least the last seven whole days. */
export function forecastQuery(nowMs: number) {
  const now = new Date(nowMs)
  const offsetMs = -now.getTimezoneOffset() * 60_000
  const todayMs = nowMs - ((nowMs + offsetMs) % dayMs)
  const monthMs = todayMs - (now.getDate() - 1) * dayMs
  return {
    fromMs: Math.min(monthMs, todayMs - mostDays * dayMs),
    toMs: todayMs + dayMs,
    bucketMs: dayMs,
    offsetMs,
  }
}

export interface Forecast {
  usdPerDay: number
  /** How many whole days the mean is of. */
  days: number
  /** Spent this month so far, and expected at its end. */
  spentUsd: number
  monthUsd: number
  sentence: string
}

/**
 * @param report  of `forecastQuery`
 * @param ledgerFirstMs  the first request of all; null until known
 * @returns null when there is no whole day since the first request
 */
export function forecastOf(
  report: UsageReport,
  { nowMs, ledgerFirstMs }: { nowMs: number; ledgerFirstMs: number | null },
): Forecast | null {
  const { toMs } = forecastQuery(nowMs)
  const todayMs = toMs - dayMs
  // Days without requests count too, also at the start of the period.
  const firstMs = Math.min(ledgerFirstMs ?? Infinity, report.points[0]?.startMs ?? todayMs)
  const days = Math.min(mostDays, Math.round((todayMs - firstMs) / dayMs))
  if (days < 1) return null
  const spentIn = (fromMs: number, untilMs: number) =>
    report.points
      .filter(({ startMs }) => startMs >= fromMs && startMs < untilMs)
      .reduce((sum, { total }) => sum + total.costUsd, 0)
  const usdPerDay = spentIn(todayMs - days * dayMs, todayMs) / days
  const now = new Date(nowMs)
  const spentUsd = spentIn(todayMs - (now.getDate() - 1) * dayMs, toMs)
  const daysLeft = new Date(now.getFullYear(), now.getMonth() + 1, 0).getDate() - now.getDate()
  // What is left of today is expected to bring it to the mean.
  const todayUsd = spentIn(todayMs, toMs)
  const monthUsd = spentUsd + Math.max(0, usdPerDay - todayUsd) + usdPerDay * daysLeft
  const basis = t('{count, plural, one {yesterday} other {the mean of the last # whole days}}', {
    count: days,
  })
  const sentence = t('Forecast for this month: {monthUsd}, from {basis} ({usdPerDay} per day).', {
    monthUsd: formatUsd(monthUsd),
    basis,
    usdPerDay: formatUsd(usdPerDay),
  })
  return { usdPerDay, days, spentUsd, monthUsd, sentence }
}
