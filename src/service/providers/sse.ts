/**
 * The `data` of server-sent events out of bytes cut anywhere: inside a UTF-8 character, between CR
 * and LF, across a line. Only what chat streams use: comments, `event`, `id` and `retry` are passed
 * over, and an event cut off by the end of the stream is dropped, as the standard says.
 * @see https://html.spec.whatwg.org/multipage/server-sent-events.html#event-stream-interpretation
 */

/** More in one line than any honest upstream sends. */
const maxLineCharacters = 1 << 20

/** @throws RangeError when a line grows past 1 Mi characters */
export async function* readEventData(bytes: AsyncIterable<Uint8Array>): AsyncGenerator<string> {
  const decoder = new TextDecoder()
  const event = new EventLines()
  let rest = ''
  for await (const piece of bytes) {
    rest += decoder.decode(piece, { stream: true })
    let start = 0
    for (let end = lineEnd(rest, start); end !== -1; end = lineEnd(rest, start)) {
      const complete = event.add(rest.slice(start, end))
      if (complete !== null) yield complete
      start = rest.startsWith('\r\n', end) ? end + 2 : end + 1
    }
    rest = rest.slice(start)
    if (rest.length > maxLineCharacters) throw new RangeError('an event line is too long')
  }
}

/** Index of the next line's end, or -1 while it cannot be told: a last CR may be half of a CRLF. */
function lineEnd(text: string, from: number): number {
  const lf = text.indexOf('\n', from)
  const cr = text.indexOf('\r', from)
  if (cr === -1 || (lf !== -1 && lf < cr)) return lf
  return cr === text.length - 1 ? -1 : cr
}

class EventLines {
  #data: string[] = []

  /** Takes one line; returns the event's data when the line ends it and it has any. */
  add(line: string): string | null {
    if (line === '') {
      if (this.#data.length === 0) return null
      const complete = this.#data.join('\n')
      this.#data = []
      return complete
    }
    if (line.startsWith('data:')) this.#data.push(line.slice(line[5] === ' ' ? 6 : 5))
    return null
  }
}
