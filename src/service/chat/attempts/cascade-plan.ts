/** Selects the tiers of a router's cascade that can be used for a request; the others are skipped, with the reason. */
import type { TierRecord } from '../../../shared/requests/detail.ts'
import { whyNotApplicable } from '../../routing/acceptance.ts'
import type { Candidate } from '../../routing/candidate.ts'
import type { ChatCall, Plan, PlannedTier } from '../chat-call.ts'
import { awaitsToolResult } from '../learning/conversation-memory.ts'

type TierToPlan = Pick<TierRecord, 'models' | 'accept'>
type Call = Pick<ChatCall, 'router' | 'body'>

/**
 * A session's gate asks one model first. The cascade is left out where the model is fixed: the request names it, it is pinned to the session, or its tool result
 * is pending.
 * @returns the same plan object when the router has no cascade for the request
 */
export function withTiers({ router, body }: Call, plan: Plan): Plan {
  const { cascade } = router.routing
  const { change } = plan.record
  if (change?.rule === 'gate' && change.first !== undefined) {
    return withPlanned([{ models: [change.first], accept: 'reads_only' }], plan, body)
  }
  const isChosen = plan.record.strategy === 'pinned' || plan.record.kept === 'session'
  if (cascade === null || isChosen || awaitsToolResult(body)) return plan
  return withPlanned(cascade.tiers, plan, body)
}

function withPlanned(tiers: readonly TierToPlan[], plan: Plan, body: Call['body']): Plan {
  const candidates = new Map<string, Candidate>()
  for (const { model, candidate } of plan.ranked) {
    candidates.set(model, candidate)
    if (candidate.replacedId !== undefined) candidates.set(candidate.replacedId, candidate)
  }
  const planned = tiers.map((tier) => planTier(tier, body, candidates))
  return {
    ...plan,
    tiers: planned.filter(({ record }) => record.outcome !== 'passed_over'),
    record: { ...plan.record, cascade: planned.map(({ record }) => record) },
  }
}

function planTier(
  { models, accept }: TierToPlan,
  body: Call['body'],
  candidates: ReadonlyMap<string, Candidate>,
): PlannedTier {
  const missing = models.filter((model) => !candidates.has(model))
  const reason =
    missing.length > 0
      ? `${missing.join(' and ')} cannot take the request`
      : whyNotApplicable(accept, body)
  const outcome: TierRecord['outcome'] = reason === null ? 'not_reached' : 'passed_over'
  return {
    candidates: models.flatMap((model) => candidates.get(model) ?? []),
    accept,
    record: { models, accept, outcome, reason },
  }
}
