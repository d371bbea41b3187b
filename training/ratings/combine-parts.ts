/** Two sources' figures of one model at one effort, as one. */
import { sumOffsets } from './offsets.ts'
import type { RatingPart } from './ratings.ts'

/** The mean of the sources, each of which says something that the other does not. */
export function combine(parts: readonly RatingPart[]): RatingPart | null {
  const [first, second] = parts
  if (first === undefined) return null
  if (second === undefined)
    return { ...first, offsets: sumOffsets(parts.map(({ offsets }) => offsets)) }
  return {
    points: Math.round((first.points + second.points) / 2),
    halfWidth: Math.max(1, Math.round(Math.hypot(first.halfWidth, second.halfWidth) / 2)),
    strength: Math.max(first.strength, second.strength),
    offsets: sumOffsets(parts.map(({ offsets }) => offsets)),
    source: `${first.source}; ${second.source}`,
    asOf: first.asOf > second.asOf ? first.asOf : second.asOf,
  }
}
