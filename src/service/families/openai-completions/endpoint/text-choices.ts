/** Choices of the inner form as those of a text completion, whole or piece by piece. */
import {
  contentText,
  type ChatDelta,
  type CompletionMessage,
  type WireFields,
} from '../../../../shared/chat/chat.ts'
import { fieldsOf, listOf, stringOf } from '../../../json-fields.ts'

export interface TextChoice {
  text: string
  index: number
  logprobs: TextLogprobs | null
  finish_reason: string | null
}

/** One entry per token. */
interface TextLogprobs {
  tokens: string[]
  token_logprobs: (number | null)[]
  top_logprobs: Record<string, number>[]
  /** Position of each token in the choice's text, in characters. */
  text_offset: number[]
}

/** Continues each choice where its last piece ended. */
export class TextChoices {
  readonly #prefix: string
  readonly #offsets = new Map<number, number>()

  /** @param prefix  before the text of each choice: the prompt, with `echo` */
  constructor(prefix: string) {
    this.#prefix = prefix
  }

  /** @returns null for a piece without text and without log probabilities, such as reasoning */
  pieceOf(
    index: number,
    message: ChatDelta | CompletionMessage,
    logprobs: unknown,
  ): Omit<TextChoice, 'finish_reason'> | null {
    const text = contentText(message.content) + (message.refusal ?? '')
    const tokens = listOf(fieldsOf(logprobs)['content']).map(fieldsOf)
    const isNew = !this.#offsets.has(index)
    if (text === '' && tokens.length === 0) return null
    const offset = this.#offsets.get(index) ?? this.#prefix.length
    this.#offsets.set(index, offset + text.length)
    return {
      text: isNew ? this.#prefix + text : text,
      index,
      logprobs: tokens.length === 0 ? null : logprobsOf(tokens, offset),
    }
  }

  /** The text of a choice that ends without any. */
  emptyText(index: number): string {
    return this.#offsets.has(index) ? '' : this.#prefix
  }
}

function logprobsOf(tokens: readonly WireFields[], offset: number): TextLogprobs {
  const texts = tokens.map(({ token }) => stringOf(token) ?? '')
  let end = offset
  const starts = texts.map((text) => {
    const start = end
    end += text.length
    return start
  })
  return {
    tokens: texts,
    token_logprobs: tokens.map(({ logprob }) => (typeof logprob === 'number' ? logprob : null)),
    top_logprobs: tokens.map(({ top_logprobs }) => alternativesOf(listOf(top_logprobs))),
    text_offset: starts,
  }
}

function alternativesOf(alternatives: readonly unknown[]): Record<string, number> {
  return Object.fromEntries(
    alternatives.map(fieldsOf).flatMap(({ token, logprob }) => {
      const isComplete = typeof token === 'string' && typeof logprob === 'number'
      return isComplete ? [[token, logprob]] : []
    }),
  )
}
