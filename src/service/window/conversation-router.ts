/** The router of a conversation that prefers cheaper or better models, or has a limit of its own. */
import type { Instructions, Preference } from '../../shared/chat/conversations.ts'
import type { Router } from '../../shared/entities.ts'
import { strategyProfiles } from '../../shared/routers/strategies.ts'
import { formatUsd } from '../../shared/strings/format.ts'
import { DashboardError } from '../dashboard/dashboard.ts'

/** How far below the best model's expected quality a cheaper one may be. */
const tolerances: Readonly<Record<Preference, number>> = {
  cheapest: 0.5,
  cheaper: 0.15,
  better: 0.02,
  best: 0,
}

/**
 * @param spentUsd  what the conversation has cost so far
 * @throws DashboardError conflict when its limit is used up
 */
export function conversationRouter(
  router: Router,
  { preference, limitUsd }: Instructions['parameters'],
  spentUsd: number,
): Router {
  const preferring = preference === undefined ? router : withPreference(router, preference)
  return limitUsd === undefined ? preferring : withinLimit(preferring, limitUsd, spentUsd)
}

function withPreference(router: Router, preference: Preference): Router {
  const { learnsFromFeedback } = strategyProfiles[router.strategy]
  const qualityTolerance = tolerances[preference]
  return {
    ...router,
    strategy: learnsFromFeedback ? router.strategy : 'cost_optimized',
    // A cascade asks a cheap model first, whatever the preference.
    routing: { ...router.routing, qualityTolerance, limitEachPrompt: false, cascade: null },
  }
}

/** One more answer may cost what is left. */
function withinLimit(router: Router, limitUsd: number, spentUsd: number): Router {
  const leftUsd = limitUsd - spentUsd
  if (leftUsd <= 0) {
    throw new DashboardError(
      'conflict',
      `This conversation has cost ${formatUsd(spentUsd)}, and its limit is ${formatUsd(limitUsd)}. Raise the limit in its instructions.`,
    )
  }
  const most = router.routing.maxCostUsdPerRequest ?? leftUsd
  const maxCostUsdPerRequest = Math.min(most, leftUsd)
  return { ...router, routing: { ...router.routing, maxCostUsdPerRequest } }
}
