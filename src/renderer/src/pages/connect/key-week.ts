import { formatUsd } from '../../../../shared/strings/format.ts'
import type { UsageReport } from '../../../../shared/requests/usage.ts'
import { bucketStarts, type UsageRange } from '../../usage/range.ts'
import { t } from '../../../../shared/strings/strings.ts'

/** The requests of one key in the range. */
export interface KeyWeek {
  requests: number
  costUsd: number
  /** Requests by bucket, oldest first. */
  values: number[]
  /** All of it in a sentence. */
  words: string
}

/** @param report  grouped by key */
export function weekOfKey(
  keyId: string,
  { report, range }: { report: UsageReport; range: UsageRange },
): KeyWeek {
  const byStart = new Map(report.points.map(({ startMs, groups }) => [startMs, groups[keyId]]))
  const values = bucketStarts(range).map((startMs) => byStart.get(startMs)?.requests ?? 0)
  const figures = report.groups.find(({ name }) => name === keyId)?.figures
  const { requests = 0, costUsd = 0 } = figures ?? {}
  return { requests, costUsd, values, words: wordsOf(requests, costUsd) }
}

function wordsOf(requests: number, costUsd: number): string {
  if (requests === 0) return t('No requests in the last 7 days')
  return t('{count, plural, one {1 request} other {# requests}} for {costUsd} in the last 7 days', {
    count: requests,
    costUsd: formatUsd(costUsd),
  })
}
