/** The catalogue as a person sees it: where it is from, and what a newer one would change. */

export interface CatalogState {
  /** `bundled` came with this version of the program; `downloaded` was fetched on the user's word. */
  origin: 'bundled' | 'downloaded'
  /** The day its prices were true, `YYYY-MM-DD`. */
  asOf: string
  models: number
}

export interface BasePrice {
  inputUsdPerMtok: number
  outputUsdPerMtok: number
}

export interface CatalogChange {
  /** `<provider type>:<model_name>` */
  modelId: string
  /** `changed`: caches, long prompts, hours or abilities; the base price is what it was. */
  kind: 'new' | 'dearer' | 'cheaper' | 'changed'
  /** Null for a new model. */
  before: BasePrice | null
  after: BasePrice
}

/** What was downloaded and is not in force yet. */
export interface CatalogCheck {
  /** To be given back to put exactly this in force. */
  token: string
  asOf: string
  changes: CatalogChange[]
}
