/**
 * The interface of a strategy. It works on numbers only, so a recorded request can be ranked again.
 * What the rest of the program needs to know about a strategy is in `shared/routers/strategies.ts`.
 */
import type { Estimate, RankParameters } from '../../../shared/requests/detail.ts'

/** One model to be ranked. */
export interface Contender {
  model: string
  /** The reasoning effort that the router chose; absent where it sends none. */
  effort?: string | undefined
  /** Place in the router's list, from 0. */
  position: number
  estimate: Estimate
}

export interface Strategy {
  /** Best first: pure, deterministic, and every contender comes back once. */
  rank<One extends Contender>(contenders: readonly One[], parameters: RankParameters): One[]
  /**
   * Whether the conversation's model is so close to the first that the conversation stays with it.
   * Without this, only a pending tool result keeps a model.
   */
  isNear?(kept: Contender, ranked: readonly Contender[], parameters: RankParameters): boolean
  /** Why the first model is first: a sentence without its full stop. */
  why(ranked: readonly Contender[], parameters: RankParameters): string
  /** The smallest change that would put the second model first; null when no single change would. */
  flip(ranked: readonly Contender[], parameters: RankParameters): string | null
}
