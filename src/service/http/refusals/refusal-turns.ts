/**
 * Sends refusals one after another, one in each turn of the event loop. Anybody who reaches the port can cause them, and
 * twenty in one turn delay each step of an answer by two milliseconds: docs/decisions/2026-11-23-refusals.md.
 */
export class RefusalTurns {
  readonly #waiting: (() => void)[] = []
  #isTaken = false

  /** Resolves when it is the caller's turn: at once for the first refusal in a turn of the event loop. */
  next(): Promise<void> {
    if (this.#isTaken) return new Promise((resolve) => void this.#waiting.push(resolve))
    this.#isTaken = true
    setImmediate(this.#endTurn)
    return Promise.resolve()
  }

  readonly #endTurn = (): void => {
    const next = this.#waiting.shift()
    this.#isTaken = next !== undefined
    if (next === undefined) return
    next()
    setImmediate(this.#endTurn)
  }
}
