import { useEffect, useState } from 'react'
import { create } from 'zustand'
import type {
  RefusalCount,
  RefusalListQuery,
  RefusedRequest,
} from '../../../shared/requests/refusal.ts'
import { call, toCallError, type CallError } from './client.ts'
import type { ListState } from './list.ts'

const dayMs = 86_400_000

/** Grows when requests were refused, so that shown counts are loaded again. */
const useRevision = create<{ revision: number }>(() => ({ revision: 0 }))

export async function noteRefusals(): Promise<void> {
  useRevision.setState(({ revision }) => ({ revision: revision + 1 }))
}

interface RefusalPeriod {
  days: number
  nowMs: number
  /** Of all routers when it is missing. */
  routerId?: string | undefined
}

/** A day that moves on is read again this often. */
const stepMs = 600_000

/** Refusals of the days before `nowMs` by kind, the most frequent first; null until loaded. */
export function useRefusals({
  days,
  nowMs,
  routerId,
}: RefusalPeriod): readonly RefusalCount[] | null {
  const sinceMs = nowMs - (nowMs % stepMs) - days * dayMs
  const revision = useRevision((state) => state.revision)
  const [counts, setCounts] = useState<readonly RefusalCount[] | null>(null)
  useEffect(
    () => whileShown(call('refusals:counts', { sinceMs, routerId }), setCounts),
    [sinceMs, routerId, revision],
  )
  return counts
}

/** The newest refused requests of a time, router and key. */
export function useNewestRefusals({
  limit,
  fromMs,
  toMs,
  routerId,
  apiKeyId,
}: RefusalListQuery): ListState<RefusedRequest> {
  const revision = useRevision((state) => state.revision)
  const [items, setItems] = useState<readonly RefusedRequest[] | null>(null)
  const [error, setError] = useState<CallError | null>(null)
  useEffect(() => {
    const show = (newest: readonly RefusedRequest[]) => {
      setItems(newest)
      setError(null)
    }
    const query = { limit, fromMs, toMs, routerId, apiKeyId }
    return whileShown(call('refusals:newest', query), show, setError)
  }, [limit, fromMs, toMs, routerId, apiKeyId, revision])
  return { items, error, load: noteRefusals }
}

/** After a failure, what was loaded before stays. @returns a function after which nothing is set */
function whileShown<Item>(
  loading: Promise<Item>,
  set: (item: Item) => void,
  fail: (error: CallError) => void = () => {},
): () => void {
  let isShown = true
  const show = async () => {
    try {
      const item = await loading
      if (isShown) set(item)
    } catch (error) {
      if (isShown) fail(toCallError(error))
    }
  }
  void show()
  return () => {
    isShown = false
  }
}
