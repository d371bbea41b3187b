/** The reasoning efforts at which one source rates a model: up to three of them, each with its own rating. */
import type { ReasoningEffort } from '../../src/shared/models/model-facts.ts'
import { combine } from './combine-parts.ts'
import { nearest } from './listings.ts'
import type { RatedEffort } from './ratings.ts'
import { partsOf, type Subject, type Tables } from './source-parts.ts'
import { ratioAt } from './verbosity.ts'

/** One of each group; of a group, the default effort comes first, then in this order. */
const groups: readonly (readonly ReasoningEffort[])[] = [
  ['none', 'minimal', 'low'],
  ['medium'],
  ['high', 'xhigh', 'max'],
]

/** Efforts rated by the source that rates the default effort and the most others, if it rates any other. */
export function effortsOf(subject: Subject, tables: Tables): RatedEffort[] {
  const { defaultEffort } = subject
  if (defaultEffort === null) return []
  const [most = []] = sourcesOf(subject, tables)
    .filter((efforts) => efforts.includes(defaultEffort))
    .map((efforts) => chooseThree(efforts, defaultEffort))
    .toSorted((a, b) => b.length - a.length)
  if (most.length < 2) return []
  return most.flatMap((effort) => {
    const rated = { ...subject, effort }
    const combined = combine(partsOf(rated, tables))
    return combined ? [{ effort, ...combined, outputRatio: outputRatioAt(rated, tables) }] : []
  })
}

/** The efforts in each release of LiveBench, and on LMArena. */
function sourcesOf(subject: Subject, { arena, releases }: Tables): ReasoningEffort[][] {
  const sources = [...releases.map(({ index }) => index), arena.index]
  return sources.map((index) =>
    index.listingsOf(subject).flatMap(({ effort }): ReasoningEffort[] => (effort ? [effort] : [])),
  )
}

function chooseThree(
  rated: readonly ReasoningEffort[],
  defaultEffort: ReasoningEffort,
): ReasoningEffort[] {
  return groups.flatMap((group) => {
    const order = group.includes(defaultEffort) ? [defaultEffort, ...group] : group
    return order.find((effort) => rated.includes(effort)) ?? []
  })
}

/** Ratio by the tokens of the nearest effort that was counted, otherwise that of a usual model. */
export function outputRatioAt(
  subject: Subject,
  { releases, usualRatio }: Pick<Tables, 'releases' | 'usualRatio'>,
): number {
  const { effort } = subject
  for (const { ratios } of releases) {
    const counted = nearest(ratios.listingsOf(subject), effort)
    if (counted) return ratioAt({ ratio: counted.row, effort: counted.effort }, effort)
  }
  return ratioAt({ ratio: usualRatio, effort: 'xhigh' }, effort)
}
