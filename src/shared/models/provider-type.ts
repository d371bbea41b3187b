/** Provider types, as the service declares them and the app offers them. */

/** The provider of the built-in model. Its id is the prefix of the model's id. */
export const builtInProvider = { id: 'local', type: 'local' } as const

/** The model of a fresh installation: it shows how the app works, and is too small for real questions. */
export const demoModel = {
  name: 'smollm2-135m-instruct',
  id: `${builtInProvider.id}:smollm2-135m-instruct`,
} as const

/** An option of a provider type, as the form shows it. */
export interface ProviderOption {
  /** `header.*` means `header.` and the name of any header. */
  name: string
  label: string
  hint: string
  /** True if the option chooses credentials of this computer, so an imported file cannot set it. */
  isCredential?: true
}

/** One row of the provider registry, as the "add a provider" form shows it. */
export interface ProviderType {
  type: string
  name: string
  /** Null when the user must enter the address. */
  baseUrl: string | null
  keyRule: 'required' | 'optional' | 'none'
  /** Built in: it always exists, runs on this computer and needs no network. */
  isLocal: boolean
  /** A server of the user's own, on this computer or in their network: its models have no published prices. */
  isSelfHosted: boolean
  /** The page where people get a key. */
  keyUrl: string | null
  options: readonly ProviderOption[]
  /** The vendor's documentation that the type follows; null for the built-in model. */
  documentation: VendorDocumentation | null
}

/** The vendor's own description of its API. */
export interface VendorDocumentation {
  url: string
  /** The day on which this type was compared with it, as YYYY-MM-DD; null when it is unverified. */
  comparedAt: string | null
}
