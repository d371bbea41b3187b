/** Cuts a list of JSON values into its items without parsing it, so one at a time is in memory and a broken one stays alone. */
import { ImportRefused } from './imported.ts'
import { sourceLimits } from './source-files.ts'

const quote = 0x22
const backslash = 0x5c
const openList = 0x5b
const closeList = 0x5d
const openObject = 0x7b
const closeObject = 0x7d
const comma = 0x2c

/**
 * The items of the list that the text is, as bytes; the text itself when it is not a list.
 * @throws ImportRefused for an item above `valueBytes`
 */
export async function* jsonValues(stream: AsyncIterable<Uint8Array>): AsyncIterable<Buffer> {
  const cutter = new Cutter()
  for await (const piece of stream) yield* cutter.add(piece)
  yield* cutter.end()
}

class Cutter {
  #depth = 0
  #isText = false
  #isEscaped = false
  /** Null before the first byte that is not white space. */
  #isList: boolean | null = null
  #pieces: Uint8Array[] = []
  #bytes = 0

  #keep(piece: Uint8Array): void {
    this.#bytes += piece.length
    if (this.#bytes > sourceLimits.valueBytes) {
      throw new ImportRefused('One conversation has more than 256 MiB.')
    }
    if (piece.length > 0) this.#pieces.push(Uint8Array.from(piece))
  }

  *add(piece: Uint8Array): Iterable<Buffer> {
    let from = 0
    for (let at = 0; at < piece.length; at += 1) {
      const byte = piece[at] ?? 0
      if (this.#isInText(byte)) continue
      if (byte === openList || byte === openObject) {
        this.#depth += 1
        if (this.#depth > sourceLimits.levels) {
          throw new ImportRefused('It has brackets inside each other that no export has.')
        }
        if (this.#isList === null) {
          this.#isList = byte === openList
          from = this.#isList ? at + 1 : at
        }
      } else if (byte === closeList || byte === closeObject) this.#depth -= 1
      if (this.#isCut(byte)) {
        yield* this.#take(piece.subarray(from, at))
        from = at + 1
      }
    }
    if (this.#isList !== null) this.#keep(piece.subarray(from))
  }

  #isInText(byte: number): boolean {
    if (this.#isEscaped) this.#isEscaped = false
    else if (byte === backslash && this.#isText) this.#isEscaped = true
    else if (byte === quote) {
      this.#isText = !this.#isText
      return true
    }
    return this.#isText
  }

  /** After an item, or at the end of the list. */
  #isCut(byte: number): boolean {
    const isAfterItem = byte === comma && this.#depth === 1
    return this.#isList === true && (isAfterItem || (byte === closeList && this.#depth === 0))
  }

  *end(): Iterable<Buffer> {
    yield* this.#take(new Uint8Array())
  }

  *#take(rest: Uint8Array): Iterable<Buffer> {
    this.#keep(rest)
    const value = Buffer.concat(this.#pieces)
    this.#pieces = []
    this.#bytes = 0
    if (value.some((byte) => byte > 0x20)) yield value
  }
}
