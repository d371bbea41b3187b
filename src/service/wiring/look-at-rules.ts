/**
 * What the subagents of the last 30 days would have cost on another model of their router: from the ledger alone, when a
 * person asks, and never on the way of a request. A subagent has its own prompt and cache from its first request, so its steps
 * are priced as they were read and written.
 */
import type { RequestRecord, Router } from '../../shared/entities.ts'
import { lookOnly, type LookedRule, type PricedSession } from '../../shared/requests/look-only.ts'
import { nameOfSession } from '../../shared/requests/session.ts'
import { sessionStepSchema, type SessionStep } from '../../shared/requests/session-step.ts'
import { costNanoUsd } from '../catalog/cost.ts'
import type { Candidate } from '../routing/candidate.ts'
import type { Workspace } from './workspace.ts'

const lookedMs = 30 * 86_400_000
const mostSteps = 50_000
const mostSessions = 1_000
/** Steps that a cheaper model needs for one of a stronger one; docs/sessions.md says so beside the figure. */
const stepsForOne = 1.3

interface SubagentStep {
  record: RequestRecord
  tokens: SessionStep['tokens']
}

type Parts = Pick<Workspace, 'storage' | 'configuration' | 'candidatesOf' | 'now'>

/** For each router the model that would have saved most; routers whose subagents would have saved nothing are left out. */
export async function lookAtRules(parts: Parts): Promise<LookedRule[]> {
  const { storage, configuration, now } = parts
  const query = { sinceMs: now() - lookedMs }
  const records = await storage.ledger.subagentSteps({ ...query, limit: mostSteps })
  const listed = await storage.ledger.sessions({ ...query, limit: mostSessions })
  const charged = new Map(listed.map((row) => [row.id, row.costNanoUsd]))
  const found = [...configuration.current().routers.values()].map((router) => {
    const steps = records.filter(({ routerId }) => routerId === router.id).flatMap(readStep)
    return bestRule(router, { steps, charged, candidates: parts.candidatesOf(router) })
  })
  return found.filter((rule) => rule !== null)
}

function readStep(record: RequestRecord): SubagentStep[] {
  const step = sessionStepSchema.safeParse(JSON.parse(record.sessionStep ?? 'null'))
  return step.success && record.modelUsed !== null ? [{ record, tokens: step.data.tokens }] : []
}

interface Traffic {
  steps: readonly SubagentStep[]
  /** Nano-dollars by session. */
  charged: ReadonlyMap<string, number>
  candidates: readonly Candidate[]
}

function bestRule(router: Router, { steps, charged, candidates }: Traffic): LookedRule | null {
  const rules = candidates.map((candidate) => {
    const looked = lookOnly(pricedSessions(steps, charged, candidate))
    const { id: routerId, name: routerName } = router
    return { ...looked, routerId, routerName, model: candidate.modelId }
  })
  const [best] = rules.toSorted((a, b) => b.savedNanoUsd - a.savedNanoUsd)
  return best !== undefined && best.savedNanoUsd > 0 ? best : null
}

/** The sessions with subagents, as charged and with those on the candidate. */
function pricedSessions(
  steps: readonly SubagentStep[],
  charged: ReadonlyMap<string, number>,
  candidate: Candidate,
): PricedSession[] {
  const saved = new Map<string, number>()
  for (const { record, tokens } of steps) {
    const { sessionId, apiKeyId } = record
    const full = nameOfSession({ sessionId: sessionId ?? '', apiKeyId })
    const name = charged.has(full) ? full : (sessionId ?? '')
    saved.set(name, (saved.get(name) ?? 0) + savedBy(candidate, record, tokens))
  }
  return [...saved].flatMap(([name, savedNanoUsd]) => {
    const chargedNanoUsd = charged.get(name)
    if (chargedNanoUsd === undefined || savedNanoUsd === 0) return []
    return [{ chargedNanoUsd, ruleNanoUsd: chargedNanoUsd - savedNanoUsd }]
  })
}

function savedBy(
  { modelId, price }: Candidate,
  { modelUsed, costNanoUsd: charged }: RequestRecord,
  { read, written, uncached, output }: SessionStep['tokens'],
): number {
  if (modelUsed === modelId) return 0
  const tokens = {
    cacheReadTokens: read,
    cacheWriteTokens: written,
    inputTokens: uncached,
    outputTokens: output,
  }
  return charged - stepsForOne * costNanoUsd(price, tokens)
}
