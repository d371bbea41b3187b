import { create } from 'zustand'
import type { RequestRecord, UsageBucket } from '../../../shared/entities.ts'
import { call, toCallError, type CallError } from './client.ts'

/** Up to this many requests a chart shows each by itself; beyond, they are summed up. */
export const separateRequests = 300
/** How many time buckets a chart has room for. */
const bucketsShown = 96
/** Summed-up charts are read again at most this often. */
const rereadMs = 1000

const minuteMs = 60_000
const hourMs = 60 * minuteMs
const dayMs = 24 * hourMs
const bucketSizes = [1, 5, 15].map((minutes) => minutes * minuteMs)
const longBucketSizes = [1, 3, 6, 12].map((hours) => hours * hourMs)

/** What is known of a router's requests, oldest first. */
export type RouterUsage =
  | { kind: 'loading' }
  | { kind: 'failed'; error: CallError }
  | { kind: 'requests'; requests: readonly RequestRecord[] }
  | { kind: 'buckets'; buckets: readonly UsageBucket[]; bucketMs: number }

/** Usage by router id, of the routers whose charts were opened. */
export const useUsage = create<Record<string, RouterUsage>>(() => ({}))

/** Reads a router's requests, or their sums where there are many. Never rejects. */
export async function loadUsage(routerId: string): Promise<void> {
  if (!useUsage.getState()[routerId]) useUsage.setState({ [routerId]: { kind: 'loading' } })
  const usage = await readUsage(routerId).catch((error: unknown): RouterUsage => ({
    kind: 'failed',
    error: toCallError(error),
  }))
  useUsage.setState({ [routerId]: usage })
}

const rereads = new Map<string, ReturnType<typeof setTimeout>>()

/** Adds a request that just ended to its router's charts, if they were opened. */
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

/** The smallest round bucket with which a span fits on a chart, in ms. */
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

/** Whole days tell when the first request was; then the same span is read in finer buckets. */
async function readBuckets(routerId: string): Promise<RouterUsage> {
  const days = await call('usage:buckets', { routerId, sinceMs: 0, bucketMs: dayMs })
  const firstDayMs = Math.min(...days.map(({ startMs }) => startMs))
  const bucketMs = bucketSize(Date.now() - firstDayMs)
  const buckets = await call('usage:buckets', { routerId, sinceMs: firstDayMs, bucketMs })
  return { kind: 'buckets', buckets: buckets.toSorted((a, b) => a.startMs - b.startMs), bucketMs }
}
