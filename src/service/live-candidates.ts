/** What is known of the models of each router, as candidates for its requests. */
import type { Model, Router } from '../shared/entities.ts'
import type { ParameterRules } from '../shared/model-abilities.ts'
import { gridGramsPerKwh } from './catalog/carbon.ts'
import type { Catalog } from './catalog/catalog.ts'
import { resolveModels } from './catalog/resolve-models.ts'
import type { Candidate, QualityPrior } from './routing/candidate.ts'
import type { LiveConfiguration } from './storage/live-configuration.ts'

export interface LiveCandidates {
  /** The router's models with all that is known of them, in its order. */
  modelsOf(router: Router): Model[]
  /** Those of them that can be asked: provider configured, price known. */
  candidatesOf(router: Router): Candidate[]
}

/** Worked out once per change of the configuration, not once per request. */
export function liveCandidates(catalog: Catalog, configuration: LiveConfiguration): LiveCandidates {
  let models = resolveModels(catalog, configuration.current())
  // By the router as it was read: a request that began before a change must not bring back, under
  // the router's id, what the change did away with.
  const candidates = new WeakMap<Router, Candidate[]>()
  configuration.onChange((_before, now) => {
    models = resolveModels(catalog, now)
  })
  const modelsOf = (router: Router) => router.models.flatMap((id) => models.get(id) ?? [])
  return {
    modelsOf,
    candidatesOf(router) {
      const known = candidates.get(router)
      if (known) return known
      const { providers } = configuration.current()
      const found = modelsOf(router).flatMap((model, position) =>
        toCandidate(model, position, providers.get(model.providerId)?.type === 'local'),
      )
      candidates.set(router, found)
      return found
    },
  }
}

/** A model without a price could not be billed: it is no candidate. */
function toCandidate(model: Model, position: number, isLocal: boolean): Candidate[] {
  const { inputUsdPerMtok, outputUsdPerMtok, cacheReadUsdPerMtok, cacheWriteUsdPerMtok } = model
  if (inputUsdPerMtok === null || outputUsdPerMtok === null) return []
  return [
    {
      modelId: model.id,
      providerId: model.providerId,
      position,
      price: { inputUsdPerMtok, outputUsdPerMtok, cacheReadUsdPerMtok, cacheWriteUsdPerMtok },
      priceSource: sourceOf(model.priceSource),
      contextTokens: model.contextTokens,
      maxOutputTokens: model.maxOutputTokens,
      capabilities: model.capabilities,
      parameters: unlessNone(model.parameters),
      energyWhPerKtok: model.energyWhPerKtok,
      gridGramsPerKwh: gridGramsPerKwh(model.region),
      region: model.region,
      isLocal,
      quality: qualityPrior(model.quality),
      latency: null,
    },
  ]
}

/** What a source says is worth 25 judged answers; a model nobody measured starts in the middle. */
function qualityPrior(mean: number | null): QualityPrior {
  return mean === null
    ? { mean: 0.6, strength: 5, byDomain: {}, isKnown: false }
    : { mean, strength: 25, byDomain: {}, isKnown: true }
}

function unlessNone(rules: ParameterRules): ParameterRules | null {
  return rules.refuses.length === 0 && !rules.sendsTemperature ? null : rules
}

function sourceOf(priceSource: Model['priceSource']): Candidate['priceSource'] {
  return priceSource?.kind === 'catalog'
    ? { source: priceSource.source, asOf: priceSource.asOf }
    : { source: 'user', asOf: null }
}
