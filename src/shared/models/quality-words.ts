/** Quality in words: the chance of a good answer, from 0 to 100, the same wherever the window shows a quality. */
import type { ModelRating } from './model-facts.ts'
import { t } from '../strings/strings.ts'
import { qualityOfPoints } from './quality-scale.ts'

/** `82`: a quality from 0 to 1. */
export function formatQuality(quality: number): string {
  return String(Math.round(100 * Math.min(1, Math.max(0, quality))))
}

/** `8 points`, `0.5 points`: a difference of two qualities, on the same scale, to a hundredth of a point. */
export function formatQualityPoints(difference: number): string {
  const points = Math.round(1e4 * Math.abs(difference)) / 100
  return t('{count, plural, one {# point} other {# points}}', { count: points })
}

/** `82 (72–92)`, with the bounds within the scale; without bounds where they are the quality itself. */
export function formatQualityRange(quality: number, halfWidth: number): string {
  return withBounds(quality, quality - halfWidth, quality + halfWidth)
}

/** The quality of a model with this rating for an ordinary prompt, with its 95 % range where the source has one. */
export function formatRated(rating: Pick<ModelRating, 'points' | 'halfWidth'>): string {
  const { points, halfWidth } = rating
  const at = (difference: number) => qualityOfPoints(points + difference * (halfWidth ?? 0))
  return withBounds(at(0), at(-1), at(1))
}

function withBounds(quality: number, low: number, high: number): string {
  const [least, most] = [formatQuality(low), formatQuality(high)]
  const text = formatQuality(quality)
  return least === most ? text : `${text} (${least}–${most})`
}
