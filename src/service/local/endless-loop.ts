/** So many characters must repeat; a verse or a row of a table repeats less. */
const watchedCharacters = 240
/** The longest text whose repetition counts, in characters: it then stands at least three times. */
const longestUnit = 80

/** Notices that an answer is only one text over and over, which a small model writes until it is stopped. */
export class EndlessLoop {
  #end = ''
  readonly #abort = new AbortController()

  /** Aborted once the answer repeats itself. */
  get signal(): AbortSignal {
    return this.#abort.signal
  }

  add(piece: string): void {
    this.#end = (this.#end + piece).slice(-watchedCharacters)
    if (this.#end.length === watchedCharacters && repeatsOneUnit(this.#end)) this.#abort.abort()
  }
}

function repeatsOneUnit(text: string): boolean {
  for (let unit = 1; unit <= longestUnit; unit += 1) {
    if (text.startsWith(text.slice(unit))) return true
  }
  return false
}
