/** Passes text from a producer to a consumer, with backpressure. */

interface QueuedText {
  text: string
  onConsumed: () => void
}

export class TextChannel {
  readonly #sent: QueuedText[] = []
  #isClosed = false
  #wake: () => void = () => {}

  /** Resolves when the text is consumed, or when the consumer has stopped. */
  send(text: string): Promise<void> {
    if (this.#isClosed) return Promise.resolve()
    return new Promise((onConsumed) => {
      this.#sent.push({ text, onConsumed })
      this.#wake()
    })
  }

  /** Ends the text. Text that was already sent can still be read. */
  close(): void {
    this.#isClosed = true
    this.#wake()
  }

  /** Reads until the channel is closed and empty. If the consumer stops early, all waiting sends resolve. */
  async *read(): AsyncGenerator<string> {
    try {
      for (;;) {
        const next = this.#sent.shift()
        if (next) {
          yield next.text
          next.onConsumed()
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
      for (const { onConsumed } of this.#sent.splice(0)) onConsumed()
    }
  }
}
