/**
 * How many tokens a prompt may have at a model. The estimate counts characters, and tokenizers differ, so a decision to
 * refuse uses the lower bound and a reservation of money the upper one.
 */

export interface PromptSize {
  /** Estimated. */
  promptTokens: number
  /** By model, the least share of the estimate that it counts, as learnt; absent for models that have not answered. */
  leastShares?: ReadonlyMap<string, number>
}

/**
 * For a model that has not answered yet: 8 characters a token. On 128,000 real tokens, prose had 5.5, Markdown 6.0
 * and code 4.2 characters a token (study of this project); code with deep indentation has up to 7.
 */
export const unlearntShare = 0.45

/** No tokenizer gives fewer: what is more than the context even so cannot fit. */
export function leastPromptTokens(
  { modelId }: { modelId: string },
  { promptTokens, leastShares }: PromptSize,
): number {
  return Math.floor(promptTokens * (leastShares?.get(modelId) ?? unlearntShare))
}

/** A quarter above the estimate, and 32 tokens for a short one. */
export function mostPromptTokens({ promptTokens }: PromptSize): number {
  return Math.ceil(promptTokens * 1.25) + 32
}
