import type { ClientOptions } from 'openai'

/** The `fetch` that OpenAI's SDK accepts. */
export type Fetch = NonNullable<ClientOptions['fetch']>

export interface TransportOptions {
  /** The address whose certificate may come from the local authority, such as `https://localhost:6778`. */
  origin: string
  /** The authority's file; undefined for the one in Modelport's data folder. */
  caFile: string | undefined
}

/** Makes the `fetch` of a client; undefined for the platform's own. */
export type MakeFetch = (options: TransportOptions) => Fetch | undefined
