/** What a strategy is given and what it gives; it sees numbers only, so a record can stand for a request. */
import type { Estimate, RankParameters } from '../../../shared/request-detail.ts'

/** One model to be ordered. */
export interface Contender {
  model: string
  /** Place in the router's list, from 0. */
  position: number
  estimate: Estimate
}

export interface Strategy {
  /** Best first: pure, deterministic, and every contender comes back once. */
  rank<One extends Contender>(contenders: readonly One[], parameters: RankParameters): One[]
  /**
   * Whether the model of the conversation is so near the first that it stays. Without this, only a
   * pending tool result keeps a model.
   */
  isNear?(kept: Contender, ranked: readonly Contender[], parameters: RankParameters): boolean
  /** Why the first is first, for a person; the sentence begins with "Chosen because it is". */
  why(ranked: readonly Contender[], parameters: RankParameters): string
  /** The smallest change that would put the second first; null where no single one would. */
  flip(ranked: readonly Contender[], parameters: RankParameters): string | null
}
