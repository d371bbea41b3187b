import { create } from 'zustand'
import type { StartState } from '../../../shared/start-state.ts'
import { call } from './client.ts'

/** Whether the service has started. */
export const useStart = create<StartState>(() => ({ status: 'starting' }))

/** Reads the state; the event `start` brings each change. */
export async function loadStart(): Promise<void> {
  useStart.setState(await call('start:state'), true)
}

/** @throws CallError */
export async function retryStart(): Promise<void> {
  useStart.setState(await call('start:retry'), true)
}
