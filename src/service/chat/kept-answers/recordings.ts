/** Records streams while they are sent, with one bound for all of them. */

/** Bounds in bytes for one stream, and for all concurrent ones. */
const defaultBounds = { answerBytes: 4 * 1024 * 1024, totalBytes: 32 * 1024 * 1024 }

export class Recordings {
  readonly #bounds: typeof defaultBounds
  #bytes = 0

  constructor(bounds = defaultBounds) {
    this.#bounds = bounds
  }

  /** End it with `finish` or `drop`. */
  start(): Recording {
    let taken = 0
    const take = (bytes: number) => {
      const { answerBytes, totalBytes } = this.#bounds
      if (taken + bytes > answerBytes || this.#bytes + bytes > totalBytes) return false
      taken += bytes
      this.#bytes += bytes
      return true
    }
    const giveBack = () => {
      this.#bytes -= taken
      taken = 0
    }
    return new Recording(take, giveBack)
  }

  /** Bytes held by running recordings. */
  bytes(): number {
    return this.#bytes
  }
}

export class Recording {
  readonly #take: (bytes: number) => boolean
  readonly #giveBack: () => void
  /** Null once it exceeded its bounds. */
  #events: string[] | null = []

  /** @param take  reserves bytes; false when there is no room */
  constructor(take: (bytes: number) => boolean, giveBack: () => void) {
    this.#take = take
    this.#giveBack = giveBack
  }

  /** @param text  events as they are sent, with their empty lines */
  events(text: string): void {
    if (this.#events === null) return
    if (this.#take(Buffer.byteLength(text))) this.#events.push(text)
    else this.drop()
  }

  /** The recorded stream, or null when it exceeded its bounds. */
  finish(): Buffer | null {
    const events = this.#events
    this.drop()
    return events && Buffer.from(events.join(''))
  }

  drop(): void {
    this.#events = null
    this.#giveBack()
  }
}
