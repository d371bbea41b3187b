/** How much of its limits a router has used. */
import { dailyLimitOf, type Router } from '../../../../shared/entities.ts'
import { formatCount, formatUsd } from '../../../../shared/strings/format.ts'
import type { UsageFigures } from '../../../../shared/requests/usage.ts'
import { t } from '../../../../shared/strings/strings.ts'

export interface LimitUse {
  /** 0 to 1; above 1 once it is used up. */
  share: number
  /** `$3.10 of $5.00 today` */
  text: string
}

type Used = Pick<UsageFigures, 'costUsd'>

/**
 * The limit that is used most; null for a router without any.
 * @param countedToday  requests since midnight UTC that count against the daily limit
 * @param today  since midnight UTC; null without requests
 * @param month  since the first of the month, UTC
 */
export function limitUse(
  router: Router,
  { countedToday, today, month }: { countedToday: number; today: Used | null; month: Used | null },
): LimitUse | null {
  const { budgetUsdPerDay, budgetUsdPerMonth } = router
  // Of equally used limits, the first: budgets are set on purpose.
  const uses = [
    limitUsesOf(today?.costUsd ?? 0, budgetUsdPerDay, (used, limit) =>
      t('{used} of {limit} today', { used: formatUsd(used), limit: formatUsd(limit) }),
    ),
    limitUsesOf(month?.costUsd ?? 0, budgetUsdPerMonth, (used, limit) =>
      t('{used} of {limit} this month', { used: formatUsd(used), limit: formatUsd(limit) }),
    ),
    limitUsesOf(countedToday, dailyLimitOf(router), (used, limit) =>
      t('{used} of {limit} requests today', {
        used: formatCount(used),
        limit: formatCount(limit),
      }),
    ),
  ].flat()
  return uses.toSorted((a, b) => b.share - a.share)[0] ?? null
}

function limitUsesOf(
  used: number,
  limit: number | null,
  write: (used: number, limit: number) => string,
): LimitUse[] {
  if (limit === null) return []
  // A budget of 0 allows only free models.
  const share = limit === 0 ? (used > 0 ? 1 : 0) : used / limit
  return [
    {
      share,
      text: write(used, limit),
    },
  ]
}
