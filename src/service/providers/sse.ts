/**
 * Reads the `data` of server-sent events from bytes cut anywhere: inside a UTF-8 character, between CR
 * and LF, within a line. Chat streams use only `data`: comments, `event`, `id` and `retry` are ignored. An
 * event cut off by the end of the stream is dropped, as the standard requires.
 * @see https://html.spec.whatwg.org/multipage/server-sent-events.html#event-stream-interpretation
 */

import { GrowingText } from './growing-text.ts'
import { ProviderError } from './provider.ts'

/** Most bytes of a stream; an upstream that sends more repeats itself at the user's cost. */
const maxStreamBytes = 64 * 1024 * 1024
/** Most characters of one line, and of the lines of one event: a picture comes in one event. */
const maxCharacters = 16 << 20
const lineEnd = /\r\n?|\n/

export class EventReader {
  readonly #decoder = new TextDecoder()
  readonly #event = new EventLines()
  readonly #rest = new GrowingText()
  #endedInCr = false
  #bytes = 0

  /**
   * @returns the data of the events that this piece completed
   * @throws RangeError when a line or an event grows past its limit
   * @throws ProviderError when the stream grows past 64 MiB
   */
  push(piece: Uint8Array): string[] {
    const complete: string[] = []
    this.#bytes += piece.length
    if (this.#bytes > maxStreamBytes) {
      throw new ProviderError('invalid_response', 'the answer is longer than 64 MiB', {
        isLasting: true,
      })
    }
    let text = this.#decoder.decode(piece, { stream: true })
    // The piece contains only the beginning of a character.
    if (text === '') return complete
    // A CR at the end of the last piece already ended that line; this LF is the other half of the CRLF.
    if (this.#endedInCr && text.startsWith('\n')) text = text.slice(1)
    this.#endedInCr = text.endsWith('\r')
    // Nearly every upstream ends its lines with LF, which needs no pattern.
    const lines = text.split(text.includes('\r') ? lineEnd : '\n')
    const last = lines.pop() ?? ''
    if (lines.length > 0) lines[0] = this.#rest.take() + lines[0]
    this.#rest.add(last)
    for (const line of lines) {
      const data = this.#event.add(line)
      if (data !== null) complete.push(data)
    }
    if (this.#rest.length > maxCharacters) throw new RangeError('an event line is too long')
    return complete
  }
}

class EventLines {
  #data: string[] = []
  #characters = 0

  /** Reads one line; returns the event's data when the line ends the event and there is data. */
  add(line: string): string | null {
    if (line === '') return this.#end()
    if (!line.startsWith('data:')) return null
    this.#characters += line.length
    if (this.#characters > maxCharacters) throw new RangeError('an event is too long')
    this.#data.push(line.slice(line[5] === ' ' ? 6 : 5))
    return null
  }

  #end(): string | null {
    if (this.#data.length === 0) return null
    const complete = this.#data.join('\n')
    this.#data = []
    this.#characters = 0
    return complete
  }
}
