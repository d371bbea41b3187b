/** What a limit would have refused in the past. */
import { formatUsd } from '../../../../shared/strings/format.ts'
import type { UsageReport } from '../../../../shared/requests/usage.ts'
import { t } from '../../../../shared/strings/strings.ts'

/** The requests of a day or a minute, without those that were refused over a limit. */
export interface UseOfPeriod {
  startMs: number
  requests: number
  costUsd: number
}

export interface LimitEffect {
  text: string
  isRefusing: boolean
}

export function usesOf({ points }: Pick<UsageReport, 'points'>): UseOfPeriod[] {
  return points.map(({ startMs, total: { requests, limited, costUsd } }) => ({
    startMs,
    requests: requests - limited,
    costUsd,
  }))
}

type Unit = 'day' | 'minute'

const spanWords: Record<Unit, string> = {
  day: t('the last 31 days'),
  minute: t('the last 24 hours'),
}

export function dailyLimitEffect(days: readonly UseOfPeriod[], limit: number | null) {
  return requestEffect(days, limit, 'day')
}

export function minuteLimitEffect(minutes: readonly UseOfPeriod[], limit: number | null) {
  return requestEffect(minutes, limit, 'minute')
}

/** @returns null without requests: there is nothing to compare with */
function requestEffect(
  uses: readonly UseOfPeriod[],
  limit: number | null,
  unit: Unit,
): LimitEffect | null {
  if (uses.length === 0) return null
  const most = Math.max(...uses.map(({ requests }) => requests))
  if (limit === null || !(most > limit)) return { text: busiestText(unit, most), isRefusing: false }
  const over = uses.filter(({ requests }) => requests > limit)
  const refused = over.reduce((sum, { requests }) => sum + requests - limit, 0)
  const text = t('Would have refused {requests} in {periods} of {span}.', {
    requests: t('{count, plural, one {1 request} other {# requests}}', { count: refused }),
    periods: periodsText[unit](over.length),
    span: spanWords[unit],
  })
  return { text, isRefusing: true }
}

export function dailyBudgetEffect(
  days: readonly UseOfPeriod[],
  budgetUsd: number | null,
): LimitEffect | null {
  if (days.length === 0) return null
  const most = Math.max(...days.map(({ costUsd }) => costUsd))
  if (budgetUsd === null || !(most > budgetUsd)) {
    return {
      text: t('Highest spend of {span}: {most}.', { span: spanWords.day, most: formatUsd(most) }),
      isRefusing: false,
    }
  }
  const over = days.filter(({ costUsd }) => costUsd > budgetUsd).length
  const text = t(
    'Would have been used up on {count, plural, one {1 day} other {# days}} of {span}.',
    { count: over, span: spanWords.day },
  )
  return { text, isRefusing: true }
}

/** @param nowMs  in the month that counts, UTC */
export function monthlyBudgetEffect(
  days: readonly UseOfPeriod[],
  budgetUsd: number | null,
  nowMs: number,
): LimitEffect | null {
  if (days.length === 0) return null
  const now = new Date(nowMs)
  const monthMs = Date.UTC(now.getUTCFullYear(), now.getUTCMonth())
  const spent = days
    .filter(({ startMs }) => startMs >= monthMs)
    .reduce((sum, { costUsd }) => sum + costUsd, 0)
  const isRefusing = budgetUsd !== null && spent > budgetUsd
  const text = isRefusing
    ? t('Already used up this month: {spent}.', { spent: formatUsd(spent) })
    : t('Spent this month: {spent}.', { spent: formatUsd(spent) })
  return { text, isRefusing }
}

function busiestText(unit: Unit, requests: number): string {
  return unit === 'day'
    ? t('Busiest day of {span}: {count, plural, one {1 request} other {# requests}}.', {
        span: spanWords.day,
        count: requests,
      })
    : t('Busiest minute of {span}: {count, plural, one {1 request} other {# requests}}.', {
        span: spanWords.minute,
        count: requests,
      })
}

const periodsText: Record<Unit, (count: number) => string> = {
  day: (count) => t('{count, plural, one {1 day} other {# days}}', { count }),
  minute: (count) => t('{count, plural, one {1 minute} other {# minutes}}', { count }),
}
