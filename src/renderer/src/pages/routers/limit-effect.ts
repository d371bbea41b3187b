/** What a limit would have refused in the past. */
import { formatCount, formatUsd } from '../../../../shared/format.ts'
import type { UsageReport } from '../../../../shared/usage.ts'

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

interface Span {
  /** `day`, `minute` */
  unit: string
  /** `the last 31 days` */
  of: string
}

const ofDays: Span = { unit: 'day', of: 'the last 31 days' }
const ofMinutes: Span = { unit: 'minute', of: 'the last 24 hours' }

export function dailyLimitEffect(days: readonly UseOfPeriod[], limit: number | null) {
  return requestEffect(days, limit, ofDays)
}

export function minuteLimitEffect(minutes: readonly UseOfPeriod[], limit: number | null) {
  return requestEffect(minutes, limit, ofMinutes)
}

/** Null without requests: there is nothing to compare with. */
function requestEffect(
  uses: readonly UseOfPeriod[],
  limit: number | null,
  { unit, of }: Span,
): LimitEffect | null {
  if (uses.length === 0) return null
  const most = Math.max(...uses.map(({ requests }) => requests))
  if (limit === null || !(most > limit)) {
    return { text: `Busiest ${unit} of ${of}: ${counted(most, 'request')}.`, isRefusing: false }
  }
  const over = uses.filter(({ requests }) => requests > limit)
  const refused = over.reduce((sum, { requests }) => sum + requests - limit, 0)
  const text = `Would have refused ${counted(refused, 'request')} in ${counted(over.length, unit)} of ${of}.`
  return { text, isRefusing: true }
}

export function dailyBudgetEffect(
  days: readonly UseOfPeriod[],
  budgetUsd: number | null,
): LimitEffect | null {
  if (days.length === 0) return null
  const most = Math.max(...days.map(({ costUsd }) => costUsd))
  if (budgetUsd === null || !(most > budgetUsd)) {
    return { text: `Highest spend of ${ofDays.of}: ${formatUsd(most)}.`, isRefusing: false }
  }
  const over = days.filter(({ costUsd }) => costUsd > budgetUsd).length
  const text = `Would have been used up on ${counted(over, 'day')} of ${ofDays.of}.`
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
  const text = `${isRefusing ? 'Already used up' : 'Spent'} this month: ${formatUsd(spent)}.`
  return { text, isRefusing }
}

function counted(count: number, what: string): string {
  return `${formatCount(count)} ${what}${count === 1 ? '' : 's'}`
}
