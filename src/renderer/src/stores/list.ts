import { create, type StoreApi, type UseBoundStore } from 'zustand'
import { toCallError, type CallError } from './client.ts'

/** A list the main process owns, as far as the window has read it. */
export interface ListState<Item> {
  /** Null until it was read once; kept while it is read again. */
  items: readonly Item[] | null
  /** Why the last reading failed; null after one that did not. */
  error: CallError | null
  /** Reads the list again; never rejects. */
  load(): Promise<void>
}

/** A store of one list. Of two readings under way the later one wins, whichever ends last. */
export function createListStore<Item>(
  read: () => Promise<readonly Item[]>,
): UseBoundStore<StoreApi<ListState<Item>>> {
  let latest = 0
  return create<ListState<Item>>((set) => ({
    items: null,
    error: null,
    async load() {
      latest += 1
      const mine = latest
      try {
        const items = await read()
        if (mine === latest) set({ items, error: null })
      } catch (error) {
        if (mine === latest) set({ error: toCallError(error) })
      }
    },
  }))
}
