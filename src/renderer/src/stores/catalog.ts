import { create } from 'zustand'
import type { CatalogCheck, CatalogState } from '../../../shared/catalog.ts'
import { call, toCallError, type CallError } from './client.ts'
import { useModels } from './models.ts'

interface CatalogStore {
  /** Null until it was read once. */
  state: CatalogState | null
  error: CallError | null
  /** What was downloaded and is not in force; null before somebody looked, and after it was applied. */
  found: CatalogCheck | null
  /** Reads where the catalogue is from; never rejects. */
  load(): Promise<void>
}

export const useCatalog = create<CatalogStore>((set) => ({
  state: null,
  error: null,
  found: null,
  async load() {
    try {
      set({ state: await call('catalog:state'), error: null })
    } catch (error) {
      set({ error: toCallError(error) })
    }
  },
}))

/** Downloads what is published now. @throws CallError when it cannot be read */
export async function checkCatalog(): Promise<void> {
  useCatalog.setState({ found: null })
  useCatalog.setState({ found: await call('catalog:check') })
}

/** Puts in force what was shown. @throws CallError */
export async function applyCatalog(token: string): Promise<void> {
  useCatalog.setState({ state: await call('catalog:apply', { token }), found: null })
  await useModels.getState().load()
}

/** Back to what came with the program. @throws CallError */
export async function resetCatalog(): Promise<void> {
  useCatalog.setState({ state: await call('catalog:reset'), found: null })
  await useModels.getState().load()
}

/** Forgets what was downloaded. */
export function dismissCatalog(): void {
  useCatalog.setState({ found: null })
}
