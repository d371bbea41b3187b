/** Cuts a stream of newline-delimited JSON into lines, however its bytes are divided into pieces. */
import { GrowingText } from '../../../providers/growing-text.ts'
import { ProviderError } from '../../../providers/provider.ts'
import type { EventSource } from '../../../providers/wire.ts'

/** Most bytes of a stream; a server that sends more repeats itself. */
const maxStreamBytes = 64 * 1024 * 1024
/** A line holds a whole tool call or image. */
const maxCharacters = 16 * 1024 * 1024

/** The last line of a stream ends with a newline too; a line without one broke off and is dropped. */
export class LineReader implements EventSource {
  readonly #decoder = new TextDecoder()
  /** The beginning of a line. */
  readonly #rest = new GrowingText()
  #bytes = 0

  /** @throws RangeError for a line that is too long; ProviderError for such a stream */
  push(piece: Uint8Array): string[] {
    this.#bytes += piece.length
    if (this.#bytes > maxStreamBytes) {
      throw new ProviderError('invalid_response', 'the answer is longer than 64 MiB', {
        isLasting: true,
      })
    }
    const [first = '', ...others] = this.#decoder.decode(piece, { stream: true }).split('\n')
    const last = others.pop()
    if (last === undefined) {
      this.#keep(first)
      return []
    }
    const lines = [this.#rest.take() + first, ...others]
    this.#keep(last)
    return lines.filter((line) => line.trim() !== '')
  }

  #keep(text: string): void {
    this.#rest.add(text)
    if (this.#rest.length > maxCharacters) throw new RangeError('a line is too long')
  }
}
