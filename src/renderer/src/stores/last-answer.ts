import { useState } from 'react'
import { create } from 'zustand'
import type { RequestRecord, Router } from '../../../shared/entities.ts'
import { demoModel } from '../../../shared/models/provider-type.ts'
import { call } from './client.ts'

interface LastAnswer {
  /** Whether any request was answered; null until known. */
  hasAnswer: boolean | null
  /** The router of the last answered request. */
  routerId: string | null
}

/** The last answered request of the ledger. */
export const useLastAnswer = create<LastAnswer>(() => ({ hasAnswer: null, routerId: null }))

/** Never rejects: a ledger that cannot be read leaves it unknown. */
export async function loadLastAnswer(): Promise<void> {
  const query = { filter: { end: 'answered' as const }, limit: 1 }
  const rows = await call('requests:search', query).catch(() => null)
  // A request that ended meanwhile is newer.
  if (rows === null || useLastAnswer.getState().hasAnswer) return
  useLastAnswer.setState({ hasAnswer: rows.length > 0, routerId: rows[0]?.routerId ?? null })
}

export function noteAnswer({ status, routerId }: Pick<RequestRecord, 'status' | 'routerId'>): void {
  if (status >= 400) return
  const last = useLastAnswer.getState()
  if (last.hasAnswer !== true || last.routerId !== routerId)
    useLastAnswer.setState({ hasAnswer: true, routerId })
}

/** Whether the router has only the demo model. */
export function isDemoRouter({ models }: Pick<Router, 'models'>): boolean {
  return models.length > 0 && models.every((id) => id === demoModel.id)
}

/** The router to begin with: the one used last, and the demo only when there is no other. */
export function usualRouter<Choice extends Pick<Router, 'id' | 'models'>>(
  routers: readonly Choice[],
  lastId: string | null,
): Choice | undefined {
  const real = routers.filter((router) => !isDemoRouter(router))
  const choices = real.length > 0 ? real : routers
  return choices.find(({ id }) => id === lastId) ?? choices[0]
}

/** The usual router. It does not change while it is shown, even if another one answers meanwhile. */
export function useUsualRouter<Choice extends Pick<Router, 'id' | 'models'>>(
  routers: readonly Choice[],
): Choice | undefined {
  const latestId = useLastAnswer(({ routerId }) => routerId)
  const [lastId, setLastId] = useState(latestId)
  if (lastId === null && latestId !== null) setLastId(latestId)
  return usualRouter(routers, lastId)
}
