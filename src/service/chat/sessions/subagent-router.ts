/** Where a coding agent's subagent goes, by its type, when the router says so. */
import type { Router } from '../../../shared/entities.ts'
import { otherSubagents } from '../../../shared/routers/routing-settings.ts'
import type { ChatCall } from '../chat-call.ts'

/** Parts that remember something for a router know it by its object. */
interface MadeRouter {
  /** The other router; undefined for a model. */
  of: Router | undefined
  made: Router
}
const made = new WeakMap<Router, Map<string, MadeRouter>>()

/**
 * The call with the models, strategy and routing of the router or model that its type is sent to. Limits, budgets, the
 * ledger's router and what stored texts and places are allowed stay those of the router that was called.
 */
export function routedSubagent(
  call: ChatCall,
  routers: () => ReadonlyMap<string, Router>,
): ChatCall {
  const { asker, router } = call
  const { subagents } = router.routing
  if (subagents === null || asker?.kind !== 'subagent') return call
  const target = subagents[asker.agentType ?? otherSubagents] ?? subagents[otherSubagents]
  if (target === undefined) return call
  const other = routers().get(target)
  // A router that was deleted since.
  if (other === undefined && !target.includes(':')) return call
  return { ...call, router: routerFor(router, target, other), routedTo: target }
}

function routerFor(router: Router, target: string, of: Router | undefined): Router {
  const known = made.get(router) ?? new Map<string, MadeRouter>()
  made.set(router, known)
  const before = known.get(target)
  if (before !== undefined && before.of === of) return before.made
  const next = of === undefined ? withModel(router, target) : withRouter(router, of)
  known.set(target, { of, made: next })
  return next
}

/** The model first, and the router's own in case it fails. */
function withModel(router: Router, model: string): Router {
  const models = [model, ...router.models.filter((one) => one !== model)]
  const routing = { ...router.routing, cascade: null, shadow: null, subagents: null }
  return { ...router, models, strategy: 'priority', routing }
}

function withRouter(router: Router, other: Router): Router {
  const { models, strategy, hedge, timeLimits, routing } = other
  const own = router.routing
  return {
    ...router,
    models,
    strategy,
    hedge,
    timeLimits,
    routing: {
      ...routing,
      subagents: null,
      shadow: null,
      shadowSteps: own.shadowSteps,
      isPaused: own.isPaused || routing.isPaused,
      contentDays: own.contentDays,
      pacing: own.pacing,
      localOnly: own.localOnly || routing.localOnly,
      providers: both(own.providers, routing.providers),
      regions: both(own.regions, routing.regions),
    },
  }
}

/** What both allow; null for everything. */
function both(one: string[] | null, other: string[] | null): string[] | null {
  if (one === null || other === null) return one ?? other
  return one.filter((name) => other.includes(name))
}
