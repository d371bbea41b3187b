import { useEffect } from 'react'
import { create } from 'zustand'
import type { Router } from '../../../shared/entities.ts'
import type { RouterChange } from '../../../shared/routers/router-change.ts'
import { call } from './client.ts'

/** Changes by router id, the newest first. */
const useChanges = create<Record<string, readonly RouterChange[]>>(() => ({}))

const none: readonly RouterChange[] = []

/** What changed in a router's settings; empty until it is loaded. A saved router is read again. */
export function useRouterChanges({ id, updatedAtMs }: Router): readonly RouterChange[] {
  useEffect(() => {
    void loadChanges(id)
  }, [id, updatedAtMs])
  return useChanges((changes) => changes[id] ?? none)
}

/** Loads the changes. A failure only leaves their flags out of the charts. */
async function loadChanges(id: string): Promise<void> {
  const changes = await call('routers:changes', { id }).catch(() => null)
  if (changes) useChanges.setState({ [id]: changes })
}
