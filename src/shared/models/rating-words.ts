/** A model's rating in words, the same in the window and the terminal. */
import type { ModelRating } from './model-facts.ts'
import { t } from '../strings/strings.ts'

/** `1464 ± 28`: the points and half of the 95 % interval. */
export function formatPoints({ points, halfWidth }: Pick<ModelRating, 'points' | 'halfWidth'>) {
  return halfWidth === null ? String(Math.round(points)) : `${Math.round(points)} ± ${halfWidth}`
}

const basisWords: Readonly<Record<ModelRating['basis'], readonly string[]>> = {
  measured: [],
  sibling: [t('sibling')],
  user: [t('rated by you')],
}

/** `1464 ± 28 at none`, `1479 ± 76 at medium, sibling`; null for a model that no source rates. */
export function formatRating(rating: ModelRating | null): string | null {
  if (rating === null) return null
  const points = formatPoints(rating)
  const { effort, basis } = rating
  const rated =
    effort === null || basis === 'user' ? points : t('{points} at {effort}', { points, effort })
  return [rated, ...basisWords[basis]].join(', ')
}
