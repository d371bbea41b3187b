/** Streams written down while they go out, for those who keep finished ones; bounded over all of them. */

/** What one stream and all that are under way at one time may take. */
const defaultBounds = { answerBytes: 4 * 1024 * 1024, totalBytes: 32 * 1024 * 1024 }

export class Recordings {
  readonly #bounds: typeof defaultBounds
  #bytes = 0

  constructor(bounds = defaultBounds) {
    this.#bounds = bounds
  }

  /** To be ended by `finish` or `drop`. */
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

  /** What the running ones hold. */
  bytes(): number {
    return this.#bytes
  }
}

export class Recording {
  readonly #take: (bytes: number) => boolean
  readonly #giveBack: () => void
  /** Null once it grew beyond its bounds. */
  #events: string[] | null = []

  /** @param take  whether there is room for so many bytes more */
  constructor(take: (bytes: number) => boolean, giveBack: () => void) {
    this.#take = take
    this.#giveBack = giveBack
  }

  /** @param text  events of a stream as they are sent, with their empty lines */
  events(text: string): void {
    if (this.#events === null) return
    if (this.#take(Buffer.byteLength(text))) this.#events.push(text)
    else this.drop()
  }

  /** The stream as it was, or null when it was too much to write down. */
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
