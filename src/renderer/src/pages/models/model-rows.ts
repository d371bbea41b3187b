/** Chooses the models that the page shows, and their order. */
import type { Model } from '../../../../shared/entities.ts'
import type { ListedModel } from '../../../../shared/models/listed-model.ts'
import { abilitiesOf, type Ability } from '../../usage/model-abilities.ts'

export const sortNames = ['name', 'price', 'context', 'quality', 'energy'] as const
export type SortName = (typeof sortNames)[number]

export interface RowsWanted {
  /** Words that the id or the vendor contains, in any order. */
  search: string
  /** Id of a provider, or of a type for which the user has no provider; null for all. */
  provider: string | null
  /** All of them. */
  abilities: readonly Ability[]
  isOwnOnly: boolean
  sort: SortName
  isReversed: boolean
}

export function rowsOf(listed: readonly ListedModel[], wanted: RowsWanted): ListedModel[] {
  const words = wanted.search.toLowerCase().split(/\s+/).filter(Boolean)
  const shown = listed.filter((row) => {
    const text = `${row.model.id} ${row.typeName}`.toLowerCase()
    const own = abilitiesOf(row.model)
    return (
      words.every((word) => text.includes(word)) &&
      (wanted.provider === null || row.model.providerId === wanted.provider) &&
      wanted.abilities.every((ability) => own.includes(ability)) &&
      (row.isOwn || !wanted.isOwnOnly)
    )
  })
  return sorted(shown, wanted)
}

/** The best first: cheap, long, good, frugal. Unknown values are last in either direction. */
const bestFirst: Record<
  Exclude<SortName, 'name'>,
  { of: (row: ListedModel) => number | null; sign: 1 | -1 }
> = {
  price: { of: ({ model }) => blendedPrice(model), sign: 1 },
  context: { of: ({ model }) => model.contextTokens, sign: -1 },
  quality: { of: ({ model }) => model.rating?.points ?? null, sign: -1 },
  energy: { of: ({ energy }) => (energy.method === 'unknown' ? null : energy.mid), sign: 1 },
}

function sorted(rows: readonly ListedModel[], { sort, isReversed }: RowsWanted): ListedModel[] {
  const direction = isReversed ? -1 : 1
  if (sort === 'name') {
    return rows.toSorted((a, b) => direction * a.model.id.localeCompare(b.model.id))
  }
  const { of, sign } = bestFirst[sort]
  return rows.toSorted((a, b) => {
    const [left, right] = [of(a), of(b)]
    if (left === null || right === null) return Number(left === null) - Number(right === null)
    return direction * sign * (left - right)
  })
}

/** Direction of the values from the first row to the last. */
export function sortDirection({ sort, isReversed }: Pick<RowsWanted, 'sort' | 'isReversed'>) {
  const isAscending = sort === 'name' || bestFirst[sort].sign === 1
  return isAscending === isReversed ? 'descending' : 'ascending'
}

/** US dollars per million tokens, of which three quarters are input; null without a price. */
export function blendedPrice({ inputUsdPerMtok, outputUsdPerMtok }: Model): number | null {
  if (inputUsdPerMtok === null || outputUsdPerMtok === null) return null
  return (3 * inputUsdPerMtok + outputUsdPerMtok) / 4
}
