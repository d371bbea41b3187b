/** Tracks which choices of an answer started and ended; one that never ends was cut off. */
import { ProviderError, type ProviderChunk } from '../../providers/provider.ts'

export class ChoiceEnds {
  readonly #ended = new Map<number, boolean>()

  note({ choices }: ProviderChunk): void {
    for (const { index, finish_reason } of choices) {
      if (finish_reason !== null) this.#ended.set(index, true)
      else if (!this.#ended.has(index)) this.#ended.set(index, false)
    }
  }

  /** @throws ProviderError invalid_response when a choice, or the whole answer, has no end */
  refuseUnfinished(): void {
    let areAllEnded = this.#ended.size > 0
    for (const hasEnded of this.#ended.values()) areAllEnded &&= hasEnded
    if (areAllEnded) return
    throw new ProviderError('invalid_response', 'the answer broke off before its end')
  }
}
