/** The places of addresses, and the new addresses of pages that were joined to another one. */
import { pages, type PagePath } from '../../../shared/app/pages.ts'
import type { Search } from '../usage/search.ts'

/** Addresses whose place is another one than their first part. */
const placesOfPages: Readonly<Partial<Record<string, PagePath>>> = {
  agents: '/routers',
  'new-agent': '/routers',
  tune: '/routers',
}

/** The place that the navigation marks as open at `/routers/router_1`; null at an unknown address. */
export function placeOf(pathname: string): PagePath | null {
  const [, first = ''] = pathname.split('/')
  return placesOfPages[first] ?? pages.find(({ path }) => path === `/${first}`)?.path ?? null
}

interface NewAddress {
  to: PagePath
  search: Search
}

/** Pages that are a part of a place now. Parameters of the old address are kept, and replace these. */
export const movedPages = {
  '/requests': { to: '/activity', search: { range: 'all' } },
  '/usage': { to: '/activity', search: { view: 'charts', range: '24h' } },
  '/agents': { to: '/routers', search: { view: 'agents' } },
  '/providers': { to: '/models', search: { view: 'providers' } },
  '/keys': { to: '/connect', search: { show: 'keys' } },
} as const satisfies Record<string, NewAddress>
