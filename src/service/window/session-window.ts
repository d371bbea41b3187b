/** Sessions of coding agents, for the window. */
import { brokenCacheOf, type BrokenCache } from '../../shared/requests/broken-cache.ts'
import type { LookedRule } from '../../shared/requests/look-only.ts'
import type { RuleProofs } from '../../shared/requests/session-proof.ts'
import { pageOf, type ShownSession } from '../../shared/requests/session-page.ts'
import { sessionOf, type SessionRow } from '../../shared/requests/session.ts'
import { proveRules } from '../wiring/prove-rules.ts'
import { lookAtRules } from '../wiring/look-at-rules.ts'
import {
  deleteSession,
  modelsOfSession,
  pinOfSession,
  pinSession,
  sessionFile,
} from '../wiring/session-actions.ts'
import type { Workspace } from '../wiring/workspace.ts'

const dayMs = 86_400_000
/** More would be one cause. */
const mostBroken = 3

export interface SessionWindow {
  list(query: { limit: number }): Promise<SessionRow[]>
  /** With so many of its steps, the newest. */
  get(query: { id: string; steps: number }): Promise<ShownSession | null>
  /** @param pin.model  null ends the pin. @throws DashboardError not_found, invalid */
  pin(pin: { id: string; model: string | null }): Promise<void>
  /** @returns JSON. @throws DashboardError not_found */
  export(id: string): Promise<string>
  /** @throws DashboardError not_found */
  delete(id: string): Promise<void>
  /** Those of the last day, newest first, each with what its session lost so far. */
  broken(): Promise<BrokenCache[]>
  /** What rules would have saved. */
  rules(): Promise<LookedRule[]>
  /** What sessions with and without rules, and steps asked of other models, say so far. */
  proofs(): Promise<RuleProofs>
}

export function openSessionWindow(
  workspace: Pick<Workspace, 'storage' | 'configuration' | 'candidatesOf' | 'now'>,
): SessionWindow {
  const { now } = workspace
  const { ledger } = workspace.storage
  const read = async (id: string) => sessionOf(await ledger.ofSession(id), now())
  return {
    list: ({ limit }) => ledger.sessions({ sinceMs: 0, limit }),
    async get({ id, steps }) {
      const session = await read(id)
      if (session === null) return null
      return {
        ...pageOf(session, steps),
        id,
        pinned: pinOfSession(session, workspace),
        pinnable: [...modelsOfSession(session, workspace)],
      }
    },
    pin: ({ id, model }) => pinSession(id, model, workspace),
    export: (id) => sessionFile(id, workspace),
    rules: () => lookAtRules(workspace),
    proofs: () => proveRules(workspace),
    delete: (id) => deleteSession(id, workspace),
    async broken() {
      const records = await ledger.brokenCaches(now() - dayMs)
      const found = records.flatMap((record) => brokenCacheOf(record) ?? [])
      const newest = new Map(found.toReversed().map((one) => [one.session, one]))
      const sessions = [...newest.values()].toSorted((a, b) => b.sinceMs - a.sinceMs)
      return await Promise.all(
        sessions.slice(0, mostBroken).map(async (one) => {
          const session = await read(one.session)
          return { ...one, lostNanoUsd: session?.lostNanoUsd ?? one.lostNanoUsd }
        }),
      )
    },
  }
}
