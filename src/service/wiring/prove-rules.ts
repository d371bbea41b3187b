/** What a person's own sessions say about routers' rules: both halves of split sessions, and steps asked of another model. */
import {
  sameShare,
  splitFigures,
  type RuleProofs,
  type ShadowedSession,
  type ShadowProof,
} from '../../shared/requests/session-proof.ts'
import { nameOfSession } from '../../shared/requests/session.ts'
import type { StoredShadowStep } from '../storage/session-proof-store.ts'
import { accountOfSteps } from '../tuning/shadow/step-sampler.ts'
import type { Workspace } from './workspace.ts'

const comparedMs = 90 * 86_400_000
/** A session without anything for this long has ended. */
const endedAfterMs = 3_600_000

type Parts = Pick<Workspace, 'storage' | 'configuration' | 'now'>

/** For routers that split their sessions or ask for shadow steps, and those that did. */
export async function proveRules(parts: Parts): Promise<RuleProofs> {
  return { splits: await splitProofs(parts), shadows: await shadowProofs(parts) }
}

async function splitProofs({ storage, configuration, now }: Parts): Promise<RuleProofs['splits']> {
  const query = { sinceMs: now() - comparedMs, endedBeforeMs: now() - endedAfterMs }
  const sessions = await storage.sessionProofs.splitSessions(query)
  return [...configuration.current().routers.values()].flatMap(({ id, name, routing }) => {
    const own = sessions.filter(({ routerId }) => routerId === id)
    if (!routing.split && own.length === 0) return []
    return [{ routerId: id, routerName: name, ...splitFigures(own) }]
  })
}

async function shadowProofs({ storage, configuration }: Parts): Promise<ShadowProof[]> {
  const { routers } = configuration.current()
  const stored = await storage.sessionProofs.shadowSteps()
  const groups = new Map<string, StoredShadowStep[]>()
  for (const [id, { routing }] of routers) {
    if (routing.shadowSteps !== null) groups.set(`${id}\n${routing.shadowSteps.model}`, [])
  }
  for (const step of stored) {
    const key = `${step.routerId}\n${step.model}`
    groups.set(key, [...(groups.get(key) ?? []), step])
  }
  const proofs = [...groups].map(async ([key, steps]): Promise<ShadowProof[]> => {
    const [routerId = '', model = ''] = key.split('\n')
    const router = routers.get(routerId)
    if (router === undefined) return []
    const setting = router.routing.shadowSteps
    const sessions = bySession(steps)
    return [
      {
        routerId,
        routerName: router.name,
        model,
        sessions: sessions.length,
        steps: steps.length,
        spentUsd: (await storage.shadowSamples.spent(accountOfSteps(routerId, model))) / 1e9,
        capUsd: setting?.model === model ? setting.maxUsd : null,
        same: sameShare(sessions),
      },
    ]
  })
  return (await Promise.all(proofs)).flat()
}

function bySession(steps: readonly StoredShadowStep[]): ShadowedSession[] {
  const sessions = new Map<string, ShadowedSession>()
  for (const { outcome, ...of } of steps) {
    const name = nameOfSession(of)
    const before = sessions.get(name) ?? { steps: 0, same: 0 }
    const same = before.same + Number(outcome.first === outcome.second)
    sessions.set(name, { steps: before.steps + 1, same })
  }
  return [...sessions.values()]
}
