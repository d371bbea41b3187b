import { create } from 'zustand'
import type { RequestRecord } from '../../../shared/entities.ts'
import { call, toCallError, type CallError } from './client.ts'

/** How many requests are loaded at first, and how many more each time. */
export const requestsAtOnce = 50
/** The maximum in the window. The command line can list all requests. */
const mostRequests = 1000

/** The latest requests of a router, newest first. */
export interface RecentRequests {
  /** Null until loaded. */
  items: readonly RequestRecord[] | null
  /** How many were requested. */
  limit: number
  error: CallError | null
}

/** By router id, for routers whose list was opened. */
export const useRecentRequests = create<Record<string, RecentRequests>>(() => ({}))

/** Loads the latest requests of a router. Never rejects. */
export async function loadRecentRequests(routerId: string, limit = requestsAtOnce): Promise<void> {
  const before = useRecentRequests.getState()[routerId]?.items ?? null
  useRecentRequests.setState({ [routerId]: { items: before, limit, error: null } })
  try {
    const items = await call('requests:list', { routerId, limit })
    useRecentRequests.setState({ [routerId]: { items, limit, error: null } })
  } catch (error) {
    const failed = { items: before, limit, error: toCallError(error) }
    useRecentRequests.setState({ [routerId]: failed })
  }
}

/** Whether there may be older requests to load. */
export function hasOlder({ items, limit }: RecentRequests): boolean {
  return items !== null && items.length >= limit && limit < mostRequests
}

/** Loads older requests. */
export async function loadOlderRequests(routerId: string): Promise<void> {
  const limit = useRecentRequests.getState()[routerId]?.limit ?? 0
  await loadRecentRequests(routerId, Math.min(limit + requestsAtOnce, mostRequests))
}

/** Adds a finished request at the top of its router's list, if that is open. */
export function addRecentRequest(request: RequestRecord): void {
  const recent = useRecentRequests.getState()[request.routerId]
  if (!recent?.items) return
  const others = recent.items.filter(({ id }) => id !== request.id)
  const items = [request, ...others].slice(0, recent.limit)
  useRecentRequests.setState({ [request.routerId]: { ...recent, items } })
}
