import { create } from 'zustand'
import type { RequestRecord } from '../../../shared/entities.ts'
import type { UsageBucket } from '../../../shared/usage.ts'
import { call, toCallError, type CallError } from './client.ts'

/** Charts show up to this many single requests, and time buckets beyond that. */
export const separateRequests = 300
/** How many time buckets fit a chart. */
const bucketsShown = 96
/** Bucketed charts are reloaded at most this often. */
const rereadMs = 1000

const minuteMs = 60_000
const hourMs = 60 * minuteMs
const dayMs = 24 * hourMs
const bucketSizes = [1, 5, 15].map((minutes) => minutes * minuteMs)
const longBucketSizes = [1, 3, 6, 12].map((hours) => hours * hourMs)

/** The requests of a router as far as they are loaded, oldest first. */
export type RouterUsage =
  | { kind: 'loading' }
  | { kind: 'failed'; error: CallError }
  | { kind: 'requests'; requests: readonly RequestRecord[] }
  | { kind: 'buckets'; buckets: readonly UsageBucket[]; bucketMs: number }

/** By router id, for routers whose charts were opened. */
export const useUsage = create<Record<string, RouterUsage>>(() => ({}))

/** Loads the requests of a router, or time buckets when there are many. Never rejects. */
export async function loadUsage(routerId: string): Promise<void> {
  if (!useUsage.getState()[routerId]) useUsage.setState({ [routerId]: { kind: 'loading' } })
  const usage = await readUsage(routerId).catch((error: unknown): RouterUsage => ({
    kind: 'failed',
    error: toCallError(error),
  }))
  useUsage.setState({ [routerId]: usage })
}

const rereads = new Map<string, ReturnType<typeof setTimeout>>()

/** Adds a finished request to its router's charts, if they are open. */
export function addFinishedRequest(request: RequestRecord): void {
  const usage = useUsage.getState()[request.routerId]
  if (!usage) return
  if (usage.kind === 'requests' && usage.requests.length < separateRequests) {
    const others = usage.requests.filter(({ id }) => id !== request.id)
    useUsage.setState({ [request.routerId]: { ...usage, requests: [...others, request] } })
    return
  }
  if (rereads.has(request.routerId)) return
  const timer = setTimeout(() => {
    rereads.delete(request.routerId)
    void loadUsage(request.routerId)
  }, rereadMs)
  rereads.set(request.routerId, timer)
}

/** The smallest round bucket size in ms for which the span fits a chart. */
export function bucketSize(spanMs: number): number {
  const wantedMs = spanMs / bucketsShown
  const size = [...bucketSizes, ...longBucketSizes].find((ms) => ms >= wantedMs)
  return size ?? Math.ceil(wantedMs / dayMs) * dayMs
}

async function readUsage(routerId: string): Promise<RouterUsage> {
  const requests = await call('requests:list', { routerId, limit: separateRequests + 1 })
  if (requests.length <= separateRequests) {
    const oldestFirst = requests.toSorted((a, b) => a.startedAtMs - b.startedAtMs)
    return { kind: 'requests', requests: oldestFirst }
  }
  return readBuckets(routerId)
}

/** Finds the first day with requests, then loads the span since then in finer buckets. */
async function readBuckets(routerId: string): Promise<RouterUsage> {
  const days = await call('usage:buckets', { routerId, sinceMs: 0, bucketMs: dayMs })
  const firstDayMs = Math.min(...days.map(({ startMs }) => startMs))
  const bucketMs = bucketSize(Date.now() - firstDayMs)
  const buckets = await call('usage:buckets', { routerId, sinceMs: firstDayMs, bucketMs })
  return { kind: 'buckets', buckets: buckets.toSorted((a, b) => a.startMs - b.startMs), bucketMs }
}
