/** Explains recorded decisions, and replays them under other settings. */
import {
  draftReplayQuerySchema,
  mostReplayedRequests,
  replayQuerySchema,
  type DraftReplayQuery,
  type ReplayQuery,
  type ReplayReport,
} from '../../shared/routers/replay.ts'
import type { Router } from '../../shared/entities.ts'
import type { ExplainedRequest } from '../../shared/requests/detail.ts'
import { explainDetail } from '../chat/explain-detail.ts'
import type { ModelStatistics } from '../chat/learning/model-statistics.ts'
import { DashboardError } from '../dashboard/dashboard.ts'
import type { Candidate } from '../routing/candidate.ts'
import { contendersUnder } from '../routing/draft-contenders.ts'
import { parametersOf, policyOf } from '../routing/parameters.ts'
import { Replay } from '../routing/replay.ts'
import type { LiveConfiguration } from '../storage/live-configuration.ts'
import type { McpStore } from '../storage/mcp-store.ts'
import type { Ledger } from '../storage/storage.ts'

/** Resolves null when the ledger has no such request. */
export async function explainRequest(
  { ledger, mcp }: { ledger: Pick<Ledger, 'get'>; mcp: Pick<McpStore, 'callsOf'> },
  id: string,
): Promise<ExplainedRequest | null> {
  const found = await ledger.get(id)
  if (found === null) return null
  const { record } = found
  // Only conversations of the window call tools.
  const toolCalls = record.source === 'chat' ? await mcp.callsOf(id) : []
  return { record, detail: explainDetail(found.detail), toolCalls }
}

interface ReplaySources {
  configuration: LiveConfiguration
  ledger: Pick<Ledger, 'page'>
}

const pageRows = 500

/** @throws DashboardError for an unknown router */
export async function replayRouter(
  { configuration, ledger }: ReplaySources,
  input: ReplayQuery,
): Promise<ReplayReport> {
  const { routerId, strategy, sinceMs } = replayQuerySchema.parse(input)
  const { routing } = routerOf(configuration, routerId)
  const replay = new Replay({ strategy, parameters: parametersOf({ strategy, routing }) })
  return replayRows(replay, ledger, { routerId, sinceMs, limit: mostReplayedRequests })
}

interface DraftReplaySources extends ReplaySources {
  candidatesOf(router: Router): Candidate[]
  knowledgeOf: ModelStatistics['knowledgeOf']
}

/** @throws DashboardError for an unknown router */
export async function replayDraft(
  { configuration, ledger, candidatesOf, knowledgeOf }: DraftReplaySources,
  input: DraftReplayQuery,
): Promise<ReplayReport> {
  const { routerId, draft, sinceMs, limit } = draftReplayQuerySchema.parse(input)
  const router = { ...routerOf(configuration, routerId), ...draft }
  const policy = policyOf(router)
  const underDraft = {
    candidates: candidatesOf(router),
    policy,
    knowledgeOf: (candidate: Candidate, isStreamed: boolean) =>
      knowledgeOf(candidate, { routerId, isStreamed }),
  }
  const replay = new Replay({
    strategy: draft.strategy,
    parameters: policy.parameters,
    contendersOf: (decision) => contendersUnder(underDraft, decision),
    isSticky: draft.routing.sticky,
  })
  return replayRows(replay, ledger, { routerId, sinceMs, limit })
}

function routerOf(configuration: LiveConfiguration, routerId: string): Router {
  const router = configuration.current().routers.get(routerId)
  if (!router) throw new DashboardError('not_found', `There is no router ${routerId}.`)
  return router
}

interface Rows {
  routerId: string
  sinceMs: number
  limit: number
}

/** Reads the ledger in pages, so that it does not block requests. */
async function replayRows(
  replay: Replay,
  ledger: ReplaySources['ledger'],
  { routerId, sinceMs, limit }: Rows,
): Promise<ReplayReport> {
  let before: Parameters<Ledger['page']>[0]['before'] = null
  for (let left = limit; left > 0; left -= pageRows) {
    const rows = Math.min(left, pageRows)
    const page = await ledger.page({ routerId, sinceMs, before, limit: rows })
    for (const row of page) replay.add(row)
    before = page.at(-1)?.record ?? null
    if (page.length < rows || before === null) return { ...replay.report(), isCut: false }
  }
  return { ...replay.report(), isCut: true }
}
