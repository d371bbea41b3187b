import { useNow } from '../components/use-now.ts'
import { useFirstRequestMs } from '../stores/reports.ts'
import { rangeAt, rangeNames, type RangeName, type UsageRange } from './range.ts'
import { useAddressSearch, useSetSearch } from './search.ts'

const usualRange: RangeName = '24h'

/** The range in the address (`?range=7d`, otherwise 24 hours), and its setter. */
export function useRange(): readonly [UsageRange, (name: RangeName) => void] {
  const { range } = useAddressSearch()
  const setSearch = useSetSearch()
  const nowMs = useNow()
  const name = rangeNames.find((known) => known === range) ?? usualRange
  const firstMs = useFirstRequestMs(name === 'all')
  return [rangeAt(name, nowMs, firstMs ?? nowMs), (chosen) => setSearch({ range: chosen })]
}
