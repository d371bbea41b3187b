/**
 * The life of one request, for every caller: HTTP, the chat window, an agent's steps. `admit` checks
 * whether it may be served (model, needs, limits, quota). The admitted chat serves and meters it, and
 * writes its one ledger row however it ends.
 */
import { boundCall } from './admission/billed-later.ts'
import { withTiers } from './attempts/cascade-plan.ts'
import type { ChatCall, CompleteChat, Plan } from './chat-call.ts'
import type { ChatDependencies } from './chat-dependencies.ts'
import { ChatRun } from './chat-run.ts'
import type { LimitsLease } from './admission/limits.ts'
import type { QuotaState } from './admission/quota.ts'
import { meterCall } from './metering/meter-call.ts'
import { watchRequest } from './sessions/watched-request.ts'
import { planChat } from './plan.ts'

export function createCompleteChat(dependencies: ChatDependencies): CompleteChat {
  return {
    async admit(asked) {
      const startedAtMs = dependencies.now()
      const { limits, lossAccounts } = dependencies
      const call = limits.haveBudget(asked) ? boundCall(asked) : asked
      const recalling = dependencies.recallConversation?.(call)
      if (recalling) await recalling
      const opening = lossAccounts.open(call.router)
      if (opening) await opening
      const planned = withTiers(call, planChat(call, dependencies))
      countLook(call, planned, dependencies)
      const lease = limits.applyTo(call)
        ? await limits.take({ ...call, startedAtMs }, planned)
        : null
      const plan = lease?.plan ?? planned
      const { record: decision, prompt, outputLimits } = plan
      const { clock } = dependencies
      const meter = meterCall(call, { decision, prompt, outputLimits, startedAtMs, clock })
      const quota = await countRequest(call, lease, dependencies)
      lossAccounts.chosen(call.router, decision)
      const money = lease?.money ?? null
      const watch = watchRequest(call, dependencies.agents)
      return new ChatRun({ call, plan, meter, money, quota, watch }, dependencies)
    },
  }
}

function countLook(
  { router }: ChatCall,
  { ranked: [first], record }: Plan,
  { statistics }: Pick<ChatDependencies, 'statistics'>,
): void {
  if (record.look !== undefined && first) statistics.looked(first.candidate, router.id)
}

/** Counts the request against the daily limit; a refusal releases the lease. */
export function countRequest(
  call: Pick<ChatCall, 'router' | 'step'>,
  lease: LimitsLease | null,
  { quota }: Pick<ChatDependencies, 'quota'>,
): Promise<QuotaState | null> {
  if (call.step?.isCounted === true) return Promise.resolve(null)
  const counted = quota.take(call.router)
  if (lease === null) return counted
  return counted.catch((error: unknown) => {
    lease.release()
    throw error
  })
}
