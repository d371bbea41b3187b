/** A model of the catalogue or of the user's providers, with the source of each fact. */
import type { Model } from '../entities.ts'

export interface SourcedFact {
  source: string
  /** `YYYY-MM-DD` */
  asOf: string
}

/** Watt-hours per thousand output tokens. */
export interface EnergyRange {
  low: number
  mid: number
  high: number
  /** `unknown`: the range for models of any size. */
  method: 'modelled' | 'unknown'
}

export interface ListedModel {
  /** The model. Its id begins with the provider's, or with the type's while the user has no provider of this type. */
  model: Model
  /** True for a model of one of the user's providers. */
  isOwn: boolean
  providerType: string
  /** The vendor or server: `OpenAI`. */
  typeName: string
  energy: EnergyRange
  /** Null where no source states the fact. The price and the rating name theirs in `model`. */
  sources: Record<'context' | 'capabilities' | 'energy' | 'size' | 'speed', SourcedFact | null>
}
