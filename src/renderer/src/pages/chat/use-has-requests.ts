import { useReport } from '../../stores/reports.ts'
import { useRange } from '../../usage/use-range.ts'

/** A report has at most 2,000 points; this one needs its total only. */
const points = 1000

/** Whether the router has ever been used; null until it is known. */
export function useHasRequests(routerId: string | null): boolean | null {
  const [{ toMs }] = useRange()
  const query = { fromMs: 0, toMs, bucketMs: Math.ceil(toMs / points) }
  const { report } = useReport(routerId === null ? null : { ...query, routerId })
  return report && report.total.requests > 0
}
