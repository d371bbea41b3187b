/** The reasoning efforts at which one source rates a model: up to three of them, each with its own rating. */
import type { ReasoningEffort } from '../../../shared/model-facts.ts'
import { pointsOn } from './lines.ts'
import { nearest } from './listings.ts'
import { offsetsOf, sumOffsets, type Offsets } from './offsets.ts'
import type { PublicRating, RatedEffort } from './ratings.ts'
import { arenaSource, liveBenchSource, type Subject, type Tables } from './source-parts.ts'
import { ratioAt } from './verbosity.ts'

interface Rated {
  effort: ReasoningEffort
  points: number
  offsets: Offsets
}

interface RatedEfforts {
  efforts: Rated[]
  source: string
  asOf: string
}

/** One of each group; of a group, the default effort comes first, then in this order. */
const groups: readonly (readonly ReasoningEffort[])[] = [
  ['none', 'minimal', 'low'],
  ['medium'],
  ['high', 'xhigh', 'max'],
]

/**
 * From the source that rates the default effort and the most others. Relative to the model's rating, which rests on
 * more than this one source.
 */
export function effortsOf(subject: Subject, rating: PublicRating, tables: Tables): RatedEffort[] {
  const { defaultEffort } = subject
  if (defaultEffort === null) return []
  const sources = [...liveBenchEfforts(subject, tables), ...arenaEfforts(subject, tables)]
  const most = sources
    .filter(({ efforts }) => efforts.some(({ effort }) => effort === defaultEffort))
    .toSorted((a, b) => b.efforts.length - a.efforts.length)[0]
  const chosen = most ? chooseThree(most.efforts, defaultEffort) : []
  const base = chosen.find(({ effort }) => effort === defaultEffort)
  if (most === undefined || base === undefined || chosen.length < 2) return []
  return chosen.map(({ effort, points, offsets }) => ({
    effort,
    points: Math.round(rating.points + points - base.points),
    halfWidth: rating.halfWidth,
    strength: rating.strength,
    offsets: sumOffsets([offsets]),
    outputRatio: outputRatioAt(subject, effort, tables),
    source: most.source,
    asOf: most.asOf,
  }))
}

function liveBenchEfforts(subject: Subject, { releases }: Tables): RatedEfforts[] {
  return releases.map(({ line, index, residuals }) => ({
    efforts: index.listingsOf(subject).flatMap(({ effort, row }) =>
      effort === null
        ? []
        : [
            {
              effort,
              points: pointsOn(line, row),
              offsets: offsetsOf(residuals.get(row) ?? null, null),
            },
          ],
    ),
    source: liveBenchSource(line.release),
    asOf: line.release,
  }))
}

function arenaEfforts(subject: Subject, { arena }: Tables): RatedEfforts[] {
  if (arena === null) return []
  const { asOf, index, residuals } = arena
  const efforts = index.listingsOf(subject).flatMap(({ effort, row }) => {
    const offsets = offsetsOf(null, residuals.get(row) ?? null)
    return effort === null ? [] : [{ effort, points: row.points, offsets }]
  })
  return [{ efforts, source: arenaSource(asOf), asOf }]
}

function chooseThree(rated: readonly Rated[], defaultEffort: ReasoningEffort): Rated[] {
  return groups.flatMap((group) => {
    const order = group.includes(defaultEffort) ? [defaultEffort, ...group] : group
    for (const effort of order) {
      const found = rated.find((one) => one.effort === effort)
      if (found) return [found]
    }
    return []
  })
}

/** By the tokens of the nearest effort that was counted, otherwise those of a usual model. */
export function outputRatioAt(
  subject: Subject,
  effort: ReasoningEffort | null,
  { releases, usualRatio }: Pick<Tables, 'releases' | 'usualRatio'>,
): number {
  for (const { ratios } of releases) {
    const counted = nearest(ratios.listingsOf(subject), effort)
    if (counted) return ratioAt({ ratio: counted.row, effort: counted.effort }, effort)
  }
  return ratioAt({ ratio: usualRatio, effort: 'xhigh' }, effort)
}
