/** Explains recorded decisions, and replays them under another strategy. */
import { replayQuerySchema, type ReplayQuery, type ReplayReport } from '../../shared/replay.ts'
import type { ExplainedRequest } from '../../shared/request-detail.ts'
import { explainDetail } from '../chat/explain-detail.ts'
import { DashboardError } from '../dashboard/dashboard.ts'
import { parametersOf } from '../routing/parameters.ts'
import { Replay } from '../routing/replay.ts'
import type { LiveConfiguration } from '../storage/live-configuration.ts'
import type { Ledger } from '../storage/storage.ts'

/** Resolves null when the ledger has no such request. */
export async function explainRequest(
  ledger: Pick<Ledger, 'get'>,
  id: string,
): Promise<ExplainedRequest | null> {
  const found = await ledger.get(id)
  return found && { record: found.record, detail: found.detail && explainDetail(found.detail) }
}

interface ReplaySources {
  configuration: LiveConfiguration
  ledger: Pick<Ledger, 'page'>
}

const pageRows = 500
/** How many requests are replayed at most, which takes about two seconds. */
const greatestRows = 100_000

/** Reads the ledger in pages, so that it does not block requests. @throws DashboardError for an unknown router */
export async function replayRouter(
  { configuration, ledger }: ReplaySources,
  input: ReplayQuery,
): Promise<ReplayReport> {
  const { routerId, strategy, sinceMs } = replayQuerySchema.parse(input)
  const router = configuration.current().routers.get(routerId)
  if (!router) throw new DashboardError('not_found', `There is no router ${routerId}.`)
  const parameters = parametersOf({ strategy, routing: router.routing }, 0)
  const replay = new Replay({ strategy, parameters })
  let before: Parameters<Ledger['page']>[0]['before'] = null
  for (let rows = 0; rows < greatestRows; rows += pageRows) {
    const page = await ledger.page({ routerId, sinceMs, before, limit: pageRows })
    for (const row of page) replay.add(row)
    before = page.at(-1)?.record ?? null
    if (page.length < pageRows || before === null) return { ...replay.report(), isCut: false }
  }
  return { ...replay.report(), isCut: true }
}
