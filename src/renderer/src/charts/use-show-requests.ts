import { useNavigate } from '@tanstack/react-router'
import type { RequestFilter } from '../../../shared/requests/search.ts'
import { searchOfFilter } from '../usage/request-links.ts'

/** Opens the requests behind a figure. */
export function useShowRequests(): (filter: RequestFilter) => void {
  const navigate = useNavigate()
  return (filter) =>
    void navigate({ to: '/activity', search: { range: 'all', ...searchOfFilter(filter) } })
}
