import type { Provider } from '../../../../../shared/entities.ts'

/** A provider that was just added. */
export interface AddedProvider {
  provider: Provider
  /** The names of the models that it listed; null when it was not asked. */
  listed: readonly string[] | null
}
