import { useMemo } from 'react'
import type { Router } from '../../../../shared/entities.ts'
import type { UsageReport } from '../../../../shared/usage.ts'
import { DecisionsChart } from '../../charts/decisions-chart.tsx'
import { LatencyChart } from '../../charts/latency-chart.tsx'
import { OutcomesChart } from '../../charts/outcomes-chart.tsx'
import { SpendChart } from '../../charts/spend-chart.tsx'
import { useNow } from '../../components/use-now.ts'
import { useModels } from '../../stores/models.ts'
import type { UsageRange } from '../../usage/range.ts'

interface RouterChartsProps {
  router: Router
  report: UsageReport
  range: UsageRange
}

/** A router's charts. They share one cursor, and a click opens the requests behind a point. */
export function RouterCharts({ router, report, range: latest }: RouterChartsProps) {
  const { name, fromMs, toMs, bucketMs, offsetMs } = latest
  const range = useMemo(
    () => ({ name, fromMs, toMs, bucketMs, offsetMs }),
    [name, fromMs, toMs, bucketMs, offsetMs],
  )
  const filter = useMemo(() => ({ routerId: router.id }), [router.id])
  const known = useModels((state) => state.items)
  const models = useMemo(
    () => known?.filter(({ id }) => router.models.includes(id)) ?? [],
    [known, router.models],
  )
  const nowMs = useNow()
  const props = { report, range, filter }
  return (
    <div className="grid gap-4 min-[64rem]:grid-cols-2">
      <DecisionsChart {...props} />
      <LatencyChart {...props} />
      <SpendChart {...props} models={models} nowMs={nowMs} budget={router} />
      <OutcomesChart {...props} />
    </div>
  )
}
