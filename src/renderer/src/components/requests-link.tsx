import type { ReactNode } from 'react'
import type { RequestFilter } from '../../../shared/requests/search.ts'
import type { RangeName } from '../usage/range.ts'
import { searchOfFilter } from '../usage/request-links.ts'
import { stringifySearch } from '../usage/search.ts'

interface RequestsLinkProps {
  filter: Partial<RequestFilter>
  /** All time without one. */
  range?: RangeName
  className?: string
  children: ReactNode
}

/** A link to the requests behind a figure. */
export function RequestsLink({ filter, range = 'all', className, children }: RequestsLinkProps) {
  const search = stringifySearch({ ...searchOfFilter(filter), range })
  return (
    <a
      href={`#/activity${search}`}
      className={className ?? 'rounded-sm hover:text-accent hover:underline'}
    >
      {children}
    </a>
  )
}
