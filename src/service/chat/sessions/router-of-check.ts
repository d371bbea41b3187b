/** The router of a safety check: whether an action may run is no question for a cheaper or a newer model. */
import type { Router } from '../../../shared/entities.ts'
import { modelName } from '../attempts/adjust.ts'

/** Parts that remember something for a router know it by its object. */
const routersOfChecks = new WeakMap<Router, Record<'listed' | 'safety', Router>>()

/**
 * The router in the order of its list, without cached answers, cheaper models first, and samples. Its safety model alone,
 * if a person chose one and the router does not have the model that the check names.
 */
export function routerOfCheck(router: Router, namedModel: string | null | undefined): Router {
  let made = routersOfChecks.get(router)
  if (made === undefined) {
    const routing = { ...router.routing, cascade: null, shadow: null }
    const listed: Router = { ...router, strategy: 'priority', routing, cacheTtlSeconds: null }
    const { safetyModel } = routing
    const safety = safetyModel === null ? listed : { ...listed, models: [safetyModel] }
    made = { listed, safety }
    routersOfChecks.set(router, made)
  }
  const hasNamed = router.models.some((id) => id === namedModel || modelName(id) === namedModel)
  return hasNamed ? made.listed : made.safety
}

/** Whether the router's safety model is all that answers. */
export function isSafetyModelAlone({ models, routing }: Router): boolean {
  return models.length === 1 && models[0] === routing.safetyModel
}
