import { create } from 'zustand'
import type { Provider } from '../../../shared/entities.ts'
import type { FoundServer } from '../../../shared/models/model-servers.ts'
import { call, toCallError, type CallError } from './client.ts'
import { loadModels } from './models.ts'
import { useProviders } from './providers.ts'

interface FoundServers {
  /** Null before the first search has ended. */
  servers: readonly FoundServer[] | null
  isSearching: boolean
  error: CallError | null
}

export const useFoundServers = create<FoundServers>(() => ({
  servers: null,
  isSearching: false,
  error: null,
}))

/** Searches this computer for model servers. Never rejects; a search that is running is not repeated. */
export async function searchServers(): Promise<void> {
  if (useFoundServers.getState().isSearching) return
  useFoundServers.setState({ isSearching: true, error: null })
  try {
    useFoundServers.setState({ servers: await call('providers:discover'), isSearching: false })
  } catch (error) {
    useFoundServers.setState({ error: toCallError(error), isSearching: false })
  }
  // The cards show which models are in memory, and how fast they were.
  await useProviders.getState().load()
}

/** Adds a server that the search found, with its models. @throws CallError */
export async function addServer(baseUrl: string): Promise<Provider> {
  const added = await call('providers:add-server', { baseUrl })
  useFoundServers.setState(({ servers }) => ({
    servers: (servers ?? []).map((server) =>
      server.baseUrl === baseUrl ? { ...server, providerId: added.id } : server,
    ),
  }))
  await Promise.all([useProviders.getState().load(), loadModels()])
  return added
}
