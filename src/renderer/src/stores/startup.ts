import { create } from 'zustand'
import type { StartupInput, StartupState } from '../../../shared/app/startup.ts'
import { call, toCallError, type CallError } from './client.ts'

interface StartupStore {
  /** Null until loaded. */
  state: StartupState | null
  error: CallError | null
  /** Reads the operating system's state. Never rejects. */
  load(): Promise<void>
}

/** How the app starts with the computer. */
export const useStartup = create<StartupStore>((set) => ({
  state: null,
  error: null,
  async load() {
    try {
      set({ state: await call('startup:get'), error: null })
    } catch (error) {
      set({ error: toCallError(error) })
    }
  },
}))

/** @throws CallError */
export async function changeStartup(wanted: StartupInput): Promise<void> {
  useStartup.setState({ state: await call('startup:change', wanted) })
}
