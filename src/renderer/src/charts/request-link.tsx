import { useNavigate } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { Link } from '@tanstack/react-router'
import type { RequestFilter } from '../../../shared/request-search.ts'
import { searchOfFilter } from '../usage/request-links.ts'

const requestsPath: string = '/requests'

/** A link to the requests behind a figure. */
export function RequestLink({
  filter,
  className = 'underline decoration-line underline-offset-3 hover:decoration-current',
  children,
}: {
  filter: RequestFilter
  className?: string
  children: ReactNode
}) {
  return (
    <Link to={requestsPath} search={searchOfFilter(filter)} className={className}>
      {children}
    </Link>
  )
}

/** Opens the requests behind a figure. */
export function useShowRequests(): (filter: RequestFilter) => void {
  const navigate = useNavigate()
  return (filter) => void navigate({ to: requestsPath, search: searchOfFilter(filter) })
}
