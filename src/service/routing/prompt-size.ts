/**
 * How many tokens a prompt may have at a model. The estimate counts characters, and tokenizers differ, so a decision to
 * refuse uses the lower bound and a reservation of money the upper one.
 */
import { mediaTokens, type Media } from '../catalog/media-tokens.ts'

export interface PromptSize {
  /** Estimated tokens of the text. */
  promptTokens: number
  /**
   * The share of the text's characters that differ from the one before. A run, such as an indentation, is few tokens.
   * Measured where the length alone would rule out a model; absent elsewhere.
   */
  density?: number
  /** Parts of the prompt besides text; absent for none. */
  media?: readonly Media[]
  /** Least share of the estimate that each model counts, as learnt; absent for models that have not answered. */
  leastShares?: ReadonlyMap<string, number>
}

interface Sized {
  /** `<provider>:<model_name>`; empty for a model that is not chosen yet. */
  modelId: string
  contextTokens?: number | null
}

/** Usual tokens of a prompt at a model. Media whose size is not known have at most its context. */
export function expectedPromptTokens(
  { modelId, contextTokens }: Sized,
  { promptTokens, media }: PromptSize,
): number {
  if (media === undefined) return promptTokens
  return promptTokens + Math.min(mediaTokens(modelId, media).expected, contextTokens ?? Infinity)
}

/**
 * Least share of a model that has not answered yet: 8 characters a token. With six tokenizers, prose, Markdown and code
 * have at most 5.1 characters a token that differ from the one before, and padded columns up to 27:
 * docs/decisions/2026-11-23-token-counts.md.
 */
export const unlearntShare = 0.45

/** The share of the estimate that a model counts at the least. */
export function leastShareOf({ modelId }: Sized, { leastShares }: PromptSize): number {
  return leastShares?.get(modelId) ?? unlearntShare
}

/** Lower bound: no tokenizer gives fewer. A prompt that exceeds the context even so cannot fit. */
export function leastPromptTokens({ modelId }: Sized, size: PromptSize): number {
  const { promptTokens, media, density = 1 } = size
  const ofText = Math.floor(promptTokens * density * leastShareOf({ modelId }, size))
  return media === undefined ? ofText : ofText + mediaTokens(modelId, media).least
}

/**
 * Tokens to reserve money for: a quarter above the estimate of the text, and 32 tokens for a short one. Media of an
 * unknown size take at most the whole context, because a prompt that exceeds it is not billed.
 */
export function mostPromptTokens(
  { modelId, contextTokens }: Sized,
  { promptTokens, media }: PromptSize,
): number {
  const ofText = Math.ceil(promptTokens * 1.25) + 32
  if (media === undefined) return ofText
  const { expected, most } = mediaTokens(modelId, media)
  return ofText + Math.min(most, Math.max(expected, contextTokens ?? Infinity))
}
