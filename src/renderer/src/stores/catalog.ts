import { create } from 'zustand'
import type { CatalogCheck, CatalogState } from '../../../shared/models/catalog.ts'
import { call, toCallError, type CallError } from './client.ts'
import { loadModels } from './models.ts'

interface CatalogStore {
  /** Null until loaded. */
  state: CatalogState | null
  error: CallError | null
  /** A downloaded update that is not applied yet; otherwise null. */
  found: CatalogCheck | null
  /** Loads the state of the catalogue. Never rejects. */
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

/** Downloads the published catalogue. @throws CallError */
export async function checkCatalog(): Promise<void> {
  useCatalog.setState({ found: null })
  useCatalog.setState({ found: await call('catalog:check') })
}

/** Applies the reviewed update. @throws CallError */
export async function applyCatalog(token: string): Promise<void> {
  useCatalog.setState({ state: await call('catalog:apply', { token }), found: null })
  await loadModels()
}

/** Restores the bundled catalogue. @throws CallError */
export async function resetCatalog(): Promise<void> {
  useCatalog.setState({ state: await call('catalog:reset'), found: null })
  await loadModels()
}

/** Discards the downloaded update. */
export function dismissCatalog(): void {
  useCatalog.setState({ found: null })
}
