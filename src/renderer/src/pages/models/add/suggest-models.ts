import type { Model } from '../../../../../shared/entities.ts'
import { demoModel } from '../../../../../shared/models/provider-type.ts'
import { makesEmbeddings } from '../../../../../shared/models/model-abilities.ts'

/** Most suggested models: enough for a router to choose between price and quality. */
const mostSuggested = 5

/** Whether a router can use it for chat: it has a price and does not make embeddings. */
export function isUsable(model: Model): boolean {
  return (
    model.inputUsdPerMtok !== null && model.outputUsdPerMtok !== null && !makesEmbeddings(model)
  )
}

/**
 * The ids of a few models for a first router: none of them has a cheaper and better alternative. Without ratings, the
 * first models. The demo only without any other.
 */
export function suggestModels(models: readonly Model[]): string[] {
  const real = models.filter((model) => isUsable(model) && model.id !== demoModel.id)
  const usable = real.length === 0 ? models.filter(isUsable) : real
  const rated = usable.filter(({ rating }) => rating !== null)
  const best = rated.length === 0 ? usable : paretoFront(rated)
  return spread(best, mostSuggested).map(({ id }) => id)
}

/** Cheapest first. Each is better than all that are cheaper. */
function paretoFront(models: readonly Model[]): Model[] {
  const byPrice = models.toSorted(
    (a, b) => priceOf(a) - priceOf(b) || pointsOf(b) - pointsOf(a) || a.id.localeCompare(b.id),
  )
  const front: Model[] = []
  for (const model of byPrice) {
    if (pointsOf(model) > pointsOf(front.at(-1))) front.push(model)
  }
  return front
}

/** Answers are shorter than prompts: of four tokens, three are input. */
function priceOf({ inputUsdPerMtok, outputUsdPerMtok }: Model): number {
  return (3 * (inputUsdPerMtok ?? 0) + (outputUsdPerMtok ?? 0)) / 4
}

function pointsOf(model: Model | undefined): number {
  return model?.rating?.points ?? -Infinity
}

/** The first, the last, and those at equal distances between them. */
function spread(models: readonly Model[], most: number): Model[] {
  if (models.length <= most) return [...models]
  const distance = (models.length - 1) / (most - 1)
  return Array.from({ length: most }).flatMap(
    (_, index) => models[Math.round(index * distance)] ?? [],
  )
}
