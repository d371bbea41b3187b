/** The catalogue as people see it: its source, and what a newer one would change. */

export interface CatalogState {
  /** `bundled` came with this version of the program; `downloaded` was fetched at the user's request. */
  origin: 'bundled' | 'downloaded'
  /** The date of its prices, `YYYY-MM-DD`. */
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
  /** `changed`: cache prices, tiers, hours or capabilities changed; the base price did not. */
  kind: 'new' | 'dearer' | 'cheaper' | 'changed'
  /** Null for a new model. */
  before: BasePrice | null
  after: BasePrice
}

/** A downloaded catalogue that is not applied yet. */
export interface CatalogCheck {
  /** Identifies exactly this download when it is applied. */
  token: string
  asOf: string
  changes: CatalogChange[]
}
