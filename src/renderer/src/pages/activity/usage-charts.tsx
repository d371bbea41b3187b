import { useDeferredValue } from 'react'
import { Skeleton } from '../../components/page.tsx'
import { CarbonChart } from '../../charts/carbon-chart.tsx'
import type { BaseFilter } from '../../charts/chart-text.ts'
import { CostLatencyChart } from '../../charts/cost-latency-chart.tsx'
import { LatencyChart } from '../../charts/latency-chart.tsx'
import { OutcomesChart } from '../../charts/outcomes-chart.tsx'
import { SpendChart } from '../../charts/spend-chart.tsx'
import { TokensChart } from '../../charts/tokens-chart.tsx'
import { useNow } from '../../components/use-now.ts'
import { useModels } from '../../stores/models.ts'
import type { Forecast } from '../../usage/forecast.ts'
import { useRangedReport } from '../../usage/use-ranged-report.ts'
import type { UsageRange } from '../../usage/range.ts'
import { t } from '../../../../shared/strings/strings.ts'

interface UsageChartsProps {
  filter: BaseFilter
  range: UsageRange
  forecast: Forecast | null
}

/** The charts of all routers, from one report by model. */
export function UsageCharts({ filter, range, forecast }: UsageChartsProps) {
  const { shown } = useRangedReport({ ...filter, group: 'model' }, range)
  const models = useModels((state) => state.items) ?? []
  const nowMs = useNow()
  // They are below what a window shows, which must not wait for them.
  const isDrawn = useDeferredValue(true, false)
  if (!shown || !isDrawn) return <Skeleton>{t('Loading charts…')}</Skeleton>
  const shared = { ...shown, filter }
  return (
    <div className="grid grid-cols-[repeat(auto-fit,minmax(min(26rem,100%),1fr))] gap-4">
      <SpendChart {...shared} {...{ models, nowMs, forecast }} />
      <LatencyChart {...shared} />
      <TokensChart {...shared} />
      <CarbonChart {...shared} />
      <OutcomesChart {...shared} />
      <CostLatencyChart {...shared} />
    </div>
  )
}
