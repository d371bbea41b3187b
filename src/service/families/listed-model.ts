/** The accepted values of a request's `model` with the facts that tools read, before any family's form. */
import { capabilityNames, type Capability } from '../../shared/models/model-abilities.ts'
import type { PriceRow } from '../../shared/models/price.ts'

export interface ListedModel {
  /** A value of `model`: `auto`, `<provider>:<model_name>` or `agent:<slug>`. */
  id: string
  name: string
  createdAtMs: number
  ownedBy: string
  /** Null for an agent, because its steps use models of their own. */
  facts: ModelFacts | null
}

export interface ModelFacts {
  /** Null when unknown. */
  contextTokens: number | null
  maxOutputTokens: number | null
  price: PriceRow | null
  /** What the model supports; for `auto`, what at least one model supports. */
  capabilities: readonly Capability[]
  /** What every model of `auto` supports; absent for a single model. */
  capabilitiesOfAll?: readonly Capability[]
}

/** A model that the router may choose. */
export interface EligibleModel {
  contextTokens: number | null
  maxOutputTokens: number | null
  price: PriceRow
  capabilities: readonly Capability[]
}

/**
 * What `auto` can promise. The context and the output are those of one model, so a request within both fits it. It is
 * the model with the largest context among those that take tools, because nearly all clients that read these limits
 * send tools. The price is the highest of each kind, because a lower one could be exceeded.
 */
export function factsOfAuto(models: readonly EligibleModel[]): ModelFacts {
  const [widest] = withTools(models)
    .filter(({ contextTokens }) => contextTokens !== null)
    .toSorted(byLimits)
  const has = (capability: Capability) => (model: EligibleModel) =>
    model.capabilities.includes(capability)
  return {
    contextTokens: widest?.contextTokens ?? null,
    maxOutputTokens: widest?.maxOutputTokens ?? null,
    price: highestPrice(models.map(({ price }) => price)),
    capabilities: capabilityNames.filter((name) => models.some(has(name))),
    capabilitiesOfAll:
      models.length === 0 ? [] : capabilityNames.filter((name) => models.every(has(name))),
  }
}

function withTools(models: readonly EligibleModel[]): readonly EligibleModel[] {
  const able = models.filter(({ capabilities }) => capabilities.includes('tools'))
  return able.length > 0 ? able : models
}

/** The largest context first, then the longest answer. */
function byLimits(one: EligibleModel, other: EligibleModel): number {
  const difference = (other.contextTokens ?? 0) - (one.contextTokens ?? 0)
  return difference === 0 ? (other.maxOutputTokens ?? 0) - (one.maxOutputTokens ?? 0) : difference
}

function highestPrice(prices: readonly PriceRow[]): PriceRow | null {
  if (prices.length === 0) return null
  const highest = (read: (price: PriceRow) => number) => Math.max(...prices.map(read))
  return {
    inputUsdPerMtok: highest(({ inputUsdPerMtok }) => inputUsdPerMtok),
    outputUsdPerMtok: highest(({ outputUsdPerMtok }) => outputUsdPerMtok),
    // Without a price of their own, cached tokens cost as much as input.
    cacheReadUsdPerMtok: highest((price) => price.cacheReadUsdPerMtok ?? price.inputUsdPerMtok),
    cacheWriteUsdPerMtok: highest((price) => price.cacheWriteUsdPerMtok ?? price.inputUsdPerMtok),
  }
}
