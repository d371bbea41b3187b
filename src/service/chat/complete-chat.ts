/**
 * The life of one request, for every caller alike: HTTP, the chat window, an agent's steps.
 * `admit` says whether it may be served (model, needs, limits, quota); what it gives serves it, meters
 * it and writes its one row into the ledger, however it ends.
 */
import { withTiers } from './cascade-plan.ts'
import type { ChatCall, CompleteChat } from './chat-call.ts'
import type { ChatDependencies } from './chat-dependencies.ts'
import { ChatRun } from './chat-run.ts'
import type { Taken } from './limits.ts'
import { Meter } from './meter.ts'
import { planChat } from './plan.ts'

export function createCompleteChat(dependencies: ChatDependencies): CompleteChat {
  return {
    async admit(call) {
      const startedAtMs = dependencies.now()
      const { limits } = dependencies
      const planned = withTiers(call, planChat(call, dependencies))
      const taken = limits.applyTo(call) ? await limits.take(call, planned) : null
      const plan = taken?.plan ?? planned
      const meter = new Meter({
        id: call.requestId,
        routerId: call.router.id,
        apiKeyId: call.apiKeyId,
        source: call.source,
        isStreamed: call.body.stream === true,
        client: call.client,
        step: call.step,
        decision: plan.record,
        startedAtMs,
        clock: dependencies.clock,
      })
      const quota = await countRequest(call, taken, dependencies)
      return {
        quota,
        cache: null,
        stream: (signal) => new ChatRun({ call, plan, meter, signal }, dependencies).stream(),
        complete: (signal) => new ChatRun({ call, plan, meter, signal }, dependencies).complete(),
      }
    },
  }
}

/** What refuses it here takes nothing else with it. */
function countRequest(call: ChatCall, taken: Taken | null, { quota }: ChatDependencies) {
  if (call.step?.isCounted === true) return null
  const counted = quota.take(call.router)
  if (taken === null) return counted
  return counted.catch((error: unknown) => {
    taken.giveBack()
    throw error
  })
}
