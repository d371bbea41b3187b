/** The models of each router, with everything known about them, as candidates for its requests. */
import type { Model, Router } from '../../shared/entities.ts'
import type { EffortRating } from '../../shared/models/model-facts.ts'
import type { ParameterRules } from '../../shared/models/model-abilities.ts'
import { topicNames } from '../../shared/routers/topics.ts'
import { gridGramsPerKwh } from '../catalog/carbon.ts'
import type { LiveCatalog } from '../catalog/catalog.ts'
import { modelEnergy } from '../catalog/energy.ts'
import { priceInForce, scheduleOf, type PriceInForce } from '../catalog/price-schedule.ts'
import { resolveModels } from '../catalog/resolve-models.ts'
import { catalogTypeOf } from '../catalog/whose-models.ts'
import {
  capabilitiesLost,
  runsOnThisComputer,
  takesReasoningEffort,
} from '../provider-types/provider-types.ts'
import { unratedQuality } from '../routing/unrated-quality.ts'
import type { Candidate, QualityPrior } from '../routing/candidate.ts'
import type { ConfigurationIndex, LiveConfiguration } from '../storage/live-configuration.ts'

export interface LiveCandidates {
  /** The router's models with everything known about them, in its order. */
  modelsOf(router: Router): Model[]
  /** Candidates that can be used now: the provider is configured and the price is known. */
  candidatesOf(router: Router): Candidate[]
}

interface CandidateSnapshot {
  candidates: Candidate[]
  /** Unix milliseconds at which a price may change. */
  untilMs: number
}

/**
 * Computed once per configuration change, not per request, and again when a timed price changes.
 * @param now  Unix milliseconds
 */
export function liveCandidates(
  catalog: LiveCatalog,
  configuration: LiveConfiguration,
  now: () => number,
): LiveCandidates {
  let models = resolveModels(catalog, configuration.current(), capabilitiesLost)
  // Keyed by the router object: a request that started before a change must not restore, under
  // the router's id, what the change removed.
  let known = new WeakMap<Router, CandidateSnapshot>()
  configuration.onChange((_before, after) => {
    models = resolveModels(catalog, after, capabilitiesLost)
  })
  catalog.onChange(() => {
    models = resolveModels(catalog, configuration.current(), capabilitiesLost)
    known = new WeakMap()
  })
  const modelsOf = (router: Router) => {
    const replacements = replacementsOf(catalog, configuration.current().providers)
    const inForce = new Set(router.models.map((id) => replacements.get(id) ?? id))
    return [...inForce].flatMap((id) => models.get(id) ?? [])
  }
  return {
    modelsOf,
    candidatesOf(router) {
      const nowMs = now()
      let found = known.get(router)
      if (!found || nowMs >= found.untilMs) {
        const { providers } = configuration.current()
        found = toCandidates(modelsOf(router), providers, nowMs)
        nameReplaced(found.candidates, replacementsOf(catalog, providers))
        known.set(router, found)
      }
      return found.candidates
    },
  }
}

/** Ids of replaced models, each with the id of its replacement. */
function replacementsOf(
  catalog: LiveCatalog,
  providers: ReadonlyMap<string, { id: string; type: string }>,
): Map<string, string> {
  const ids = new Map<string, string>()
  const replacement = catalog.replacement()
  if (replacement === null) return ids
  const { type: replacedType, name: replacedName } = splitId(replacement.replacedId)
  const { name } = splitId(replacement.model.id)
  for (const { id, type } of providers.values()) {
    if (type === replacedType) ids.set(`${id}:${replacedName}`, `${id}:${name}`)
  }
  return ids
}

function splitId(id: string): { type: string; name: string } {
  const colon = id.indexOf(':')
  return { type: id.slice(0, colon), name: id.slice(colon + 1) }
}

function nameReplaced(
  candidates: readonly Candidate[],
  replacements: ReadonlyMap<string, string>,
): void {
  for (const [replacedId, id] of replacements) {
    const candidate = candidates.find(({ modelId }) => modelId === id)
    if (candidate) candidate.replacedId = replacedId
  }
}

function toCandidates(
  models: readonly Model[],
  providers: ConfigurationIndex['providers'],
  nowMs: number,
): CandidateSnapshot {
  const candidates: Candidate[] = []
  let untilMs = Infinity
  for (const [position, model] of models.entries()) {
    const inForce = priceOf(model, nowMs)
    if (inForce === null) continue
    const provider = providers.get(model.providerId)
    const isLocal = provider !== undefined && runsOnThisComputer(provider)
    const place = { position, isLocal, price: inForce.price }
    const candidate = toCandidate(model, place)
    candidates.push(
      takesReasoningEffort(provider && catalogTypeOf(provider))
        ? withEfforts(candidate, model)
        : candidate,
    )
    untilMs = Math.min(untilMs, inForce.untilMs)
  }
  return { candidates, untilMs }
}

/** @returns null for a model without a price: it could not be billed, so it is not a candidate */
function priceOf(model: Model, nowMs: number): PriceInForce | null {
  const schedule = scheduleOf(model)
  return schedule && priceInForce(schedule, nowMs)
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
    embedding: model.embedding ?? null,
    maxOutputTokens: model.maxOutputTokens,
    capabilities: model.capabilities,
    parameters: unlessNone(model.parameters),
    energy: modelEnergy(model.energyWhPerKtok, model.size),
    gridGramsPerKwh: gridGramsPerKwh(model.region),
    region: model.region,
    quality: model.rating === null ? unratedQuality(place.price) : ratedQuality(model.rating),
    speed: model.speed,
    outputRatio: model.rating?.outputRatio ?? 1,
    timedOutputRatio: model.rating?.outputRatio ?? 1,
    effort: null,
    otherEfforts: [],
  }
}

/** The candidate with its other rated efforts; the candidate itself stands for the provider's default. */
function withEfforts(candidate: Candidate, { rating, efforts }: Model): Candidate {
  const others = efforts.filter(({ effort }) => effort !== rating?.effort)
  if (others.length === 0) return candidate
  const otherEfforts = others.map((one) => ({
    ...candidate,
    quality: ratedQuality(one),
    outputRatio: one.outputRatio,
    effort: one.effort,
  }))
  return { ...candidate, otherEfforts }
}

/** The rated quality, without offsets when all are zero, which costs less in each decision. */
function ratedQuality({
  points,
  strength,
  offsets,
}: Pick<EffortRating, 'points' | 'strength' | 'offsets'>): QualityPrior {
  const byTopic = topicNames.map((topic) => offsets[topic] ?? 0)
  const isFlat = byTopic.every((offset) => offset === 0)
  return { points, strength, offsets: isFlat ? null : byTopic, basis: 'rated' }
}

function unlessNone(rules: ParameterRules): ParameterRules | null {
  return rules.refuses.length === 0 && !rules.sendsTemperature ? null : rules
}

function sourceOf(priceSource: Model['priceSource']): Candidate['priceSource'] {
  return priceSource?.kind === 'catalog'
    ? { source: priceSource.source, asOf: priceSource.asOf }
    : { source: 'user', asOf: null }
}
