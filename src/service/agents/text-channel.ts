/** Text from the one who makes it to the one who reads it, at the reader's pace. */

interface Sent {
  text: string
  taken: () => void
}

export class TextChannel {
  readonly #sent: Sent[] = []
  #isClosed = false
  #wake: () => void = () => {}

  /** Resolves when the text was taken, or will never be. */
  send(text: string): Promise<void> {
    if (this.#isClosed) return Promise.resolve()
    return new Promise((taken) => {
      this.#sent.push({ text, taken })
      this.#wake()
    })
  }

  /** No more comes; what was sent can still be read. */
  close(): void {
    this.#isClosed = true
    this.#wake()
  }

  /** Ends when the channel is closed and empty, or the reader stops: then whoever sends goes on. */
  async *read(): AsyncGenerator<string> {
    try {
      for (;;) {
        const next = this.#sent.shift()
        if (next) {
          yield next.text
          next.taken()
        } else if (this.#isClosed) {
          return
        } else {
          await new Promise<void>((resolve) => {
            this.#wake = resolve
          })
        }
      }
    } finally {
      this.#isClosed = true
      for (const { taken } of this.#sent.splice(0)) taken()
    }
  }
}
