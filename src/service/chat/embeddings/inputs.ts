/** The inputs of a request for embeddings, and how many tokens they have. */
import type { EmbeddingsRequestBody } from '../../../shared/models/embeddings.ts'
import type { EmbeddingInput } from '../../providers/embeddings.ts'
import { estimateTokens } from '../admission/request-needs.ts'

/** A single text or a single list of tokens is one input. */
export function inputsOf({ input }: Pick<EmbeddingsRequestBody, 'input'>): EmbeddingInput[] {
  if (typeof input === 'string') return [input]
  return isTokens(input) ? [input] : input
}

function isTokens(input: readonly unknown[]): input is number[] {
  return typeof input[0] === 'number'
}

/** Estimated for texts, counted for tokens. */
export function tokensOf(inputs: readonly EmbeddingInput[]): number {
  let tokens = 0
  for (const input of inputs) {
    tokens += typeof input === 'string' ? estimateTokens(input.length) : input.length
  }
  return tokens
}

/**
 * Far more than any ordinary text has. A model's own tokenizer decides whether an input fits, so only an input
 * that is too long by any count is refused before it is sent.
 */
const mostCharactersPerToken = 8

/** The tokens that the longest input has at least. */
export function longestOf(inputs: readonly EmbeddingInput[]): number {
  let longest = 0
  for (const input of inputs) {
    const tokens = typeof input === 'string' ? input.length / mostCharactersPerToken : input.length
    longest = Math.max(longest, tokens)
  }
  return Math.floor(longest)
}
