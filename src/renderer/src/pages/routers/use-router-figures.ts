import { useMemo } from 'react'
import { useNow } from '../../components/use-now.ts'
import { useDailyUse } from '../../stores/daily-use.ts'
import { useReport } from '../../stores/reports.ts'
import type { UsageFigures } from '../../../../shared/requests/usage.ts'
import { bucketStarts, rangeAt } from '../../usage/range.ts'

const dayMs = 86_400_000

export interface RouterFigures {
  /** Figures of the last 24 hours; null without requests. */
  day: UsageFigures | null
  /** Requests in each half hour of these. */
  requests: readonly number[]
  /** Requests since midnight UTC that count against its daily limit. */
  countedToday: number
  /** Figures since midnight UTC, and since the first of the month UTC. */
  today: UsageFigures | null
  month: UsageFigures | null
}

/** The figures of all routers by id; null until they are loaded. */
export function useRouterFigures(): ((routerId: string) => RouterFigures) | null {
  const nowMs = useNow()
  const range = rangeAt('24h', nowMs)
  const { fromMs, toMs, bucketMs, offsetMs } = range
  const day = useReport({ fromMs, toMs, bucketMs, offsetMs, group: 'router' }).report
  const { todayMs, monthMs } = periodStarts(nowMs)
  const until = todayMs + dayMs
  const today = useReport({ fromMs: todayMs, toMs: until, bucketMs: dayMs, group: 'router' }).report
  const month = useReport({ fromMs: monthMs, toMs: until, bucketMs: dayMs, group: 'router' }).report
  const counted = useDailyUse(today)
  return useMemo(() => {
    if (!day || !today || !month || !counted) return null
    const starts = bucketStarts({ name: '24h', fromMs, toMs, bucketMs, offsetMs })
    const byStart = new Map(day.points.map((point) => [point.startMs, point]))
    return (routerId) => ({
      day: figuresOf(day, routerId),
      requests: starts.map((startMs) => byStart.get(startMs)?.groups[routerId]?.requests ?? 0),
      countedToday: counted.get(routerId) ?? 0,
      today: figuresOf(today, routerId),
      month: figuresOf(month, routerId),
    })
  }, [day, today, month, counted, fromMs, toMs, bucketMs, offsetMs])
}

function figuresOf(
  { groups }: { groups: readonly { name: string; figures: UsageFigures }[] },
  routerId: string,
): UsageFigures | null {
  return groups.find(({ name }) => name === routerId)?.figures ?? null
}

/** The starts of the periods of limits and budgets. */
function periodStarts(nowMs: number): { todayMs: number; monthMs: number } {
  const now = new Date(nowMs)
  return {
    todayMs: nowMs - (nowMs % dayMs),
    monthMs: Date.UTC(now.getUTCFullYear(), now.getUTCMonth()),
  }
}
