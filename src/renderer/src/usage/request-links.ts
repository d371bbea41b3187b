/** Links to the list of Activity: its filter in the address, under the names of `RequestFilter`. */
import { requestFilterSchema, type RequestFilter } from '../../../shared/requests/search.ts'

/** The filter as search parameters: `/activity?model=openai:gpt-5.4&end=failed`. */
export function searchOfFilter(filter: Partial<RequestFilter>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(filter)
      .filter(([, value]) => value !== undefined)
      .map(([name, value]) => [name, String(value)]),
  )
}

const timeNames = new Set(['fromMs', 'toMs'])

/** The filter of an address. Unknown names and invalid values are left out. */
export function filterOfSearch(search: Readonly<Record<string, unknown>>): RequestFilter {
  const parts = Object.keys(requestFilterSchema.shape).flatMap((name) => {
    const text = search[name]
    if (typeof text !== 'string') return []
    const part = { [name]: timeNames.has(name) ? Number(text) : text }
    return requestFilterSchema.safeParse(part).success ? [part] : []
  })
  return requestFilterSchema.parse(Object.assign({}, ...parts))
}
