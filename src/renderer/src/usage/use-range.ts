import { useMemo } from 'react'
import { useNow } from '../components/use-now.ts'
import { useFirstRequestMs } from '../stores/reports.ts'
import { rangeAt, rangeBetween, rangeNames, type RangeName, type UsageRange } from './range.ts'
import { filterOfSearch } from './request-links.ts'
import { useAddressSearch, useSetSearch } from './search.ts'

/**
 * The range in the address (`?range=7d`, or the exact times `?fromMs=…&toMs=…`), and its setter.
 * @param usual  without a range in the address
 */
export function useRange(
  usual: RangeName = '24h',
): readonly [UsageRange, (name: RangeName) => void] {
  const search = useAddressSearch()
  const setSearch = useSetSearch()
  const nowMs = useNow()
  const { fromMs, toMs } = filterOfSearch(search)
  const isExact = fromMs !== undefined || toMs !== undefined
  const name = isExact ? 'all' : (rangeNames.find((known) => known === search['range']) ?? usual)
  const firstMs = useFirstRequestMs(name === 'all')
  const all = rangeAt(name, nowMs, firstMs)
  const endMs = toMs ?? all.toMs
  // A chosen end may be before the first request.
  const startMs = fromMs ?? Math.min(all.fromMs, endMs - all.bucketMs)
  const key = JSON.stringify(isExact ? rangeBetween(startMs, endMs) : all)
  // Written above. The same object as long as its bucket lasts, so that charts are not drawn again.
  const current = useMemo(() => JSON.parse(key) as UsageRange, [key])
  return [current, (range) => setSearch({ range, fromMs: undefined, toMs: undefined })]
}
