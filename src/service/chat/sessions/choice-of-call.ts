import { strategyProfiles } from '../../../shared/routers/strategies.ts'
import type { EstimatedCandidate, RoutingContext } from '../../routing/candidate.ts'
import type { ChatCall } from '../chat-call.ts'
import type { ChatDependencies } from '../chat-dependencies.ts'
import { awaitsToolResult } from '../learning/conversation-memory.ts'
import { isStep } from './asker.ts'
import { whyForbidden } from './change-contract.ts'
import { chooseForSession, type SessionChoice } from './session-choice.ts'

interface ChoiceParts {
  ranked: readonly EstimatedCandidate[]
  context: RoutingContext
  dependencies: Pick<ChatDependencies, 'agents' | 'formOf'>
}

/** What the rules of sessions say; null for requests that are no step of a coding agent's session. */
export function choiceOfCall(
  call: ChatCall,
  { ranked, context, dependencies }: ChoiceParts,
): SessionChoice | null {
  const { asker, router, body } = call
  if (asker === undefined || asker.client === null || asker.session === null) return null
  if (!isStep(asker) || ranked.every(({ model }) => model === ranked[0]?.model)) return null
  const { sticky, escalateWhenStuck, checkCommand, stepDown, experiments } = router.routing
  const { gates } = dependencies.agents
  const key = call.apiKeyId ?? ''
  const gate = (home: string, cheap: string) => gates.stepsForOne({ key, home, cheap })
  const keepsWarm = sticky && !strategyProfiles[router.strategy].keepsListOrder
  const awaitsResult = awaitsToolResult(body)
  return chooseForSession({
    kind: asker.kind,
    ranked,
    context,
    awaitsResult,
    rules: {
      keepsWarm,
      escalateWhenStuck,
      checkCommand,
      stepDown,
      gate: experiments.gate ? gate : null,
    },
    state: dependencies.agents.stateFor(call),
    whyForbidden: (to) =>
      whyForbidden(call, {
        modelId: to.modelId,
        form: dependencies.formOf(to),
        isInTurn: awaitsResult,
      }),
  })
}
