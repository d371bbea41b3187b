import { useMemo } from 'react'
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
  const key = JSON.stringify(rangeAt(name, nowMs, firstMs))
  // Written above. The same object as long as its bucket lasts, so that charts are not drawn again.
  const current = useMemo(() => JSON.parse(key) as UsageRange, [key])
  return [current, (chosen) => setSearch({ range: chosen })]
}
