/** Published or assumed facts about a model, besides its price and abilities. */
import type { Topic } from '../routers/topics.ts'

/** The lowest and highest possible value; equal when the value is published. */
export type ParameterRange = readonly [min: number, max: number]

/** Parameters in billions: those active for a token, and all of them. */
export interface ModelSize {
  activeBillions: ParameterRange
  totalBillions: ParameterRange
}

/** A model's published speed, used until Modelport has measured its own. */
export interface ModelSpeed {
  firstTokenMs: number
  msPerToken: number
}

/** How much a model reasons before it answers, from least to most, as `reasoning_effort` names it. */
export const reasoningEfforts = [
  'none',
  'minimal',
  'low',
  'medium',
  'high',
  'xhigh',
  'max',
] as const
export type ReasoningEffort = (typeof reasoningEfforts)[number]

/** A model's public rating at one reasoning effort, on the scale of LMArena's text leaderboard. */
export interface EffortRating {
  /** Null: the model has no reasoning effort to choose. */
  effort: ReasoningEffort | null
  /** A hundred points are about one logit; 1300 is a good model of 2024. */
  points: number
  /** Half the width of the 95 % interval, in points; null for the user's own figure. */
  halfWidth: number | null
  /** The number of judged answers with the same weight. */
  strength: number
  /** Logits by which the model is better or worse at a topic than its points say; absent topics are 0. */
  offsets: Readonly<Partial<Record<Topic, number>>>
  /** Billed output tokens, as a multiple of an answer without reasoning. */
  outputRatio: number
  /** Null for the user's own figure. */
  source: string | null
  /** The date of the figures, `YYYY-MM-DD`; null for the user's own. */
  asOf: string | null
}

/** The rating at the effort that the provider uses when a request names none. */
export interface ModelRating extends EffortRating {
  /** `measured` by a source, that of a `sibling` of the same maker, or set by the `user`. */
  basis: 'measured' | 'sibling' | 'user'
}

/** Facts about a model's vectors. */
export interface EmbeddingFacts {
  /** The name of the same weights at every provider: only their vectors can be compared. */
  weights: string
  dimensions: number
  /** Whether the first dimensions of a vector are a shorter vector (Matryoshka representation learning). */
  isShortenable: boolean
}
