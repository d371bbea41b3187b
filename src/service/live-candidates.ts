/** What is known of the models of each router, as candidates for its requests. */
import type { Model, Router } from '../shared/entities.ts'
import type { ParameterRules } from '../shared/model-abilities.ts'
import { gridGramsPerKwh } from './catalog/carbon.ts'
import type { LiveCatalog } from './catalog/catalog.ts'
import { modelEnergy } from './catalog/energy.ts'
import { priceInForce, type PriceInForce } from './catalog/price-schedule.ts'
import { resolveModels } from './catalog/resolve-models.ts'
import type { Candidate, QualityPrior } from './routing/candidate.ts'
import type { LiveConfiguration } from './storage/live-configuration.ts'

export interface LiveCandidates {
  /** The router's models with all that is known of them, in its order. */
  modelsOf(router: Router): Model[]
  /** Those of them that can be asked: provider configured, price known, as it is now. */
  candidatesOf(router: Router): Candidate[]
}

interface CandidateSnapshot {
  candidates: Candidate[]
  /** Unix milliseconds from which a price may be another. */
  untilMs: number
}

/**
 * Worked out once per change of the configuration, not once per request, and anew when the hour
 * changes a price.
 * @param now  Unix milliseconds
 */
export function liveCandidates(
  catalog: LiveCatalog,
  configuration: LiveConfiguration,
  now: () => number,
): LiveCandidates {
  let models = resolveModels(catalog, configuration.current())
  // By the router as it was read: a request that began before a change must not bring back, under
  // the router's id, what the change did away with.
  let known = new WeakMap<Router, CandidateSnapshot>()
  configuration.onChange((_before, after) => {
    models = resolveModels(catalog, after)
  })
  catalog.onChange(() => {
    models = resolveModels(catalog, configuration.current())
    known = new WeakMap()
  })
  const modelsOf = (router: Router) => router.models.flatMap((id) => models.get(id) ?? [])
  return {
    modelsOf,
    candidatesOf(router) {
      const nowMs = now()
      let found = known.get(router)
      if (!found || nowMs >= found.untilMs) {
        const { providers } = configuration.current()
        const isLocal = (id: string) => providers.get(id)?.type === 'local'
        found = toCandidates(modelsOf(router), isLocal, nowMs)
        known.set(router, found)
      }
      return found.candidates
    },
  }
}

function toCandidates(
  models: readonly Model[],
  isLocal: (providerId: string) => boolean,
  nowMs: number,
): CandidateSnapshot {
  const candidates: Candidate[] = []
  let untilMs = Infinity
  for (const [position, model] of models.entries()) {
    const inForce = priceOf(model, nowMs)
    if (inForce === null) continue
    const place = { position, isLocal: isLocal(model.providerId), price: inForce.price }
    candidates.push(toCandidate(model, place))
    untilMs = Math.min(untilMs, inForce.untilMs)
  }
  return { candidates, untilMs }
}

/** @returns null for a model without a price: it could not be billed, so it is no candidate */
function priceOf(model: Model, nowMs: number): PriceInForce | null {
  const { inputUsdPerMtok, outputUsdPerMtok, cacheReadUsdPerMtok, cacheWriteUsdPerMtok } = model
  if (inputUsdPerMtok === null || outputUsdPerMtok === null) return null
  const row = { inputUsdPerMtok, outputUsdPerMtok, cacheReadUsdPerMtok, cacheWriteUsdPerMtok }
  return priceInForce({ ...row, tiers: model.priceTiers, timed: model.timedPrices }, nowMs)
}

function toCandidate(
  model: Model,
  place: Pick<Candidate, 'position' | 'isLocal' | 'price'>,
): Candidate {
  return {
    ...place,
    modelId: model.id,
    providerId: model.providerId,
    priceSource: sourceOf(model.priceSource),
    contextTokens: model.contextTokens,
    maxOutputTokens: model.maxOutputTokens,
    capabilities: model.capabilities,
    parameters: unlessNone(model.parameters),
    energy: modelEnergy(model.energyWhPerKtok, model.size),
    gridGramsPerKwh: gridGramsPerKwh(model.region),
    region: model.region,
    quality: qualityPrior(model),
    latency: model.pace,
  }
}

/** A model nobody measured starts in the middle, and moves soon. */
function qualityPrior({ quality, qualityStrength, qualityByDomain }: Model): QualityPrior {
  return quality === null
    ? { mean: 0.6, strength: 5, byDomain: {}, isKnown: false }
    : { mean: quality, strength: qualityStrength ?? 5, byDomain: qualityByDomain, isKnown: true }
}

function unlessNone(rules: ParameterRules): ParameterRules | null {
  return rules.refuses.length === 0 && !rules.sendsTemperature ? null : rules
}

function sourceOf(priceSource: Model['priceSource']): Candidate['priceSource'] {
  return priceSource?.kind === 'catalog'
    ? { source: priceSource.source, asOf: priceSource.asOf }
    : { source: 'user', asOf: null }
}
