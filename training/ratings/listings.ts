/** Finds the rows of a source that rate a model, with the reasoning effort of each. */
import { reasoningEfforts, type ReasoningEffort } from '../../src/shared/models/model-facts.ts'
import { readSourceName } from './effort-names.ts'
import { ratedModels, type RatedModel } from './rated-models.ts'

export interface Listing<Row> {
  effort: ReasoningEffort | null
  row: Row
}

const knownNames = new Set(Object.values(ratedModels).flatMap(({ names }) => names))

/** The rows of a source by base name, and the effort that each name states. */
export interface SourceIndex<Row> {
  listingsOf(model: Pick<RatedModel, 'names' | 'defaultEffort'>): Listing<Row>[]
  /** Every row whose name states an effort, or that is the only one of its model. */
  all: ReadonlyMap<string, readonly Listing<Row>[]>
}

export function indexSource<Row>(rows: ReadonlyMap<string, Row>): SourceIndex<Row> {
  const all = new Map<string, Listing<Row>[]>()
  for (const [name, row] of rows) {
    const { base, effort } = readSourceName(name, knownNames)
    all.set(base, [...(all.get(base) ?? []), { effort, row }])
  }
  return {
    all,
    listingsOf({ names, defaultEffort }) {
      const found = new Map<ReasoningEffort | null, Listing<Row>>()
      for (const name of names) {
        for (const { effort, row } of withEfforts(all.get(name) ?? [], defaultEffort)) {
          if (!found.has(effort)) found.set(effort, { effort, row })
        }
      }
      return [...found.values()]
    },
  }
}

/**
 * A name without an effort is the provider's default. Where the source lists the same model with thinking
 * too, it is the model without.
 */
function withEfforts<Row>(
  listings: readonly Listing<Row>[],
  defaultEffort: ReasoningEffort | null,
): Listing<Row>[] {
  if (defaultEffort === null) {
    return listings.filter(({ effort }) => effort === null || effort === 'none').map(plainly)
  }
  const stated = new Set(listings.flatMap(({ effort }) => effort ?? []))
  const bare = stated.has(defaultEffort) && !stated.has('none') ? 'none' : defaultEffort
  return listings.map(({ effort, row }) => ({ effort: effort ?? bare, row }))
}

function plainly<Row>({ row }: Listing<Row>): Listing<Row> {
  return { effort: null, row }
}

/** The number of steps between two efforts; infinite where only one of them can be chosen. */
export function distance(a: ReasoningEffort | null, b: ReasoningEffort | null): number {
  if (a === b) return 0
  if (a === null || b === null) return Infinity
  return Math.abs(reasoningEfforts.indexOf(a) - reasoningEfforts.indexOf(b))
}

/** The listing at that effort, or at the nearest one; null for no listing. */
export function nearest<Row>(
  listings: readonly Listing<Row>[],
  effort: ReasoningEffort | null,
): Listing<Row> | null {
  const sorted = listings.toSorted(
    (a, b) => distance(a.effort, effort) - distance(b.effort, effort),
  )
  return sorted[0] ?? null
}
