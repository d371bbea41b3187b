/** Half of a router's sessions without its rules for sessions, so that both halves can be compared. */
import { createHash } from 'node:crypto'
import type { Router } from '../../../shared/entities.ts'
import type { ChatCall } from '../chat-call.ts'

/** Parts that remember something for a router know it by its object. */
const plainRouters = new WeakMap<Router, Router>()

/** The call with the side of its session, and without the rules where the session has none. */
export function splitCall(call: ChatCall): ChatCall {
  const { asker, router } = call
  if (!router.routing.split || asker === undefined || asker.client === null) return call
  if (asker.session === null) return call
  const arm = drawOf('split', router.id, asker.session) < 0.5 ? 'rules' : 'plain'
  return { ...call, arm, router: arm === 'rules' ? router : plainRouter(router) }
}

function plainRouter(router: Router): Router {
  const known = plainRouters.get(router)
  if (known !== undefined) return known
  const none = {
    subagents: null,
    escalateWhenStuck: false,
    checkCommand: null,
    stepDown: false,
    experiments: { gate: false },
  }
  const plain = { ...router, routing: { ...router.routing, ...none } }
  plainRouters.set(router, plain)
  return plain
}

/** A number from 0 to below 1 that is the same for the session's whole life, also after a restart and at other nodes. */
export function drawOf(purpose: 'split' | 'shadow', routerId: string, session: string): number {
  const digest = createHash('sha256').update(`${purpose}\n${routerId}\n${session}`).digest()
  return digest.readUIntBE(0, 6) / 2 ** 48
}
