import type { ChatDelta, ChunkChoice } from '../chat/chat.ts'

/**
 * A streamed choice that contains one piece of text and nothing else, like most choices, with its JSON as the
 * upstream sent it. The JSON is private, so a copy of the choice, which may have been changed, does not have
 * it.
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

  /** The choice as JSON; null for any other choice, which has to be serialized. */
  static jsonOf(choice: object): string | null {
    return #json in choice ? choice.#json : null
  }
}
