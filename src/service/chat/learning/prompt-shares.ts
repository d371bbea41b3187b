/**
 * Learns the share of an estimated prompt that each model counts at the least, from the usage that it reports. It is
 * kept in memory: a model that is not known yet gets a few more prompts that it refuses, which costs nothing.
 */
import { unlearntShare } from '../../routing/prompt-size.ts'

/** Least tokens of a prompt to learn from; shorter ones are mostly overhead. */
const leastLearntTokens = 1_000
/** Number of answers from which the share may rise above that of an unknown model. */
const answersToRise = 50
/**
 * Later prompts may be of another kind: Markdown has 0.7 times the tokens of code of the same length (study of this
 * project).
 */
const otherKinds = 0.7
/** The share of Markdown. What is learnt from code and from languages with more tokens must not refuse it. */
const highestShare = 0.6
/** Lowest share; a lower one comes from a report that leaves something out. */
const lowestShare = 0.1
/** How fast one odd report is forgotten. */
const recovery = 0.01

interface Seen {
  answers: number
  lowest: number
}

export class PromptShares {
  readonly #seen = new Map<string, Seen>()
  readonly #least = new Map<string, number>()

  /** Least share by model; later answers change it in place. */
  get least(): ReadonlyMap<string, number> {
    return this.#least
  }

  answered(modelId: string, tokens: { estimated: number; reported: number }): void {
    if (tokens.estimated < leastLearntTokens || tokens.reported <= 0) return
    const share = tokens.reported / tokens.estimated
    const { answers, lowest } = this.#seen.get(modelId) ?? { answers: 0, lowest: share }
    const next = Math.min(share, lowest + Math.max(0, share - lowest) * recovery)
    this.#seen.set(modelId, { answers: answers + 1, lowest: next })
    const most = answers + 1 < answersToRise ? unlearntShare : highestShare
    this.#least.set(modelId, Math.max(lowestShare, Math.min(most, next * otherKinds)))
  }
}
