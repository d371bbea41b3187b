/** The kinds of providers there are, as the service declares them and the interface offers them. */

/** Something a provider of a type can be given, as the form shows it. */
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
  /** Runs on this computer as part of the program: nobody adds it, and no network is needed. */
  isLocal: boolean
  /** Where a person gets a key. */
  keyUrl: string | null
  options: readonly ProviderOption[]
}
