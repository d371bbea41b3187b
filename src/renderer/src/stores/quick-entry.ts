import { create } from 'zustand'
import type { QuickEntryState } from '../../../shared/app/quick-entry.ts'
import { call, listen } from './client.ts'

/** The shortcut of the quick entry; null until loaded. */
export const useQuickEntry = create<{ state: QuickEntryState | null }>(() => ({ state: null }))

/** Reads the state and follows its changes. @returns a function that stops following */
export function followQuickEntry(): () => void {
  const keep = (state: QuickEntryState) => useQuickEntry.setState({ state })
  void call('quick-entry:state').then(keep)
  return listen('quick-entry', keep)
}
