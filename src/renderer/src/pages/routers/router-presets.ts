/** What a new router begins with. */
import type { Model, RouterInput } from '../../../../shared/entities.ts'
import { makesEmbeddings } from '../../../../shared/model-abilities.ts'
import type { StrategyName } from '../../../../shared/strategies.ts'

export interface RouterPreset {
  id: string
  name: string
  strategy: StrategyName
  /** One sentence. */
  purpose: string
}

export const routerPresets: readonly RouterPreset[] = [
  {
    id: 'balanced',
    name: 'Balanced',
    strategy: 'balanced',
    purpose: 'Good answers at a fair price and speed.',
  },
  {
    id: 'cheapest',
    name: 'Cheapest',
    strategy: 'cost_optimized',
    purpose: 'The lowest cost with nearly the best answers.',
  },
  {
    id: 'fastest',
    name: 'Fastest',
    strategy: 'latency_optimized',
    purpose: 'The shortest wait with good answers.',
  },
  {
    id: 'greenest',
    name: 'Greenest',
    strategy: 'carbon_optimized',
    purpose: 'The lowest emissions with nearly the best answers.',
  },
]

/** The most models that a preset chooses. */
const mostModels = 6
const mostPerProvider = 3

interface Start {
  preset?: string | undefined
  /** Separated by commas. */
  models?: string | undefined
}

/** The settings of a new router: of a preset, with the named models or, for a preset, a choice of them. */
export function startOfNewRouter(
  { preset: id, models: named }: Start,
  available: readonly Model[],
): RouterInput {
  const preset = routerPresets.find((one) => one.id === id)
  const models = named === undefined ? (preset ? suggestedModels(available) : []) : named.split(',')
  return {
    name: preset?.name ?? '',
    strategy: preset?.strategy ?? 'cost_optimized',
    models: models.filter((model) => model !== ''),
    tier: 'pro',
  }
}

/**
 * Strong, cheap and middling models, so that every strategy has a choice: of each provider the best rated, the
 * cheapest, and the best of the cheaper half. Best first.
 */
export function suggestedModels(available: readonly Model[]): string[] {
  const priced = available.filter(
    (model) =>
      model.inputUsdPerMtok !== null && model.outputUsdPerMtok !== null && !makesEmbeddings(model),
  )
  const rated = priced.filter(({ quality }) => quality !== null)
  const byProvider = Map.groupBy(rated.length > 0 ? rated : priced, ({ providerId }) => providerId)
  return [...byProvider.values()]
    .flatMap((models) => variedModels(models))
    .toSorted((a, b) => (b.quality ?? 0) - (a.quality ?? 0))
    .slice(0, mostModels)
    .map(({ id }) => id)
}

function variedModels(models: readonly Model[]): Model[] {
  const byPrice = models.toSorted((a, b) => priceOf(a) - priceOf(b))
  const cheaperHalf = byPrice.slice(0, Math.ceil(byPrice.length / 2))
  const chosen = [bestOf(byPrice), byPrice[0], bestOf(cheaperHalf)]
  const distinct = new Set(chosen.filter((model) => model !== undefined))
  return [...distinct].slice(0, mostPerProvider)
}

/** Of equally good ones the cheaper. */
function bestOf(byPrice: readonly Model[]): Model | undefined {
  return byPrice.toSorted((a, b) => (b.quality ?? 0) - (a.quality ?? 0))[0]
}

function priceOf({ inputUsdPerMtok, outputUsdPerMtok }: Model): number {
  return (inputUsdPerMtok ?? 0) * 3 + (outputUsdPerMtok ?? 0)
}
