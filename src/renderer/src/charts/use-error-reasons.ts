import { useEffect, useState } from 'react'
import type { RequestFilter } from '../../../shared/requests/search.ts'
import { call } from '../stores/client.ts'
import { mostErrorsRead, reasonsText } from './error-reasons.ts'

/** The most frequent reasons of errors; null while unknown. Read again when the number of errors changes. */
export function useErrorReasons(filter: RequestFilter, errors: number): string | null {
  const [text, setText] = useState<string | null>(null)
  const key = JSON.stringify({ ...filter, end: 'error' })
  useEffect(() => {
    let isWanted = errors > 0
    if (!isWanted) return
    // Written above.
    const wanted = JSON.parse(key) as RequestFilter
    // With the exact number, the search ends at the oldest error instead of the start of the range.
    call('requests:search', { filter: wanted, limit: Math.min(errors, mostErrorsRead) })
      .then((found) => isWanted && setText(reasonsText(found, errors)))
      // The chart is complete without them.
      .catch(() => isWanted && setText(null))
    return () => void (isWanted = false)
  }, [key, errors])
  return errors > 0 ? text : null
}
