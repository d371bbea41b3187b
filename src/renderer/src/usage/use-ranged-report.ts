import { useState } from 'react'
import type { UsageReport } from '../../../shared/requests/usage.ts'
import { useReport, type ReportQuery } from '../stores/reports.ts'
import { timesOf, type UsageRange } from './range.ts'

type Filter = Omit<ReportQuery, keyof UsageRange>

/** A report and its own range. Both change together, so that no chart shows the points of another range. */
export function useRangedReport(filter: Filter, range: UsageRange) {
  const { bucketMs, offsetMs } = range
  const loaded = useReport({ ...filter, ...timesOf(range), bucketMs, offsetMs })
  const [shown, setShown] = useState<{ report: UsageReport; range: UsageRange } | null>(null)
  if (
    loaded.report &&
    !loaded.isStale &&
    (shown?.report !== loaded.report || shown.range !== range)
  ) {
    setShown({ report: loaded.report, range })
  }
  return { shown, error: loaded.error, reload: loaded.reload }
}
