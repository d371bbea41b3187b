/**
 * Sends refusals one after another, one in each turn of the event loop. Anybody who reaches the port can cause them, and
 * twenty in one turn delay each step of an answer by two milliseconds: docs/decisions/2026-11-23-refusals.md.
 */
export class RefusalTurns {
  readonly #waiting: (() => void)[] = []

  /** Resolves when it is the caller's turn: at once when no other refusal waits. */
  next(): Promise<void> {
    return new Promise((resolve) => {
      this.#waiting.push(resolve)
      if (this.#waiting.length === 1) setImmediate(this.#takeTurn)
    })
  }

  readonly #takeTurn = (): void => {
    this.#waiting.shift()?.()
    if (this.#waiting.length > 0) setImmediate(this.#takeTurn)
  }
}
