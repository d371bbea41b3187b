import { create, type StoreApi, type UseBoundStore } from 'zustand'
import { toCallError, type CallError } from './client.ts'

/** A list of the main process, as far as the window has loaded it. */
export interface ListState<Item> {
  /** Null until loaded; kept while reloading. */
  items: readonly Item[] | null
  /** The error of the last load; null after success. */
  error: CallError | null
  /** Reloads the list. Resolves when the list is as new as this call, and never rejects. */
  load(): Promise<void>
}

/** Creates the store of a list. Of two parallel loads, the one that started later wins. */
export function createListStore<Item>(
  read: () => Promise<readonly Item[]>,
): UseBoundStore<StoreApi<ListState<Item>>> {
  let latest = 0
  let newest = Promise.resolve()
  return create<ListState<Item>>((set) => {
    const loadAs = async (mine: number) => {
      try {
        const items = await read()
        if (mine === latest) set({ items, error: null })
      } catch (error) {
        if (mine === latest) set({ error: toCallError(error) })
      }
      if (mine !== latest) await newest
    }
    return {
      items: null,
      error: null,
      load() {
        latest += 1
        newest = loadAs(latest)
        return newest
      },
    }
  })
}
