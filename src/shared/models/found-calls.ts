/** What the window finds on this computer for a first provider: model servers, and keys in the environment. */
import { z } from 'zod'
import type { Provider } from '../entities.ts'
import { call, nothing } from '../ipc-call.ts'
import type { TestedProvider } from '../tested-provider.ts'
import type { FoundServer } from './model-servers.ts'

/** A vendor's key in a variable. The key itself stays in the service. */
export interface FoundKey {
  /** The provider type that the key is for. */
  type: string
  typeName: string
  /** Such as `OPENAI_API_KEY`. */
  variable: string
}

export const foundCalls = {
  /** Searches this computer for model servers, with one request to each of their usual ports. */
  'providers:discover': call(nothing).returns<FoundServer[]>(),
  /** Adds a server that the search found, with its models. */
  'providers:add-server': call(z.strictObject({ baseUrl: z.url() })).returns<Provider>(),
  /** The vendors' keys in the environment that no provider uses yet. */
  'providers:found-keys': call(nothing).returns<FoundKey[]>(),
  /** Adds the provider of a found key if its test succeeds; stores nothing otherwise. */
  'providers:add-found-key': call(
    z.strictObject({ type: z.string().min(1) }),
  ).returns<TestedProvider>(),
}
