import type { ChatDelta, ChunkChoice } from './chat.ts'

/**
 * A streamed choice that is one piece of text and nothing else, as nearly all are, with its JSON as the upstream
 * wrote it. The JSON is private: a copy of the choice, which may have been changed, does not have it.
 */
export class TextChoice implements ChunkChoice {
  readonly #json: string
  index: number
  delta: ChatDelta
  finish_reason: null = null;
  [field: string]: unknown

  /** @param json  the choice as JSON, equal to the other arguments */
  constructor(index: number, content: string, json: string) {
    this.index = index
    this.delta = { content }
    this.#json = json
  }

  /** The choice as JSON; null for any other choice, which has to be written out. */
  static jsonOf(choice: object): string | null {
    return #json in choice ? choice.#json : null
  }
}
