import { useAddressSearch, useSetSearch } from '../../usage/search.ts'
import { abilities, type Ability } from '../../usage/model-abilities.ts'
import { sortNames, type RowsWanted, type SortName } from './model-rows.ts'

interface ModelFilter {
  wanted: RowsWanted
  /** The model in the detail pane. */
  openId: string | null
  setSearch: ReturnType<typeof useSetSearch>
}

/** The page's state, which is all in the address. */
export function useModelFilter(): ModelFilter {
  const address = useAddressSearch()
  const setSearch = useSetSearch()
  return {
    wanted: {
      search: address['q'] ?? '',
      provider: address['provider'] ?? null,
      abilities: (address['can'] ?? '').split(',').filter(isAbility),
      isOwnOnly: address['own'] === 'true',
      sort: sortNames.find((name) => name === address['sort']) ?? 'quality',
      isReversed: address['reversed'] === 'true',
    },
    openId: address['model'] ?? null,
    setSearch,
  }
}

function isAbility(name: string): name is Ability {
  return abilities.some((known) => known === name)
}

/** A second click on a column reverses it. */
export function sortSearch({ sort, isReversed }: RowsWanted, chosen: SortName) {
  return { sort: chosen, reversed: sort === chosen && !isReversed ? 'true' : undefined }
}
