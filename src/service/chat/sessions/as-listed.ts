/** The router of a safety check: whether an action may run is no question for a cheaper or a newer model. */
import type { Router } from '../../../shared/entities.ts'

/** Parts that remember something for a router know it by its object. */
const listed = new WeakMap<Router, Router>()

/** The router in the order of its list, without cached answers, cheaper models first, and samples. */
export function asListed(router: Router): Router {
  const known = listed.get(router)
  if (known !== undefined) return known
  const routing = { ...router.routing, cascade: null, shadow: null }
  const made: Router = { ...router, strategy: 'priority', routing, cacheTtlSeconds: null }
  listed.set(router, made)
  return made
}
