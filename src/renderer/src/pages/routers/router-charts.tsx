import { useMemo } from 'react'
import { dailyLimitOf, type Router } from '../../../../shared/entities.ts'
import type { UsageReport } from '../../../../shared/requests/usage.ts'
import { CarbonChart } from '../../charts/carbon-chart.tsx'
import type { DraftOverlay } from '../../charts/draft-overlay.ts'
import { CostLatencyChart } from '../../charts/cost-latency-chart.tsx'
import { DecisionsChart } from '../../charts/decisions-chart.tsx'
import { LatencyChart } from '../../charts/latency-chart.tsx'
import { LimitChart } from '../../charts/limit-chart.tsx'
import { utcDay } from '../../charts/limit.ts'
import { OutcomesChart } from '../../charts/outcomes-chart.tsx'
import { SpendChart } from '../../charts/spend-chart.tsx'
import { useNow } from '../../components/use-now.ts'
import { useDailyUse } from '../../stores/daily-use.ts'
import { useModels } from '../../stores/models.ts'
import { useRouterChanges } from '../../stores/router-changes.ts'
import { useReport } from '../../stores/reports.ts'
import type { UsageRange } from '../../usage/range.ts'

interface RouterChartsProps {
  router: Router
  report: UsageReport
  range: UsageRange
  /** An estimate for the router's unsaved settings. */
  draft: DraftOverlay | null
}

/** A router's charts. They share one cursor, and a click opens the requests behind a point. */
export function RouterCharts({ router, report, range, draft }: RouterChartsProps) {
  const filter = useMemo(() => ({ routerId: router.id }), [router.id])
  const known = useModels((state) => state.items)
  const models = useMemo(
    () => known?.filter(({ id }) => router.models.includes(id)) ?? [],
    [known, router.models],
  )
  const nowMs = useNow()
  const changes = useRouterChanges(router)
  const props = { report, range, filter, draft }
  return (
    <div className="grid gap-4 min-[64rem]:grid-cols-2 min-[64rem]:[&>:last-child:nth-child(odd)]:col-span-2">
      <DecisionsChart {...props} changes={changes} />
      <LatencyChart {...props} />
      <SpendChart {...props} models={models} nowMs={nowMs} budget={router} />
      <OutcomesChart {...props} />
      <CostLatencyChart {...props} />
      <CarbonChart {...props} />
      <DailyLimit router={router} filter={filter} nowMs={nowMs} />
    </div>
  )
}

interface DailyLimitProps {
  router: Router
  filter: { routerId: string }
  nowMs: number
}

/** Today in UTC, whatever range the page shows; nothing without a limit. */
function DailyLimit({ router, filter, nowMs }: DailyLimitProps) {
  const dailyLimit = dailyLimitOf(router)
  const dayMs = nowMs - (nowMs % 86_400_000)
  const range = useMemo(() => utcDay(dayMs), [dayMs])
  const { fromMs, toMs, bucketMs } = range
  const query = { ...filter, fromMs, toMs, bucketMs }
  const { report } = useReport(dailyLimit === null ? null : query)
  const usedToday = useDailyUse(report)?.get(router.id)
  if (dailyLimit === null || !report || usedToday === undefined) return null
  return <LimitChart {...{ report, range, filter, dailyLimit, usedToday, nowMs }} />
}
