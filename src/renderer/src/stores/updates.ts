import { create } from 'zustand'
import type { UpdatesState, UpdateStep } from '../../../shared/updates.ts'
import { call, listen, toCallError, type CallError } from './client.ts'

interface UpdatesStore {
  /** Null until loaded. */
  state: UpdatesState | null
  error: CallError | null
  /** Connects to nothing. Never rejects. */
  load(): Promise<void>
}

/** The updates of the app. */
export const useUpdates = create<UpdatesStore>((set) => ({
  state: null,
  error: null,
  async load() {
    try {
      set({ state: await call('updates:state'), error: null })
    } catch (error) {
      set({ error: toCallError(error) })
    }
  },
}))

/** @returns stops following */
export function followUpdates(): () => void {
  return listen('updates', (state) => useUpdates.setState({ state }))
}

/** @throws CallError */
export async function runUpdateStep(step: UpdateStep): Promise<void> {
  useUpdates.setState({ state: await call('updates:step', { step }) })
}
