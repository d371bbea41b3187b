import { Skeleton } from '../../components/page.tsx'
import { Download } from 'lucide-react'
import { useMemo, useState } from 'react'
import type { UsageReport } from '../../../../shared/requests/usage.ts'
import { Button } from '../../components/button.tsx'
import { downloadFile } from '../../components/download-file.ts'
import { ErrorNote } from '../../components/error-note.tsx'
import { Segmented } from '../../components/segmented.tsx'
import { useNow } from '../../components/use-now.ts'
import { useConversations } from '../../stores/chat.ts'
import { useKeys } from '../../stores/keys.ts'
import { useFirstRequestMs, useReport } from '../../stores/reports.ts'
import { useRouters } from '../../stores/routers.ts'
import { forecastOf, forecastQuery } from '../../usage/forecast.ts'
import { dayMs, periodBefore, timesOf, type UsageRange } from '../../usage/range.ts'
import { useAddressSearch, useSetSearch } from '../../usage/search.ts'
import { useRange } from '../../usage/use-range.ts'
import { ActivityHead } from './activity-head.tsx'
import { NoMatches, NoRequests } from './empty-lists.tsx'
import { isChosenRange, usualRange } from './filter-words.ts'
import { GroupBars } from './group-bars.tsx'
import { GroupTable } from './group-table.tsx'
import { groupingWords, groupings, groupOf, groupRows, type Grouping } from './grouping.ts'
import { KeyFigures } from './key-figures.tsx'
import { UsageCharts } from './usage-charts.tsx'
import { measures, usageCsv, usageTable, type Measure } from './usage-table.ts'
import { t } from '../../../../shared/strings/strings.ts'

/** What the charts filter by, under the names of the address. */
const chartFilters = ['routerId', 'model', 'providerId', 'apiKeyId', 'tag'] as const

/** What all routers used, in total, over time and in groups. */
export function ChartsView() {
  const { grouping, measure, filter, range } = useUsageAddress()
  const reports = useUsageReports({ grouping, filter, range })
  const { shown, before, forecast, error, reload } = reports
  const setSearch = useSetSearch()
  const names = useNames()
  const table = useMemo(
    () =>
      shown &&
      usageTable(
        groupRows(shown.table, shown.grouping, { names, range: shown.range }),
        shown.table.total,
        { measure, isByTime: shown.grouping === 'day' },
      ),
    [shown, names, measure],
  )
  const hasFilter = Object.keys(filter).length > 0
  return (
    <main className="h-full overflow-y-auto [scrollbar-gutter:stable]" tabIndex={-1}>
      <div className="flex flex-col gap-3 px-5 py-5 min-[60rem]:px-8 min-[60rem]:py-7">
        <ActivityHead
          view="charts"
          applied={[...chartFilters, 'time']}
          actions={
            <Button
              disabled={!table || table.rows.length === 0}
              onClick={() => table && saveCsv(table, shown?.grouping ?? grouping)}
            >
              <Download size={14} aria-hidden /> {t('Export CSV')}
            </Button>
          }
        />
        {error && <ErrorNote error={error} onRetry={reload} />}
        {!shown && !error && <Skeleton>{t('Loading usage…')}</Skeleton>}
        {shown?.bars.total.requests === 0 &&
          (hasFilter || isChosenRange(range.name) ? <NoMatches /> : <NoRequests />)}
        {shown && table && shown.bars.total.requests > 0 && (
          <>
            <KeyFigures
              total={shown.bars.total}
              before={before}
              forecastUsd={forecast?.monthUsd ?? null}
            />
            <div className="flex flex-wrap items-center gap-3">
              <span className="text-sm font-medium">{t('Group by')}</span>
              <Segmented
                label={t('Group by')}
                choices={groupings.map((value) => ({ value, label: groupingWords[value] }))}
                value={grouping}
                onChange={(value) => setSearch({ group: value })}
              />
            </div>
            <GroupBars
              report={shown.bars}
              range={shown.range}
              grouping={shown.grouping}
              {...{ measure, names, filter }}
              onMeasure={(value) => setSearch({ measure: value })}
            />
            <GroupTable table={table} grouping={shown.grouping} base={filter} />
            <UsageCharts {...{ filter, range, forecast: reports.isPast ? null : forecast }} />
          </>
        )}
      </div>
    </main>
  )
}

function saveCsv(table: Parameters<typeof usageCsv>[1], grouping: Grouping): void {
  const name = `modelport-usage-by-${grouping}.csv`
  downloadFile({ name, type: 'text/csv', text: usageCsv(groupingWords[grouping], table) })
}

function useUsageAddress() {
  const search = useAddressSearch()
  const [range] = useRange(usualRange)
  const parts = chartFilters.map((name) => [name, search[name]] as const)
  const key = JSON.stringify(parts.filter(([, value]) => value !== undefined))
  const filter = useMemo(
    // Written above.
    () =>
      Object.fromEntries(JSON.parse(key) as [string, string][]) as Partial<
        Record<(typeof chartFilters)[number], string>
      >,
    [key],
  )
  const grouping = groupings.find((name) => name === search['group']) ?? 'model'
  const measure: Measure = measures.find((name) => name === search['measure']) ?? 'spend'
  return { grouping, measure, filter, range }
}

interface Wanted {
  grouping: Grouping
  filter: Partial<Record<(typeof chartFilters)[number], string>>
  range: UsageRange
}

/** Reports that belong together: what is shown changes at once when all have arrived. */
interface Shown {
  grouping: Grouping
  range: UsageRange
  bars: UsageReport
  table: UsageReport
}

function useUsageReports({ grouping, filter, range }: Wanted) {
  const { bucketMs, offsetMs } = range
  const within = { ...filter, ...timesOf(range), offsetMs }
  const bars = useReport({ ...within, bucketMs, group: groupOf(grouping) })
  const days = useReport(grouping === 'day' ? { ...within, bucketMs: dayMs, group: 'none' } : null)
  const before = periodBefore(range)
  const past = useReport(before && { ...filter, ...before, bucketMs: before.toMs - before.fromMs })
  const nowMs = useNow()
  // A forecast is of everything.
  const month = useReport(Object.keys(filter).length > 0 ? null : forecastQuery(nowMs))
  const ledgerFirstMs = useFirstRequestMs(true)
  const table = grouping === 'day' ? days : bars

  const [shown, setShown] = useState<Shown | null>(null)
  const isReady = !bars.isStale && !table.isStale
  if (isReady && bars.report && table.report) {
    const next = { grouping, range, bars: bars.report, table: table.report }
    if (!isSame(shown, next)) setShown(next)
  }
  return {
    shown,
    before: before && !past.isStale ? (past.report?.total ?? null) : null,
    isPast: timesOf(range).toMs <= nowMs,
    forecast: month.report && forecastOf(month.report, { nowMs, ledgerFirstMs }),
    error: bars.error ?? table.error,
    reload: () => {
      bars.reload()
      table.reload()
    },
  }
}

function isSame(shown: Shown | null, next: Shown): boolean {
  return (
    shown !== null &&
    shown.bars === next.bars &&
    shown.table === next.table &&
    shown.grouping === next.grouping &&
    shown.range === next.range
  )
}

function useNames() {
  const routers = useRouters((state) => state.items)
  const keys = useKeys((state) => state.items)
  const conversations = useConversations((state) => state.items)
  return useMemo(
    () => ({
      router: (id: string) =>
        routers?.find((router) => router.id === id)?.name ?? t('Deleted router'),
      key: (id: string) => keys?.find((key) => key.id === id)?.name ?? t('Deleted key'),
      conversation: (id: string) =>
        conversations?.find((one) => one.id === id)?.title ?? t('Deleted conversation'),
    }),
    [routers, keys, conversations],
  )
}
