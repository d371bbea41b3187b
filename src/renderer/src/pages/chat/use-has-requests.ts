import { useReport } from '../../stores/reports.ts'
import { wholeLedger } from '../../usage/range.ts'
import { useRange } from '../../usage/use-range.ts'

/** Whether the router has ever been used; null until it is known. */
export function useHasRequests(routerId: string | null): boolean | null {
  const [{ toMs }] = useRange()
  const { report } = useReport(routerId === null ? null : { ...wholeLedger, toMs, routerId })
  return report && report.total.requests > 0
}
