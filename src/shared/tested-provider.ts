import type { Provider, ProviderTest } from './entities.ts'

/** A provider that is added only if its test succeeds. */
export interface TestedProvider {
  /** Null when the test failed: nothing was stored. */
  provider: Provider | null
  test: ProviderTest
}
