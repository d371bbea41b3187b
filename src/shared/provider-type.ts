/** Provider types, as the service declares them and the app offers them. */

/** The provider of the built-in model. Its id is the prefix of the model's id. */
export const builtInProvider = { id: 'local', type: 'local' } as const

/** An option of a provider type, as the form shows it. */
export interface ProviderOption {
  /** `header.*` stands for `header.` and the name of any header. */
  name: string
  label: string
  hint: string
}

/** One row of the provider registry, as the "add a provider" form shows it. */
export interface ProviderType {
  type: string
  name: string
  /** Null where the user must give the address. */
  baseUrl: string | null
  keyRule: 'required' | 'optional' | 'none'
  /** Part of the program: it is always there, runs on this computer and needs no network. */
  isLocal: boolean
  /** Where a person gets a key. */
  keyUrl: string | null
  options: readonly ProviderOption[]
}
