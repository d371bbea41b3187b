import { create } from 'zustand'
import type { StartState } from '../../../shared/app/start-state.ts'
import { announceRestore } from './backups.ts'
import { call } from './client.ts'

/** Whether the service has started. */
export const useStart = create<StartState>(() => ({ status: 'starting' }))

/** Reads the state; the event `start` brings each change. */
export async function loadStart(): Promise<void> {
  const state = await call('start:state')
  useStart.setState(state, true)
  if (state.status === 'started' && state.restore) announceRestore(state.restore)
}

/** @throws CallError */
export async function retryStart(): Promise<void> {
  useStart.setState(await call('start:retry'), true)
}
