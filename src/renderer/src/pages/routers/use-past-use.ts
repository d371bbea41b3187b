import { useMemo } from 'react'
import { useNow } from '../../components/use-now.ts'
import { useReport } from '../../stores/reports.ts'
import { usesOf, type UseOfPeriod } from './limit-effect.ts'

const minuteMs = 60_000
const hourMs = 60 * minuteMs
const dayMs = 24 * hourMs

export interface PastUse {
  /** Use of the last 31 days, in UTC as limits count. */
  days: readonly UseOfPeriod[]
  /** Use of the last 24 hours. */
  minutes: readonly UseOfPeriod[]
  nowMs: number
}

/** What a router did in the past, to compare its limits with; empty until it is loaded. */
export function usePastUse(routerId: string): PastUse {
  const nowMs = useNow()
  const tomorrowMs = nowMs - (nowMs % dayMs) + dayMs
  const nextHourMs = nowMs - (nowMs % hourMs) + hourMs
  const days = useReport({
    routerId,
    // The first of the month is up to 31 days ago.
    fromMs: tomorrowMs - 31 * dayMs,
    toMs: tomorrowMs,
    bucketMs: dayMs,
  }).report
  const minutes = useReport({
    routerId,
    fromMs: nextHourMs - dayMs,
    toMs: nextHourMs,
    bucketMs: minuteMs,
  }).report
  const daysUsed = useMemo(() => (days ? usesOf(days) : []), [days])
  const minutesUsed = useMemo(() => (minutes ? usesOf(minutes) : []), [minutes])
  return { days: daysUsed, minutes: minutesUsed, nowMs }
}
